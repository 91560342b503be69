import { groupBy } from '../../lib/group-by.ts';
import type { GeneratedScore, Rate, Survivor } from '../../lib/records/generated-score.ts';
import { killedRate } from '../../lib/stats/wilson.ts';
import type { Line } from '../../reference/defects/generated/line.ts';
import { isBound } from '../defect-score.ts';
import type { Outcome, Scored } from '../outcome.ts';
import { SPACES } from './spaces.ts';

interface Killed {
  readonly line: Line;
  readonly isKilled: boolean;
  /** Killed for a requirement that the defect violates. */
  readonly isBoundKill: boolean;
}

/** True where a check failed or warned; one that ended in an error found nothing. */
function isFound({ accusations }: Outcome): boolean {
  return accusations.some(({ verdict }) => verdict !== 'error');
}

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
function reasonOf({ exposure, timedOut, faults, counts }: Outcome): Pick<Survivor, 'class' | 'reason'> {
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

export function generatedScore(
  scored: readonly Scored[],
  { space, seed, population, cost }: Pick<GeneratedScore, 'space' | 'seed' | 'population' | 'cost'>,
): GeneratedScore {
  const { make, kindOf } = SPACES[space];
  const rows = scored
    .flatMap(({ subject: { line, families = [] }, outcome }) =>
      line === undefined ? [] : [{ line, families, outcome, ...make(line).defect, isKilled: isFound(outcome) }],
    )
    .map((row) => ({ ...row, isBoundKill: row.outcome.accusations.some((given) => isBound(row.violates, given)) }));
  return {
    generatedVersion: 1,
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
    misnamed: rows
      .filter(({ isKilled, isBoundKill }) => isKilled && !isBoundKill)
      .map(({ id, violates, outcome }) => ({
        id,
        violates: [...violates],
        named: [...new Set(outcome.accusations.map(({ verdict, requirement }) => `${verdict} ${requirement}`))].sort(),
      })),
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
