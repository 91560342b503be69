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
