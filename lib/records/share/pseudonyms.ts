import { createHmac } from 'node:crypto';

/** What a pseudonym stands for; it begins with this word, so that a reader still sees what was there. */
type Hidden = 'mac' | 'ip' | 'host';

/** `mac-3f2a9c01d2`: the same for the same value, and useless without the key. */
export type Pseudonym = (kind: Hidden, value: string) => string;

/** 40 bits: two of a thousand addresses share one in one of two million reports. */
const DIGITS = 10;

/** Keyed hashes of one report. Addresses are few enough to be tried one by one, so a hash without a key would hide nothing. */
export function pseudonyms(key: Uint8Array): Pseudonym {
  const known = new Map<string, string>();
  return (kind, value) => {
    const what = `${kind} ${value}`;
    const given = known.get(what);
    if (given !== undefined) return given;
    const made = `${kind}-${createHmac('sha256', key).update(what).digest('hex').slice(0, DIGITS)}`;
    known.set(what, made);
    return made;
  };
}
