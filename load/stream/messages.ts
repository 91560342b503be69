import { messageShape, readSaid, type Said } from '../../lib/wire/said.ts';
import { ANSWER_CODES } from '../../lib/wire/scenario.ts';

/** Distinct messages that are kept; further ones are counted without their words. */
const MOST_MESSAGES = 100;

/** Status 4xx that speaks of the moment and not of the request. */
const PASSING = new Set([401, 403, 408, 425, 429]);

/** The distinct messages of a stream, in the words in which each came first, and whether all answers so far are one and the same refusal. */
export const noMessages = () => ({
  first: [] as Said[],
  places: new Map<string, number>(),
  /** Answers from the first one on that are the same refusal; null from the first other answer on. */
  alike: 0 as number | null,
  alikePlace: 0,
});
export type Messages = ReturnType<typeof noMessages>;

/** Place of a message among the distinct ones, from 1; 0 for an answer without one. */
export function placeOfMessage(messages: Messages, word: string | undefined): number {
  const read = word === undefined || word === '' ? undefined : readSaid(word);
  if (read === undefined) return 0;
  const key = `${read.status} ${read.body} ${read.retryAfter !== undefined} ${messageShape(read.says)}`;
  const known = messages.places.get(key);
  if (known !== undefined) return known;
  if (messages.first.length === MOST_MESSAGES) return 0;
  const place = messages.first.push(read);
  messages.places.set(key, place);
  return place;
}

/** Counts an answer among those that are one and the same refusal from the first one on. */
export function countAlike(messages: Messages, place: number, code: string): void {
  if (messages.alike === null) return;
  const status = messages.first[place - 1]?.status ?? 0;
  const isRefusal = code === ANSWER_CODES.other && status >= 400 && status < 500 && !PASSING.has(status);
  const isSame = messages.alike === 0 || messages.alikePlace === place;
  messages.alikePlace = place;
  messages.alike = isRefusal && isSame ? messages.alike + 1 : null;
}
