import { groupBy } from '../../lib/group-by.ts';
import { killedRate, rateText } from '../../lib/stats/wilson.ts';
import type { Line } from '../defects/generated/line.ts';
import { isBound, type Outcome, type Scored } from './defect-score.ts';
import { type Cost, costLine, section } from './score.ts';
import { SPACES, type SpaceName } from './subject.ts';

interface Killed {
  readonly line: Line;
  readonly isKilled: boolean;
  /** Killed for a requirement that the defect violates. */
  readonly isBoundKill: boolean;
}

/** True if a check failed or warned; one that ended in an error found nothing. */
function isFound({ accusations }: Outcome): boolean {
  return accusations.some(({ verdict }) => verdict !== 'error');
}

type Rate = ReturnType<typeof killedRate>;
type Counts = (row: Killed) => boolean;
const atAll: Counts = ({ isKilled }) => isKilled;
const bound: Counts = ({ isBoundKill }) => isBoundKill;
const rate = (rows: readonly Killed[], counts: Counts): Rate => killedRate(rows.filter(counts).length, rows.length);

function ratesBy(rows: readonly Killed[], kindOf: (line: Line) => string, counts: Counts): Record<string, Rate> {
  const kinds = [...groupBy(rows, ({ line }) => kindOf(line))].sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(kinds.map(([kind, own]) => [kind, rate(own, counts)]));
}

const times = (count: number): string => (count === 1 ? 'once' : `${count} times`);

/** Why a defect was not found: how far it got in the run. */
function reasonOf({ exposure, timedOut, faults, counts }: Outcome) {
  const { reached = 0, triggered = 0, changed = 0 } = exposure ?? {};
  if (timedOut || faults.length > 0)
    return { class: 'cut', reason: `the run ended early${faults.length > 0 ? `: ${faults.join(', ')}` : ''}` };
  if (reached === 0) return { class: 'not-reached', reason: 'no request reached the place' };
  if (triggered === 0) return { class: 'not-triggered', reason: `reached ${times(reached)}, never under its trigger` };
  if (changed === 0)
    return { class: 'not-changed', reason: `triggered ${times(triggered)}, never with a value that it changes` };
  const open = counts['inconclusive'] ?? 0;
  const also = open === 0 ? '' : `; ${open} results were inconclusive`;
  return { class: 'not-seen', reason: `made a difference ${times(changed)}, and no check failed${also}` };
}

/** `generated.json`: how much of a space the suite finds; `population`: defects that can be generated. Same seed, same score, but for `cost`. */
export function generatedScore(
  scored: readonly Scored[],
  {
    space,
    seed,
    population,
    cost,
  }: { readonly space: SpaceName; readonly seed: number; readonly population: number; readonly cost: Cost },
) {
  const { make, kindOf } = SPACES[space];
  const rows = scored
    .flatMap(({ subject: { line, families = [] }, outcome }) =>
      line === undefined ? [] : [{ line, families, outcome, ...make(line).defect, isKilled: isFound(outcome) }],
    )
    .map((row) => ({ ...row, isBoundKill: row.outcome.accusations.some((given) => isBound(row.violates, given)) }));
  return {
    generatedVersion: 1 as const,
    space,
    seed,
    population,
    sample: rows.length,
    total: rate(rows, atAll),
    bound: rate(rows, bound),
    byTrigger: ratesBy(rows, kindOf, atAll),
    boundByOperator: ratesBy(rows, ({ operator }) => operator, bound),
    boundByTrigger: ratesBy(rows, kindOf, bound),
    survivors: rows
      .filter(({ isKilled }) => !isKilled)
      .map(({ id, title, families, outcome }) => ({ id, title, families: [...families], ...reasonOf(outcome) }))
      .sort((a, b) => (a.id < b.id ? -1 : 1)),
    /** Defects that were found, and never for a requirement that they violate; with those that were named. */
    misnamed: rows
      .filter(({ isKilled, isBoundKill }) => isKilled && !isBoundKill)
      .map(({ id, violates, outcome }) => ({
        id,
        violates: [...violates],
        named: [...new Set(outcome.accusations.map(({ verdict, requirement }) => `${verdict} ${requirement}`))].sort(),
      })),
    /** Accusations of the clean deployment in the same narrowed runs: each makes the score worthless. */
    alarms: scored
      .filter(({ subject }) => subject.kind === 'control')
      .flatMap(({ subject, outcome }) =>
        // An error found nothing, neither here nor on a defect.
        outcome.accusations
          .filter(({ verdict }) => verdict !== 'error')
          .map(({ verdict, checkId, family, text }) =>
            [`${subject.ids.join('+')}:`, verdict, `${checkId}|${family}:`, text].join(' '),
          ),
      ),
    cost,
  };
}

export type GeneratedScore = ReturnType<typeof generatedScore>;

function rates(title: string, by: Readonly<Record<string, Rate>>): string[] {
  const width = Math.max(0, ...Object.keys(by).map((name) => name.length));
  const lines = Object.entries(by).map(([name, rate]) => `${name.padEnd(width)}  ${rateText(rate)}`);
  return section(title, lines);
}

/** Operators by their group, the word before the dash: a score of each would be three lines of two defects. */
function byGroup(by: Readonly<Record<string, Rate>>): Record<string, Rate> {
  const sum = (rates: readonly (readonly [string, Rate])[], key: 'killed' | 'of') =>
    rates.reduce((total, [, rate]) => total + rate[key], 0);
  const groups = groupBy(Object.entries(by), ([name]) => name.split('-')[0] ?? name);
  return Object.fromEntries([...groups].map(([name, own]) => [name, killedRate(sum(own, 'killed'), sum(own, 'of'))]));
}

export function generatedLinesOf(score: GeneratedScore): string[] {
  const { survivors, misnamed, alarms, population, sample, seed, total, bound, space } = score;
  const { kind } = SPACES[space];
  // The groups of operators are the dimensions, where there are such.
  const byOperator = kind === 'dimension' ? score.boundByOperator : byGroup(score.boundByOperator);
  return [
    `${space} defects found for a requirement that they violate: ${rateText(bound)}`,
    `${space} defects found at all: ${rateText(total)}`,
    `sample of ${sample} from ${population} defects, seed ${seed}`,
    ...rates('By operator, for a requirement that they violate', byOperator),
    ...rates(`By ${kind}, for a requirement that they violate`, score.boundByTrigger),
    ...rates(`By ${kind}, at all`, score.byTrigger),
    ...section(
      'Defects found for other requirements only',
      misnamed.flatMap(({ id, violates, named }) => [
        id,
        `  violates ${violates.join(', ')}; accused: ${named.join(', ')}`,
      ]),
    ),
    ...section(
      'Defects that survive',
      survivors.flatMap(({ id, title, reason }) => [id, `  ${title}: ${reason}`]),
    ),
    ...section('False alarms on the clean deployment', alarms),
    '',
    costLine(score),
  ];
}
