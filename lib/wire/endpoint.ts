import { ipAt, macAt } from './address.ts';

/** MAC address of the endpoint with this index in a space: `02:SS:00:00:00:00` and up, locally administered, so never a vendor's. */
export const macOf = (index: number, space = 0): string =>
  macAt(`02:${space.toString(16).padStart(2, '0')}:00:00:00:00`, index);

/** IPv4 address of the endpoint with this index, in 10.0.0.0/8. */
export const ipOf = (index: number): string => ipAt('10.0.0.0', index);

/** Largest size whose products stay exact: (2^26)^2 < 2^53. */
const MAX_SIZE = 2 ** 26;

const gcd = (a: number, b: number): number => (b === 0 ? a : gcd(b, a % b));

/** Full-cycle permutation of 0..size-1: no endpoint comes twice until all did. Throws RangeError for sizes above 2^26: not exact. */
export function permutation(size: number, seed = 1): (seq: number) => number {
  if (!Number.isInteger(size) || size < 1 || size > MAX_SIZE)
    throw new RangeError(`a pool of ${size} endpoints cannot be permuted`);
  const start = Math.abs(Math.trunc(seed));
  let a = Math.max(1, Math.floor(size * 0.618)) + (start % 97);
  while (gcd(a, size) !== 1) a += 1;
  const factor = a % size;
  const offset = start % size;
  return (seq) => (factor * (seq % size) + offset) % size;
}
