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

/** Orders in which the endpoints of a part of the pool are used. */
export const ORDERS = ['affine', 'sequential', 'skewed'] as const;
export type Order = (typeof ORDERS)[number];

/** Of five arrivals in the skewed order four go to the first fifth of the part, until it is used up. */
const [HOT_SHARE, GROUP] = [0.2, 5];

/** Four of five from the first fifth, the others from the rest; each endpoint once before any twice. */
function skewed(size: number, seed: number): (seq: number) => number {
  const hotSize = Math.floor(size * HOT_SHARE);
  if (hotSize < GROUP) return permutation(size, seed);
  const [hot, cold] = [permutation(hotSize, seed), permutation(size - hotSize, seed)];
  const groups = Math.floor(hotSize / (GROUP - 1));
  const hotLeft = hotSize - groups * (GROUP - 1);
  return (seq) => {
    const place = seq % size;
    const [group, within] = [Math.floor(place / GROUP), place % GROUP];
    if (group < groups) {
      return within < GROUP - 1 ? hot(group * (GROUP - 1) + within) : hotSize + cold(group);
    }
    const later = place - groups * GROUP;
    return later < hotLeft ? hot(groups * (GROUP - 1) + later) : hotSize + cold(groups + later - hotLeft);
  };
}

/** Place of the endpoint that each arrival uses: a full cycle over 0..size-1 in any order. Throws RangeError as `permutation` does. */
export function endpointOrder(size: number, seed: number, order: Order = 'affine'): (seq: number) => number {
  const affine = permutation(size, seed);
  if (order === 'skewed') return skewed(size, seed);
  return order === 'sequential' ? (seq) => seq % size : affine;
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
