import { SharedArray } from 'k6/data';
import { ipAt, macAt } from '../../lib/wire/address.ts';
import type { AncTarget } from '../../lib/wire/anc.ts';
import { permutation } from '../../lib/wire/endpoint.ts';
import type { Parameters } from './parameters.ts';

/** Lines of the pool's file; one copy for all connections. Called in the init stage only. */
function linesOf(path: string): readonly string[] {
  return new SharedArray('pool', () =>
    open(path)
      .split(/\r?\n/)
      .filter((line) => line.trim() !== '' && !line.startsWith('#')),
  );
}

/** The endpoint and policy of each transaction: no endpoint comes twice until all of the part were used. */
export function targets(parameters: Parameters): (seq: number) => AncTarget {
  const { pool, policyName } = parameters;
  const order = permutation(pool.size, pool.seed);
  if (pool.file === '') {
    return (seq) => {
      const index = pool.offset + order(seq);
      return { macAddress: macAt(pool.firstMac, index), ipAddress: ipAt(pool.firstIp, index), policyName };
    };
  }
  const lines = linesOf(pool.file);
  if (lines.length < pool.offset + pool.size) throw new Error(`${pool.file} has ${lines.length} endpoints`);
  return (seq) => {
    const [macAddress = '', ipAddress = ''] = (lines[pool.offset + order(seq)] ?? '').split(',');
    // Without the address that its operation needs, the iteration throws and the cell is invalid.
    const ip = ipAddress.trim() === '' ? {} : { ipAddress: ipAddress.trim() };
    return { macAddress: macAddress.trim(), ...ip, policyName };
  };
}
