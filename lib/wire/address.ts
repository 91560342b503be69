const HEX = 16;
const MAC_BYTES = 6;

/** MAC address `index` places after the first one, upper case, colon separated; wraps at the end of the 48-bit space. */
export function macAt(first: string, index: number): string {
  const value = (Number.parseInt(first.replace(/[:-]/g, ''), HEX) + index) % 2 ** 48;
  const digits = value
    .toString(HEX)
    .toUpperCase()
    .padStart(MAC_BYTES * 2, '0');
  return (digits.match(/../g) ?? []).join(':');
}

/** IPv4 address `index` places after the first one; wraps at the end of the 32-bit space. */
export function ipAt(first: string, index: number): string {
  const value = (first.split('.').reduce((sum, part) => sum * 256 + Number(part), 0) + index) % 2 ** 32;
  return [24, 16, 8, 0].map((shift) => Math.floor(value / 2 ** shift) % 256).join('.');
}
