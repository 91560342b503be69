/** The digits of a MAC address, in capitals; undefined for any other text. Case and separators are no part of an address. */
export function addressOf(text: unknown): string | undefined {
  if (typeof text !== 'string' || !/^[0-9a-f]{2,4}(?:[:.-][0-9a-f]{2,4}){2,5}$/i.test(text)) return undefined;
  const digits = text.replace(/[:.-]/g, '').toUpperCase();
  return digits.length === 12 ? digits : undefined;
}

/** The digits of an address as the specification writes it. Source: "Resources and their fields", ANC endpoint. */
export const withColons = (address: string): string => address.match(/../g)?.join(':') ?? address;

/** Tells where a byte has digits and where letters: an order may take digits for numbers. */
const shapeOf = (byte: string | undefined): string | undefined => byte?.replace(/\d/g, '0').replace(/[A-F]/g, 'A');

/** True if every order puts two addresses alike: the first bytes that differ have letters at the same places. *Implied*: none is shown. */
export function areOrderedAddresses(one: string, other: string): boolean {
  if (addressOf(one) === undefined || addressOf(other) === undefined) return false;
  const [bytes, others] = [one.split(':'), other.split(':')];
  const at = bytes.findIndex((byte, index) => byte !== others[index]);
  return bytes.length === 6 && others.length === 6 && at >= 0 && shapeOf(bytes[at]) === shapeOf(others[at]);
}
