/** First byte of every address of a generated pool: locally administered, so never a vendor's. */
const LOCAL_PREFIX = 0x02;

/** MAC address of the endpoint with this index, upper case, colon separated: `02:SS:00:00:00:00` counting up in the low 32 bits. */
export function macOf(index: number, space = 0): string {
  const bytes = [
    LOCAL_PREFIX,
    space & 0xff,
    (index >>> 24) & 0xff,
    (index >>> 16) & 0xff,
    (index >>> 8) & 0xff,
    index & 0xff,
  ];
  return bytes.map((byte) => byte.toString(16).toUpperCase().padStart(2, '0')).join(':');
}

/** IPv4 address of the endpoint with this index, in 10.0.0.0/8. */
export function ipOf(index: number): string {
  return `10.${(index >>> 16) & 0xff}.${(index >>> 8) & 0xff}.${index & 0xff}`;
}

/** Index of a MAC address made by `macOf`; undefined for any other. */
export function indexOfMac(mac: string): number | undefined {
  const bytes = mac.split(':');
  if (bytes.length !== 6 || Number.parseInt(bytes[0] ?? '', 16) !== LOCAL_PREFIX) return undefined;
  return Number.parseInt(bytes.slice(2).join(''), 16);
}

function gcd(a: number, b: number): number {
  return b === 0 ? a : gcd(b, a % b);
}

/**
 * Full-cycle permutation of 0..size-1: `(a * seq + b) mod size` with gcd(a, size) = 1, so that no endpoint is
 * touched twice until all were. Exact for sizes up to 2^26.
 */
export function permutation(size: number, seed = 1): (seq: number) => number {
  let a = Math.max(1, Math.floor(size * 0.618)) + (seed % 97);
  while (gcd(a, size) !== 1) a += 1;
  const factor = a % size;
  const offset = seed % size;
  return (seq) => (factor * (seq % size) + offset) % size;
}
