import { OPS, PATH_PREFIX } from '../../contract/operations.ts';
import { curlParts, shellQuoted } from '../../curl.ts';
import { defined } from '../../defined.ts';
import type { RunEnd } from '../../records/run.ts';
import { excerpt, inert } from '../../text.ts';
import { ancFields } from '../../wire/anc.ts';
import { uriPart } from '../../wire/query.ts';
import { buildRequest } from '../../wire/request.ts';
import { ancFamilyOf } from '../anc/lookup.ts';
import { recordPath } from '../safety/record-identity.ts';
import type { ErsClient, OwnRecord, UnresolvedCreate } from '../types.ts';

/** A curl line that a person can run against the target of a client to remove or to find what a run left. */
export function curlCommand(client: ErsClient, method: string, path: string, body?: string): string {
  const { baseUrl, insecure, caFile, clientCertificate: own } = client.options.target;
  const flags = [
    ...(insecure === true ? ['--insecure'] : []),
    ...(caFile === undefined ? [] : ['--cacert', shellQuoted(caFile)]),
    ...(own === undefined ? [] : ['--cert', shellQuoted(own.certFile), '--key', shellQuoted(own.keyFile)]),
  ];
  const headers = ['Accept', 'Content-Type'].map((name) => [name, 'application/json'] as const);
  const url = shellQuoted(baseUrl.replace(/\/+$/, '') + path);
  return curlParts({ flags, method, headers, url, ...defined({ body }) }).join(' ');
}

export type Cleanup = RunEnd['cleanup'];

export type Residue = Cleanup['residue'][number];

export type Stray = NonNullable<Cleanup['leftAlone']>[number];

/** Stands where the id of what is left never became known. */
export const UNKNOWN_ID = '(not known)';

export function recordResidue(client: ErsClient, record: OwnRecord): Residue {
  return { ...record, command: curlCommand(client, OPS.delete.method, recordPath(record.family, record.id)) };
}

/** What is left in a family and cannot be named by an id, with the command that lists the family: a person has to look. */
export const unknownResidue = (
  client: ErsClient,
  { family, name }: Pick<UnresolvedCreate, 'family' | 'name'>,
): Residue => ({ family, id: UNKNOWN_ID, name, command: listCommand(client, family), standing: 'unknown' });

const listCommand = (client: ErsClient, family: string): string =>
  curlCommand(client, OPS.list.method, `${PATH_PREFIX}/${uriPart(family)}`);

/** What stands for an endpoint that nobody can look at any more, by what the last answer to a write says that it holds. */
const STANDING = { policy: undefined, nothing: 'removed', unknown: 'unknown' } as const;

/** An endpoint with a policy that the run put there: it was seen, or else what the last answer said of it tells how much is known. */
export function endpointResidue(client: ErsClient, id: string, said: keyof typeof STANDING = 'policy'): Residue {
  const family = ancFamilyOf(client);
  const fields = ancFields('clear-by-mac', { macAddress: id });
  const { method, path, body } = buildRequest(client.options.table, family, 'clear', { fields });
  return { family, id, command: curlCommand(client, method, path, body), ...defined({ standing: STANDING[said] }) };
}

export const policyShown = (policy: string): string => inert(policy, 100);

const LONGEST_SHOWN = 300;

/** A record that may be of the run, was not proven to be, and was not touched, with the command that reads it. */
export function strayRecord(client: ErsClient, { family, id, name }: OwnRecord, why: string): Stray {
  const short = (text: string) => inert(text, LONGEST_SHOWN);
  const command = curlCommand(client, OPS.read.method, recordPath(family, excerpt(id, LONGEST_SHOWN)));
  return { family, id: short(id), ...defined({ name: name === undefined ? undefined : short(name) }), why, command };
}

/** What nobody can tell whether the run made it, as something that is left. */
export const doubtful = (stray: Stray): Residue => ({ ...stray, standing: 'doubtful' });

/** An endpoint that took a policy of the run, and that was not cleared, and shows none. */
export const lostEndpoint = (client: ErsClient, id: string): Stray => ({
  ...{ family: ancFamilyOf(client), id, command: listCommand(client, ancFamilyOf(client)) },
  why: 'it took the policy, its clear was refused, and it shows none: somebody else cleared it, or another deployment answers',
});

/** An endpoint that no write named, with a policy of somebody else, or outside of the pool: nobody can tell who put it there. */
export function strayEndpoint(client: ErsClient, mac: string, policy: string, was?: string): Stray {
  const family = ancFamilyOf(client);
  const before = was === undefined ? 'no policy when the run began' : `"${policyShown(was)}"`;
  const why = `it held ${before}, and holds "${policyShown(policy)}" now`;
  return { family, id: mac, why, command: listCommand(client, family) };
}

/** Stands for the other endpoints of the pool where nobody can tell any more whether a policy landed on them. */
export function unknownHolders(client: ErsClient): Residue {
  const name = 'other endpoints of the pool: the list cannot be walked any more';
  return unknownResidue(client, { family: ancFamilyOf(client), name });
}
