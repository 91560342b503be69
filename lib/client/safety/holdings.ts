import type { Exchange } from '../types.ts';
import { normalAddress } from './targets.ts';

/** A member of a record by any spelling of its case. */
function member(record: object, name: string): string | undefined {
  const hit = Object.entries(record).find(([key]) => key.toLowerCase() === name.toLowerCase());
  return typeof hit?.[1] === 'string' ? hit[1] : undefined;
}

/**
 * MAC address and policy that the answer to a read of an endpoint shows, `''` where the record does not name one of them, and the address as
 * the target writes it; undefined where it holds no record.
 */
export function heldPolicyIn({ status, json }: Pick<Exchange, 'status' | 'json'>) {
  const held = status === 200 && typeof json === 'object' && json !== null ? Object.values(json) : [];
  const record = held.find((value): value is object => typeof value === 'object' && value !== null);
  if (record === undefined) return undefined;
  const written = member(record, 'macAddress') ?? member(record, 'name') ?? '';
  return { mac: normalAddress(written), policy: member(record, 'policyName') ?? '', written };
}
