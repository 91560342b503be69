const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/** Version 4 UUIDs from a stream of random numbers: the same stream gives the same ids. */
export function randomIds(random: () => number): () => string {
  const word = () => Math.floor(random() * 2 ** 32);
  const pair = (value: number) => (HEX[(value >>> 8) & 0xff] ?? '') + (HEX[value & 0xff] ?? '');
  return () => {
    const [a, b, c, d] = [word(), word(), word(), word()];
    const version = (b & 0x0fff) | 0x4000;
    const variant = (c & 0x3fff) | 0x8000;
    const head = `${pair(a >>> 16)}${pair(a)}-${pair(b >>> 16)}-${pair(version)}-${pair(variant)}`;
    return `${head}-${pair(c >>> 16)}${pair(d >>> 16)}${pair(d)}`;
  };
}
