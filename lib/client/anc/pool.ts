import { createHash } from 'node:crypto';
import { isIPv4 } from 'node:net';
import { resolve } from 'node:path';
import * as z from 'zod';
import { defined } from '../../defined.ts';
import { messageOf, UsageError } from '../../errors.ts';
import { flag } from '../../option.ts';
import { MIB, plainText } from '../../plain-file.ts';
import { RunOptions } from '../../records/run-options.ts';
import { count, counted } from '../../text.ts';
import { ipAt, ipNumber, MAC, macAt, macNumber } from '../../wire/endpoint.ts';
import { normalAddress } from '../safety/targets.ts';
import type { EndpointPool } from '../types.ts';
import { holdingByFilter } from './state.ts';

/** What ANC operations may touch. There is no default: they act on live endpoints. */
export const PoolSpec = z.object({
  endpoints: RunOptions.shape.endpoints,
  policies: RunOptions.shape.policies,
  allowForeignEndpoints: flag(
    '--allow-foreign-endpoints',
    'use addresses that are not locally administered: they may be real devices',
    { help: 'all' },
  ),
});
export type PoolSpec = z.output<typeof PoolSpec>;

/** Where a pool's addresses come from, so that k6 can make the same ones. */
type PoolSource =
  | { readonly kind: 'range'; readonly firstMac: string; readonly firstIp?: string }
  /** `text`: one `MAC[,IP]` a line, as the file was read; what it holds later does not count. `digest`: SHA-256 of it. */
  | { readonly kind: 'file'; readonly path: string; readonly text: () => string; readonly digest: string };

export interface NamedPool extends EndpointPool {
  readonly source: PoolSource;
  /** Every endpoint has an IP address, so that policies can be applied by it. */
  readonly hasIps: boolean;
  readonly describe: () => string;
}

const LARGEST = 2 ** 24;
/** A file of so many endpoints with both addresses; longer texts no reader can hold. */
const MOST_BYTES = 500 * MIB;
const RANGE = /^([0-9a-f:]{17})\+(\d+)(?:@([\d.]+))?$/i;
const SINGLE = /^([0-9a-f]{2}(?::[0-9a-f]{2}){5})(?:,([\d.]+))?$/i;

const bad = (message: string, hint: string) => new UsageError('bad-endpoints', message, { hint });

/** Refuses addresses that a vendor may have given to a real device, and those of groups. */
function checkOwn(mac: string, where: string, allowForeign: boolean): void {
  const first = Number.parseInt(mac.slice(0, 2), 16);
  if ((first & 1) === 1) throw bad(`${where}: ${mac} is a group address`, 'name single endpoints');
  if ((first & 2) !== 0 || allowForeign) return;
  const hint = 'use addresses that start with 02, 06, 0A or 0E, or allow others with --allow-foreign-endpoints';
  throw new UsageError('foreign-endpoints', `${where}: ${mac} is not locally administered: it may be a real device`, {
    hint,
  });
}

function rangePool(
  spec: string,
  { firstMac, size, firstIp }: { firstMac: string; size: number; firstIp: string | undefined },
  foreign: boolean,
): NamedPool {
  const first = firstMac.toUpperCase();
  const lastMac = macAt(first, size - 1);
  const wraps = macNumber(lastMac) !== macNumber(first) + size - 1;
  if (wraps || (firstIp !== undefined && ipNumber(firstIp) + size > 2 ** 32))
    throw bad(`${spec}: the range runs past the last address`, 'start it lower or make it smaller');
  for (const mac of [firstMac, lastMac]) checkOwn(mac, spec, foreign);
  const ips = firstIp === undefined ? '' : `, ${firstIp} to ${ipAt(firstIp, size - 1)}`;
  return {
    size,
    source: { kind: 'range', firstMac: first, ...defined({ firstIp }) },
    hasIps: firstIp !== undefined,
    at: (index) => ({
      macAddress: macAt(first, index),
      ...defined({ ipAddress: firstIp === undefined ? undefined : ipAt(firstIp, index) }),
    }),
    indexOf(address) {
      const text = normalAddress(address);
      let index = -1;
      if (MAC.test(text)) index = macNumber(text) - macNumber(first);
      else if (firstIp !== undefined && isIPv4(text)) index = ipNumber(text) - ipNumber(firstIp);
      return index >= 0 && index < size ? index : undefined;
    },
    held: holdingByFilter,
    describe: () => `${counted(size, 'endpoint')}, ${first} to ${lastMac}${ips}`,
  };
}

