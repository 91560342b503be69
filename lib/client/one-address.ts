import { type LookupAddress, lookup } from 'node:dns';
import type { LookupFunction, Socket } from 'node:net';

/**
 * Holds a run to the first address of the name of its target that took a connection: another one may be of another deployment, on
 * which nobody looked before a write, or on which the records of the run are not.
 */
export function oneAddress(resolve: LookupFunction = lookup) {
  let first: LookupAddress | undefined;
  let isAsked = false;
  return {
    lookup: ((host, options, done) => {
      isAsked = true;
      if (first === undefined) resolve(host, options, done);
      else if (options.all === true) done(null, [first]);
      else done(null, first.address, first.family);
    }) satisfies LookupFunction,
    /** Takes in a connection. */
    reached({ remoteAddress: address, remoteFamily }: Pick<Socket, 'remoteAddress' | 'remoteFamily'>) {
      if (isAsked && address !== undefined) first ??= { address, family: remoteFamily === 'IPv6' ? 6 : 4 };
    },
    /** Undefined before the first connection, and where the URL names an address. */
    address: () => first?.address,
  };
}
export type OneAddress = ReturnType<typeof oneAddress>;
