import { isObject } from '../../lib/wire/answer.ts';

/**
 * True where the answer holds everything that was sent. Members that the server adds are allowed, in lists too: it may
 * give items ids and defaults. An empty list, an empty text and an absent member are the same nothing.
 */
export function holds(answered: unknown, sent: unknown): boolean {
  if (isNothing(sent)) return typeof sent === 'object' && sent !== null ? true : isNothing(answered);
  if (Array.isArray(sent)) {
    return (
      Array.isArray(answered) && answered.length === sent.length && sent.every((item, i) => holds(answered[i], item))
    );
  }
  if (isObject(sent)) {
    return isObject(answered) && Object.entries(sent).every(([member, value]) => holds(answered[member], value));
  }
  return answered === sent;
}

function isNothing(value: unknown): boolean {
  return (
    value === undefined ||
    value === null ||
    value === '' ||
    (Array.isArray(value) && value.length === 0) ||
    (isObject(value) && Object.values(value).every(isNothing))
  );
}