function filePool(path: string, text: string, foreign: boolean): NamedPool {
  const endpoints: { macAddress: string; ipAddress?: string }[] = [];
  const indexes = new Map<string, number>();
  for (const [number, line] of text.split(/\r?\n/).entries()) {
    if (line.trim() === '' || line.startsWith('#')) continue;
    const where = `${path}, line ${number + 1}`;
    const [mac = '', ip, ...rest] = line.split(',').map((part) => part.trim());
    if (!MAC.test(mac) || rest.length > 0 || (ip !== undefined && ip !== '' && !isIPv4(ip))) {
      // What the line holds is not shown: it may be any file.
      throw bad(`${where} is not MAC[,IP]`, 'write AA:BB:CC:DD:EE:FF[,1.2.3.4]');
    }
    checkOwn(mac, where, foreign);
    const endpoint = { macAddress: mac.toUpperCase(), ...(ip === undefined || ip === '' ? {} : { ipAddress: ip }) };
    for (const address of Object.values(endpoint)) {
      if (indexes.has(address)) throw bad(`${where}: ${address} is there twice`, 'name each endpoint once');
      indexes.set(address, endpoints.length);
    }
    endpoints.push(endpoint);
  }
  if (endpoints.length === 0) throw bad(`${path} names no endpoint`, 'write one MAC[,IP] a line');
  const lines = () => endpoints.map((endpoint) => Object.values(endpoint).join(',')).join('\n');
  let digest: string | undefined;
  return {
    size: endpoints.length,
    source: {
      kind: 'file',
      path: resolve(path),
      text: lines,
      get digest() {
        digest ??= createHash('sha256').update(lines()).digest('hex');
        return digest;
      },
    },
    hasIps: endpoints.every((endpoint) => endpoint.ipAddress !== undefined),
    at: (index) => {
      const endpoint = endpoints[index];
      if (endpoint === undefined) throw new RangeError(`the pool has no endpoint ${index}`);
      return endpoint;
    },
    indexOf: (address) => indexes.get(normalAddress(address)),
    held: holdingByFilter,
    describe: () => `${count(endpoints.length)} endpoints of ${path}`,
  };
}

/**
 * Reads a pool: a range `02:00:00:00:00:00+60000@10.0.0.0` (first MAC address, count, optional first IP address),
 * one endpoint `MAC[,IP]`, or the path of a file of such lines. Throws `UsageError` that names the line.
 */
export function readPool(spec: string, options: { readonly allowForeign?: boolean } = {}): NamedPool {
  const foreign = options.allowForeign === true;
  const range = RANGE.exec(spec);
  if (range !== null) {
    const [, mac = '', count = '', ip] = range;
    const size = Number(count);
    if (ip !== undefined && !isIPv4(ip)) throw bad(`${spec}: ${ip} is no IPv4 address`, 'write MAC+COUNT[@1.2.3.4]');
    if (!MAC.test(mac) || size < 1 || size > LARGEST)
      throw bad(`${spec} is no range of 1 to ${LARGEST} endpoints`, 'write MAC+COUNT[@IP]');
    return rangePool(spec, { firstMac: mac, size, firstIp: ip }, foreign);
  }
  if (SINGLE.test(spec)) return filePool(spec, spec, foreign);
  const textOf = () => {
    try {
      return plainText(spec, MOST_BYTES);
    } catch (cause) {
      const hint = 'give a range such as 02:00:00:00:00:00+60000@10.0.0.0, or a file with lines MAC[,IP]';
      throw new UsageError('bad-endpoints', `${spec} is neither a range nor a readable file: ${messageOf(cause)}`, {
        ...{ cause, hint },
      });
    }
  };
  return filePool(spec, textOf(), foreign);
}
