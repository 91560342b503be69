import crypto from 'k6/crypto';
import { SharedArray } from 'k6/data';
import type { AncItemName } from '../../lib/contract/anc.ts';
import { ipAt, macsFrom } from '../../lib/wire/address.ts';
import type { AncTarget } from '../../lib/wire/anc.ts';
import { permutation } from '../../lib/wire/endpoint.ts';
import type { Parameters } from './parameters.ts';

/** Lines of the pool's file; one copy for all connections. Called in the init stage only. Throws where the file is not the one that was checked. */
function linesOf({ file, digest }: Parameters['pool']): readonly string[] {
  return new SharedArray('pool', () => {
    const text = open(file);
    if (crypto.sha256(text, 'hex') !== digest) throw new Error('the file of endpoints is not the one that was checked');
    return text === '' ? [] : text.split('\n');
  });
}

/** The endpoint and policy of each transaction: none comes twice until all of the part were used. */
export function targets(parameters: Parameters, items: readonly AncItemName[]): (seq: number) => AncTarget {
  const { pool, policyName } = parameters;
  const order = permutation(pool.size, pool.seed);
  if (pool.file === '') {
    const { firstMac = '', firstIp = '' } = pool;
    const macOf = macsFrom(firstMac);
    const byIp = items.includes('ipAddress');
    return (seq) => {
      const index = pool.offset + order(seq);
      const macAddress = macOf(index);
      return byIp ? { macAddress, ipAddress: ipAt(firstIp, index), policyName } : { macAddress, policyName };
    };
  }
  const lines = linesOf(pool);
  if (lines.length < pool.offset + pool.size) throw new Error(`${pool.file} has ${lines.length} endpoints`);
  return (seq) => {
    const [macAddress = '', ipAddress = ''] = (lines[pool.offset + order(seq)] ?? '').split(',');
    // Without the address that its operation needs, the iteration throws and the cell is invalid.
    const ip = ipAddress.trim() === '' ? {} : { ipAddress: ipAddress.trim() };
    return { macAddress: macAddress.trim(), ...ip, policyName };
  };
}
