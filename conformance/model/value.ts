import { isObject } from '../../lib/wire/answer.ts';
import { holds } from '../kit/contains-subset.ts';
import type { Form } from './history.ts';

/** Texts of a value, however deep: what is the same in every form. */
function leavesOf(value: unknown): readonly string[] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value)) return value.flatMap(leavesOf);
  return isObject(value) ? Object.values(value).flatMap(leavesOf) : [String(value)];
}

/** True if every text of the one is in the other. */
function holdsLeaves(shown: unknown, sent: unknown): boolean {
  const seen = [...leavesOf(shown)];
  return leavesOf(sent).every((leaf) => {
    const at = seen.indexOf(leaf);
    if (at >= 0) seen.splice(at, 1);
    return at >= 0;
  });
}

/** A text as far as the specification tells texts apart: nothing says that blanks at its ends count, nor how accents are composed. */
const bare = (text: string): string => text.trim().normalize('NFC');

/** Digits of a text that is an address of an endpoint; undefined for any other. Case and separators are no part of an address. */
export const addressOf = (text: unknown): string | undefined =>
  typeof text === 'string' &&
  /^[0-9a-f]{2,4}(?:[:.-][0-9a-f]{2,4}){2,5}$/i.test(text) &&
  /^(?:[0-9a-f]{2}){6}$/i.test(text.replace(/[:.-]/g, ''))
    ? text.replace(/[:.-]/g, '').toUpperCase()
    : undefined;

/** True if nothing shows that a text, number or truth value is another one than was sent. */
function isSameText(shown: unknown, sent: unknown): boolean {
  if (typeof shown !== 'string' || typeof sent !== 'string') return false;
  const address = addressOf(sent);
  return bare(shown) === bare(sent) || (address !== undefined && address === addressOf(shown));
}

/**
 * True if the value may be shown for the one that was sent. What the server adds to objects and lists is its own; an empty
 * text, an empty list and an absent member are the same nothing.
 */
export function isShownAs(shown: unknown, sent: unknown, form: Form): boolean {
  if (isSameText(shown, sent)) return true;
  return typeof sent === 'object' && form === 'xml' ? holdsLeaves(shown, sent) : holds(shown, sent);
}

/** True if an XML answer may show the text for the value that was sent: in XML all values are texts. */
export function isShownInXml(shown: unknown, sent: unknown): boolean {
  return typeof sent === 'object' || isSameText(String(shown), String(sent));
}
