import type { Difference } from './difference.ts';
import type { PolicyObservation } from './observation.ts';

/** An address as the tables write it. */
const colons = (address: string): string => address.toUpperCase().replaceAll('-', ':');

/**
 * An endpoint with another policy than it was given, or one that has a policy and was given none. Source: "Special paths", apply and
 * clear; the form of an address: "Resources and their fields".
 */
export function judgePolicies(
  given: ReadonlyMap<string, string | undefined>,
  { question: { family }, shown: { endpoints } }: PolicyObservation,
): Difference | undefined {
  if (endpoints === undefined) return undefined;
  const dashed = endpoints.find(({ macAddress }) => macAddress.includes('-') && given.has(colons(macAddress)));
  if (dashed !== undefined)
    return {
      requirement: 'RES-MAC',
      about: { kind: 'value', operation: 'read', subject: 'address' },
      family,
      expected: colons(dashed.macAddress),
      observed: dashed.macAddress,
    };
  const all = new Set([...given.keys(), ...endpoints.map(({ macAddress }) => colons(macAddress))]);
  for (const address of all) {
    const wanted = given.get(address);
    const got = endpoints.filter(({ macAddress }) => colons(macAddress) === address).map(({ policy }) => policy);
    if (wanted === undefined ? got.length === 0 : got.length === 1 && got[0] === wanted) continue;
    return {
      requirement: 'SPC-ANC',
      about: {
        kind: 'no-effect',
        operation: given.has(address) && wanted === undefined ? 'clear' : 'apply',
        subject: given.has(address) ? 'policy' : 'other records',
      },
      family,
      expected: `${address}: ${wanted ?? 'no policy'}`,
      observed: got.join(', ') || 'no policy',
    };
  }
  return undefined;
}
