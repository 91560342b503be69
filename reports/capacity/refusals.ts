import type { CapacityAnswer, Refusal } from '../../lib/records/load/capacity.ts';
import type { CellReport } from '../../lib/records/load/load.ts';
import { millis, percent, rate, short } from '../../lib/text.ts';
import { type Section, section, table } from '../model/document.ts';
import { cellOf, figure } from './statement.ts';

/** What became of a connection, by the code of k6. */
const CONNECTION: Readonly<Record<string, string>> = {
  '1050': 'no answer within the timeout',
  '1101': 'the name was not resolved',
  '1201': 'connection closed while the request was sent',
  '1211': 'no connection within the timeout',
  '1212': 'connection refused',
  '1220': 'connection reset',
};

function whatOf({ kind, status, errorCode = '', body, example }: Refusal): string {
  if (kind === 'queued') return 'nothing is refused: answers come later and later, until every connection waits';
  if (kind === 'collapse') return 'less is done than at the claim: the share is what is missing of it';
  if (kind === 'lost') return 'a success that is not in the list afterwards';
  if (status === 0) return CONNECTION[errorCode] ?? `no answer: ${example ?? `code ${errorCode} of k6`}`;
  return `${status}, body ${body ?? 'not known'}${example === undefined || body === 'empty' ? '' : `: "${short(example, 80)}"`}`;
}

function againOf({ status, retryAfter }: Refusal): string {
  if (status === 0) return '—';
  if (retryAfter === undefined) return 'none';
  return retryAfter === 'date' ? 'a date' : `${retryAfter} s`;
}

const effectOf = ({ effect, kind }: Refusal): string =>
  effect === undefined
    ? kind === 'queued' || kind === 'collapse'
      ? '—'
      : 'not looked at'
    : `${effect.done} of ${effect.looked} looked at`;

function wayDown({ recovery }: CapacityAnswer): string {
  if (recovery === undefined || !recovery.valid) return 'Whether the way down is the way up was not measured.';
  const { afterPerSecond, overPerSecond, seconds, unservedAfter = 0, watchedSeconds } = recovery;
  const from = `After ${rate(overPerSecond)}/s, ${rate(afterPerSecond)}/s`;
  if (seconds !== null && unservedAfter === 0)
    return `${from} are served as before within ${seconds} s: the way down is the way up.`;
  return `${from} are not served as before within ${watchedSeconds} s (${percent(unservedAfter)} not served at the end): the way down is not the way up.`;
}

export function refusalSection(answer: CapacityAnswer, at: number, steps: readonly CellReport[]): Section {
  const [id, title] = [`refusals-${at}`, 'How it refuses'];
  const { refusals = [] } = answer;
  if (refusals.length === 0) return section(id, title, 'Nothing was refused in any valid measurement.');
  const caption =
    'From: the lowest offered rate at which it was seen. Share: the most of one measurement. After: median time until it comes. ' +
    'Took effect: endpoints that were found as the operation would have left them.';
  const refused = table(caption, refusals, [
    ['What comes back', whatOf],
    ['From /s', ({ fromPerSecond, cell }) => figure(rate(fromPerSecond), cellOf(steps, cell))],
    ['Share', ({ mostShare }) => percent(mostShare)],
    ['After', ({ p50Ms }) => (p50Ms === undefined ? '—' : millis(p50Ms))],
    ['Retry-After', againOf],
    ['Took effect', effectOf],
  ]);
  return section(id, title, refused, wayDown(answer));
}
