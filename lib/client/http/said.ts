import { inert } from '../../text.ts';
import { isObject } from '../../wire/answer.ts';
import { redactor } from '../redaction/redact.ts';
import type { ErsClient, Exchange } from '../types.ts';

const LONGEST = 160;
/** Levels of an answer at which its words are looked for. */
const DEEPEST = 4;
const TITLES: ReadonlySet<string> = new Set(['title', 'message', 'detail', 'error']);

/** First text of an answer under a name that errors use. */
function titleIn(value: unknown, depth = 0): string | undefined {
  if (depth > DEEPEST) return undefined;
  if (Array.isArray(value)) return value.map((item) => titleIn(item, depth + 1)).find((text) => text !== undefined);
  if (!isObject(value)) return undefined;
  const own = Object.entries(value).find(([name, held]) => TITLES.has(name.toLowerCase()) && typeof held === 'string');
  if (own !== undefined) return String(own[1]);
  return Object.values(value)
    .map((held) => titleIn(held, depth + 1))
    .find((text) => text !== undefined);
}

/** What an answer says, in its own words and as it came. */
export const titleOf = ({ json, body }: Pick<Exchange, 'json' | 'body'>): string =>
  titleIn(json) ?? body.replace(/<[^>]*>/g, ' ').trim();

/** What an answer says, for people: its own words, short, on one line and without secrets; empty where it has none. */
export function saidIn({ options }: ErsClient, exchange: Exchange): string {
  const text = titleOf(exchange);
  return inert(redactor(options.target.credentials).text(text.replace(/\s+/g, ' ').trim()), LONGEST);
}

/** Status and words of an answer: `400 "Session lookup failure"`. */
export function answerWords(status: number, says: string): string {
  return says === '' ? String(status) : `${status} "${says}"`;
}
