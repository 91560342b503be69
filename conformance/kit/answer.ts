import type { Exchange } from '../../lib/client/types.ts';
import { titleOf } from '../../lib/said.ts';
import { head, short } from '../../lib/text.ts';
import { isForbidden, isOverloaded, isRedirect, isSuccess, isTimedOut, isTooLarge } from '../../lib/wire/answer.ts';
import { Blocked, type CheckFailure, failure, Inconclusive, type Subject } from './fault.ts';

const SHOWN = 160;

/** One line that says how a request was answered: a refusal in the server's own words, anything else with its body. */
export function answerText(exchange: Exchange): string {
  const { request, status, body, headers } = exchange;
  const said = status >= 400 ? titleOf(exchange) : '';
  const shown = short(head(said === '' ? body : said, 4 * SHOWN).replace(/\s+/g, ' '), SHOWN);
  const words = shown === '' ? '' : said === '' ? ` ${shown}` : ` "${shown}"`;
  // How long a date is away is known to nobody who reads it later.
  const seconds = /^\d{1,9}$/.exec(headers['retry-after'] ?? '')?.[0];
  const again = status < 400 || seconds === undefined ? '' : `; try again after ${seconds} s`;
  return `${request.method} ${request.path} answered ${status}${words}${again}`;
}

const FIRST_WORDS = 8;

/** What was refused and why, without names and numbers, so that like requests share it: `update answered 400: name … already exists`. */
export function refusalText({ request: { op }, status, ...answer }: Exchange): string {
  const said = titleOf(answer).replace(/(['"]).*\1/s, '…');
  const words = said.split(/\s+/).map((word) => (/[\d'"]/.test(word) ? '…' : word));
  const some = words.filter((word, at) => word !== '' && (word !== '…' || words[at - 1] !== '…')).slice(0, FIRST_WORDS);
  return `${op} answered ${status}${some.length === 0 ? '' : `: ${some.join(' ')}`}`;
}

/** Throws `Blocked` if the login may not. */
export function mustBeAllowed(exchange: Exchange, what = 'no permission'): void {
  if (isForbidden(exchange)) throw new Blocked(`${what}: ${answerText(exchange)}`);
}

/** Answers that decide nothing of what was asked, besides those that the login may not have. */
const UNDECIDED: readonly (readonly [is: (exchange: Exchange) => boolean, why: string])[] = [
  [isRedirect, 'the answer leads elsewhere'],
  [isTooLarge, 'larger than the target takes'],
  [isOverloaded, 'refused for load after waiting'],
  [isTimedOut, 'the target stopped waiting for the request'],
];

/** Not done for a reason that has nothing to do with what is asked: permission, load, a limit that is not shown, or an answer elsewhere. */
export const isExcused = (exchange: Exchange): boolean =>
  isForbidden(exchange) || UNDECIDED.some(([is]) => is(exchange));

/** Throws if an answer decides nothing: as `mustBeAllowed` does, or `Inconclusive` for an overload, a redirect or a request too large. */
export function mustDecide(exchange: Exchange): void {
  mustBeAllowed(exchange);
  for (const [is, why] of UNDECIDED) if (is(exchange)) throw new Inconclusive(`${why}: ${answerText(exchange)}`);
}

/** A failure that one answer shows: the request was refused, accepted against the rules, or accepted without its `effect`. */
export function answerFailure(
  expected: string,
  exchange: Exchange,
  subject: Subject,
  effect?: string,
  onlyIf?: string,
): CheckFailure {
  const kind = !isSuccess(exchange) ? 'refused' : effect === undefined ? 'accepted' : 'no-effect';
  const observed = effect === undefined ? answerText(exchange) : `${answerText(exchange)}, and ${effect}`;
  return failure(kind, exchange.request.op, subject, { expected, observed, onlyIf });
}

/** Requires a 2xx of a request that the tables allow. Throws `CheckFailure` for a plain refusal, else as `mustDecide` does. */
export function mustSucceed(exchange: Exchange, expected: string, subject: Subject = 'request'): Exchange {
  if (isSuccess(exchange)) return exchange;
  mustDecide(exchange);
  throw answerFailure(expected, exchange, subject);
}

/** Requires a 2xx of something that another check judges. Throws `Blocked` for any other answer. */
export function prerequisite(exchange: Exchange): Exchange {
  if (isSuccess(exchange)) return exchange;
  throw new Blocked(`what this check compares with does not answer: ${answerText(exchange)}`);
}
