/** First byte of every address of a generated pool: locally administered, so never a vendor's. */
const LOCAL_PREFIX = 0x02;

function checked(index: number, limit: number): number {
  if (Number.isInteger(index) && index >= 0 && index < limit) return index;
  throw new RangeError(`endpoint index ${index} is not a whole number below ${limit}`);
}

/**
 * MAC address of the endpoint with this index, upper case, colon separated: `02:SS:00:00:00:00` counting up in the
 * low 32 bits. Throws RangeError for an index or a space that does not fit.
 */
export function macOf(index: number, space = 0): string {
  const low = checked(index, 2 ** 32);
  const bytes = [
    LOCAL_PREFIX,
    checked(space, 2 ** 8),
    (low >>> 24) & 0xff,
    (low >>> 16) & 0xff,
    (low >>> 8) & 0xff,
    low & 0xff,
  ];
  return bytes.map((byte) => byte.toString(16).toUpperCase().padStart(2, '0')).join(':');
}

/** IPv4 address of the endpoint with this index, in 10.0.0.0/8. Throws RangeError for an index that does not fit. */
export function ipOf(index: number): string {
  const low = checked(index, 2 ** 24);
  return `10.${(low >>> 16) & 0xff}.${(low >>> 8) & 0xff}.${low & 0xff}`;
}

/** Largest size whose products stay exact: (2^26)^2 < 2^53. */
const MAX_SIZE = 2 ** 26;

function gcd(a: number, b: number): number {
  return b === 0 ? a : gcd(b, a % b);
}

/**
 * Full-cycle permutation of 0..size-1: `(a * seq + b) mod size` with gcd(a, size) = 1, so that no endpoint is
 * touched twice until all were. Exact for sizes up to 2^26; throws RangeError for any other size.
 */
export function permutation(size: number, seed = 1): (seq: number) => number {
  if (!Number.isInteger(size) || size < 1 || size > MAX_SIZE) {
    throw new RangeError(`a pool of ${size} endpoints cannot be permuted`);
  }
  const start = Math.abs(Math.trunc(seed));
  let a = Math.max(1, Math.floor(size * 0.618)) + (start % 97);
  while (gcd(a, size) !== 1) a += 1;
  const factor = a % size;
  const offset = start % size;
  return (seq) => (factor * (seq % size) + offset) % size;
}
