const HEX = 16;
const MAC_BYTES = 6;

/** MAC addresses by their place after the first one, upper case, colon separated; they wrap at the end of the 48-bit space. */
export function macsFrom(first: string): (index: number) => string {
  const start = Number.parseInt(first.replace(/[:-]/g, ''), HEX);
  return (index) => {
    const digits = ((start + index) % 2 ** 48)
      .toString(HEX)
      .toUpperCase()
      .padStart(MAC_BYTES * 2, '0');
    let mac = digits.slice(0, 2);
    for (let at = 2; at < digits.length; at += 2) mac += `:${digits.slice(at, at + 2)}`;
    return mac;
  };
}

/** MAC address `index` places after the first one. */
export function macAt(first: string, index: number): string {
  return macsFrom(first)(index);
}

/** IPv4 address `index` places after the first one; wraps at the end of the 32-bit space. */
export function ipAt(first: string, index: number): string {
  const value = (first.split('.').reduce((sum, part) => sum * 256 + Number(part), 0) + index) % 2 ** 32;
  return [24, 16, 8, 0].map((shift) => Math.floor(value / 2 ** shift) % 256).join('.');
}
