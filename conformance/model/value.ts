import { isObject } from '../../lib/wire/answer.ts';
import { isNothing, isOff } from '../kit/list/value.ts';
import type { Form } from './history.ts';

/** A text to compare: outer blanks and the composition of accents are *implied* to be the target's own. Source: "Special paths", create. */
const bare = (text: string): string => text.trim().normalize('NFC');

/** XML 1.0 has no control characters: a body cannot carry them. */
const withoutControls = (text: string): string => text.replace(/(?![\t\r\n])\p{Cc}/gu, '');

/** Texts of a value, however deep: what is the same in every form. The form of objects in XML is not shown. */
function leavesOf(value: unknown): readonly string[] {
  if (value === undefined || value === null) return [];
  if (typeof value === 'object') return Object.values(value).flatMap(leavesOf);
  const text = bare(withoutControls(String(value)));
  return text === '' ? [] : [text];
}

function lacking(shown: readonly string[], sent: readonly string[]): readonly string[] {
  const left = [...shown];
  return sent.filter((leaf) => {
    const at = left.indexOf(leaf);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}

/** True if a value inside of an object may be shown for the sent one: its type there is not shown ("Gaps in the field model"). */
function isInnerShownAs(shown: unknown, sent: unknown, form: Form): boolean {
  const isScalar = (value: unknown) => ['string', 'number', 'boolean'].includes(typeof value);
  const isRetyped = isScalar(shown) && isScalar(sent) && typeof shown !== typeof sent;
  return isShownAs(isRetyped ? String(shown) : shown, isRetyped ? String(sent) : sent, form);
}

/** True if each item has a partner of its own. That the order of a list counts is not stated. */
function isSameList(shown: readonly unknown[], sent: readonly unknown[]): boolean {
  if (shown.length !== sent.length) return false;
  const left = [...shown];
  // Those that hold most have the first choice: what holds less fits more.
  const most = [...sent].sort((one, other) => leavesOf(other).length - leavesOf(one).length);
  return most.every((item) => {
    const at = left.findIndex((each) => isShownAs(each, item, 'json'));
    if (at >= 0) left.splice(at, 1);
    return at >= 0;
  });
}

/** True if a value may be shown for the sent one. Servers may add members, or fill empty lists. Source: "Special paths", last paragraph. */
export function isShownAs(shown: unknown, sent: unknown, form: Form): boolean {
  // How XML tells a text or list that is empty from one that was left out is not shown.
  if (isNothing(sent)) return form === 'xml' || typeof sent === 'object' || isNothing(shown);
  if (typeof sent === 'object' && form === 'xml') return lacking(leavesOf(shown), leavesOf(sent)).length === 0;
  if (Array.isArray(sent)) return Array.isArray(shown) && isSameList(shown, sent);
  if (isObject(sent))
    return (
      isObject(shown) && Object.entries(sent).every(([member, value]) => isInnerShownAs(shown[member], value, form))
    );
  if (typeof sent !== 'string' || typeof shown !== 'string') return shown === sent;
  return form === 'xml' ? bare(shown) === bare(withoutControls(sent)) : bare(shown) === bare(sent);
}

/** A shown value with what was sent off or zero, if it lacks that: an answer without defaults leaves it out. Source: "Gaps in the endpoint contract". */
export function withOff(shown: unknown, sent: unknown): unknown {
  if (isOff(sent)) return shown ?? sent;
  if (Array.isArray(sent) && Array.isArray(shown)) return shown.map((item) => sent.reduce(withOff, item));
  if (!isObject(sent) || !isObject(shown)) return shown;
  const inner = Object.entries(sent).map(([member, value]) => [member, withOff(shown[member], value)] as const);
  return { ...shown, ...Object.fromEntries(inner.filter(([, value]) => value !== undefined)) };
}

/** Where two values of a member part, as deep as objects and lists go: its path, such as `settings.portalSettings.httpsPort`, and both values there. */
export function parting(path: string, sent: unknown, shown: unknown, form: Form): readonly [string, unknown, unknown] {
  if (Array.isArray(sent) && Array.isArray(shown) && form === 'json' && sent.length === shown.length) {
    const isIn = (item: unknown, at: number) => isShownAs(shown[at], item, form);
    const wrong = sent.findIndex((item, at) => !isIn(item, at));
    // The order of a list need not be kept: only if all other items are at their places is it known which one is another.
    const isOne = wrong >= 0 && sent.every((item, at) => at === wrong || isIn(item, at));
    return isOne ? parting(`${path}[${wrong}]`, sent[wrong], shown[wrong], form) : [path, sent, shown];
  }
  if (!isObject(sent) || !isObject(shown) || form === 'xml') return [path, sent, shown];
  const inner = Object.keys(sent).find((each) => !isInnerShownAs(shown[each], sent[each], form));
  return inner === undefined ? [path, sent, shown] : parting(`${path}.${inner}`, sent[inner], shown[inner], form);
}

/** True if a list shows texts of some items and none of another: how an item is written is not shown, but each of them is one. */
function lacksItem(shown: unknown, sent: readonly unknown[]): boolean {
  const seen = leavesOf(shown);
  const all = sent.map(leavesOf);
  const own = all.map((leaves, at) =>
    leaves.filter((leaf) => !all.some((other, index) => index !== at && other.includes(leaf))),
  );
  const told = own.filter(({ length }) => length > 0).map((leaves) => leaves.some((leaf) => seen.includes(leaf)));
  return told.includes(true) && told.includes(false);
}

/** True if XML may show this for the value: members may lack, values are texts, objects have any form. *Implied* by "Conventions". */
export function isShownInXml(shown: unknown, sent: unknown): boolean {
  if (isNothing(shown)) return true;
  if (isObject(sent) && isObject(shown))
    return Object.entries(sent).every(([member, value]) => isShownInXml(shown[member], value));
  if (typeof sent === 'object') return !Array.isArray(sent) || !lacksItem(shown, sent);
  const text = withoutControls(String(sent ?? ''));
  // A parser makes blanks of line breaks in attributes.
  if (/[\t\r\n]/.test(text)) return true;
  const leaves = leavesOf(shown);
  // Both spellings of a truth value are those of XML (XML Schema, part 2: boolean).
  const spelled = typeof sent === 'boolean' ? [text, `${Number(sent)}`] : [bare(text)];
  return leaves.length !== 1 || spelled.includes(leaves[0] ?? '');
}
