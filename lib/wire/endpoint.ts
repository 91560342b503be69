/** A MAC address as the tables write it, in either case. Source: "Resources and their fields", ANC endpoint. */
export const MAC = /^[0-9a-f]{2}(?::[0-9a-f]{2}){5}$/i;

const HEX = 16;
/** Every byte in two digits: a generator makes an address for each transaction, and has little time for it. */
const BYTES = Array.from({ length: 256 }, (_, byte) => byte.toString(HEX).toUpperCase().padStart(2, '0'));
const HALF = 2 ** 24;

const threeBytes = (value: number): string =>
  `${BYTES[value >>> 16]}:${BYTES[(value >>> 8) & 0xff]}:${BYTES[value & 0xff]}`;

export const macNumber = (mac: string): number => Number.parseInt(mac.replace(/[:-]/g, ''), HEX);
export const ipNumber = (ip: string): number => ip.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);

/** MAC addresses by their place after the first one, upper case, colon separated; they wrap at the end of the 48-bit space. */
export function macsFrom(first: string): (index: number) => string {
  const start = macNumber(first);
  return (index) => {
    const value = (start + index) % 2 ** 48;
    return `${threeBytes(Math.floor(value / HALF))}:${threeBytes(value % HALF)}`;
  };
}

export const macAt = (first: string, index: number): string => macsFrom(first)(index);

export function ipAt(first: string, index: number): string {
  const value = (ipNumber(first) + index) % 2 ** 32;
  return [24, 16, 8, 0].map((shift) => Math.floor(value / 2 ** shift) % 256).join('.');
}

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
