import { defined } from '../../lib/defined.ts';
import { capacityDetails } from '../../lib/judge/capacity/capacity-answer.ts';
import type { Statement } from '../../lib/records/answer.ts';
import type { CapacityAnswer, Refusal } from '../../lib/records/load/capacity.ts';
import type { CellReport } from '../../lib/records/load/load.ts';
import { counted, duration, millis, percent, rate, short } from '../../lib/text.ts';
import { cellAnchor } from '../html/load/cell-details.tsx';
import { type Block, type Line, type Piece, type Section, section, table } from '../model/document.ts';
import { headroomText, limitText, limitWords } from '../model/held.ts';

const cellOf = (steps: readonly CellReport[], id: string | undefined): CellReport | undefined =>
  steps.find((step) => step.id === id);

/** A figure that links to the valid cell that made it; plain where there is none. */
export function figure(text: string, cell: CellReport | undefined, strong?: true): Piece {
  const link = cell === undefined || cell.verdict === 'invalid' ? {} : { href: `../index.html#${cellAnchor(cell)}` };
  return { text, ...link, ...defined({ strong }) };
}

/** A statement of the judge, its figures with links to the last of the cells that they came from. */
const lineOf = ({ words }: Statement, steps: readonly CellReport[]): Line =>
  words.map((word) => {
    if (typeof word === 'string') return word;
    const last = word.from.at(-1)?.id;
    return figure(word.text, cellOf(steps, last), true);
  });

const WORDS = { met: 'Yes', violated: 'No', invalid: 'Not answered' } as const;

const figureOf = (value: number) => String(Number(value.toPrecision(3)));

function recoveryLine({ recovery }: CapacityAnswer, steps: readonly CellReport[]): Line {
  if (recovery === undefined) return ['not measured'];
  const cell = cellOf(steps, recovery.cell);
  const { overPerSecond, overSeconds, afterPerSecond, limitMs, seconds, watchedSeconds, unserved, valid } = recovery;
  const over = `${rate(overPerSecond)}/s for ${duration(overSeconds * 1000)} (${percent(unserved)} not served), then ${rate(afterPerSecond)}/s`;
  const rule =
    limitMs === null ? 'nothing was usual before it' : `p99 at most ${millis(limitMs)} in three seconds in a row`;
  if (!valid) return ['not measured validly'];
  if (seconds === null) return [figure(`not back within ${watchedSeconds} s`, cell), `: ${over}; back means ${rule}`];
  return [figure(`${seconds} s`, cell, true), ` until p99 was back: ${over}; back means ${rule}`];
}

function limiterLine(answer: CapacityAnswer, cut: boolean): string {
  const { limiter, limit } = answer;
  if (limit !== 'target') return limitWords(answer, cut);
  if (limiter === undefined) return 'failures, and not slowness';
  const { stalls, longestMs, medianMs } = limiter;
  const seen =
    stalls === 0
      ? 'no stall was seen'
      : `${counted(stalls, 'stall')} seen, ${millis(medianMs)} in the middle and ${millis(longestMs)} at most`;
  if (limiter.kind === 'throughput') return `throughput: the target gets no more done, and a backlog grows; ${seen}`;
  return `stalls: arrivals are dropped while the target answers nothing, so more connections carry more; ${seen}`;
}

/** What the series beside the search say of the limit; never a guess without one. */
function atEndLine({ atEnd, limit }: CapacityAnswer): Line | null {
  if (limit !== 'target') return null;
  if (atEnd === undefined) return ['unknown: no series was given; --metrics takes them'];
  const { series, limited, reached } = atEnd;
  if (reached.length > 0) {
    const words = reached.map(({ name, value, limit: most }) => `${name} (${figureOf(value)} of ${figureOf(most)})`);
    return [{ text: words.join(', '), strong: true }, ', in the steps that were too much and not far below them'];
  }
  if (limited === 0) return [`unknown: none of ${counted(series, 'series', 'series')} has a limit`];
  return [`unknown: none of ${counted(limited, 'series', 'series')} with a limit reached it at the knee alone`];
}

function publishedLine({ targetPerSecond, rates, verdict }: CapacityAnswer, steps: readonly CellReport[]): Line {
  const at = rates.find(({ ratePerSecond }) => ratePerSecond === targetPerSecond);
  if (at === undefined) return ['not offered'];
  if (at.held + at.failed === 0) return ['not measured validly'];
  const few = at.fewSamples?.includes('p99') ? ' (few samples)' : '';
  const held = `${at.held > at.failed ? 'held' : 'did not hold'}${verdict === 'invalid' ? ' in steps of seconds' : ''}`;
  const times =
    at.responseP99Ms === null
      ? 'too few arrivals were served for a p99'
      : `response time p50 ${millis(at.responseP50Ms)}, p99 ${millis(at.responseP99Ms)}${few}`;
  const last = steps.findLast(
    ({ facts, verdict: of }) =>
      of !== 'invalid' && facts.step?.purpose !== 'recovery' && facts.plan.targetPerSecond === targetPerSecond,
  );
  return [figure(`${held}; ${times}`, last)];
}

/** Answer, headroom and limits of one search: what a change board reads first. A line is there only with the facts that make it true. */
export function statementBlocks(
  answer: CapacityAnswer,
  steps: readonly CellReport[],
  slo: readonly string[],
  cut: boolean,
): readonly Block[] {
  const { heldPerSecond, said, verdict, targetPerSecond } = answer;
  const decided = verdict !== 'invalid';
  const word = { text: `${WORDS[verdict]}.`, strong: true } as const;
  const held = heldPerSecond !== null && limitText(answer);
  const rows: readonly (readonly [string, Line | string | null | false])[] = [
    ['Limit', decided && held],
    ['Headroom', decided && answer.headroom !== null && `${headroomText(answer)} × ${targetPerSecond}/s`],
    [`At ${targetPerSecond}/s`, publishedLine(answer, steps)],
    ['Measured', capacityDetails(answer).join('; ')],
    ['Recovery', recoveryLine(answer, steps)],
    ['Limited by', limiterLine(answer, cut)],
    ['At its end', atEndLine(answer)],
    ['Objective', slo.join(', ')],
  ];
  return [
    { kind: 'text', line: [word, ' ', ...(said === undefined ? [] : lineOf(said, steps)), '.'], answer: true },
    { kind: 'facts', rows: rows.flatMap(([name, line]) => (line ? [[name, [line].flat()] as const] : [])) },
  ];
}

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
  if (recovery?.valid !== true || (recovery.unserved === 0 && recovery.seconds === 0))
    return 'Whether the way down is the way up was not measured.';
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
