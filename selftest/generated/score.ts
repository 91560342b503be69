import { GENERATED_VERSION, type GeneratedScore, type Rate, type Survivor } from '../../lib/records/generated-score.ts';
import { killedRate } from '../../lib/stats/killed-rate.ts';
import { generate, triggerKind } from '../../reference/defects/generated/generated.ts';
import type { Line } from '../../reference/defects/generated/line.ts';
import type { Outcome, Scored } from '../outcome.ts';

interface Killed {
  readonly line: Line;
  readonly isKilled: boolean;
}

/** True where a check failed or warned; one that ended in an error found nothing. */
function isFound({ accusations }: Outcome): boolean {
  return accusations.some(({ verdict }) => verdict !== 'error');
}

const rate = (rows: readonly Killed[]): Rate => killedRate(rows.filter(({ isKilled }) => isKilled).length, rows.length);

function ratesBy(rows: readonly Killed[], kindOf: (line: Line) => string): Record<string, Rate> {
  const kinds = [...new Set(rows.map(({ line }) => kindOf(line)))].sort();
  return Object.fromEntries(kinds.map((kind) => [kind, rate(rows.filter(({ line }) => kindOf(line) === kind))]));
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

export interface GeneratedScoreOptions {
  readonly seed: number;
  readonly population: number;
  readonly cost: GeneratedScore['cost'];
}

/** The score of a generated selftest, a function of its outcomes alone. */
export function generatedScore(
  scored: readonly Scored[],
  { seed, population, cost }: GeneratedScoreOptions,
): GeneratedScore {
  const rows = scored.flatMap(({ subject: { line, families = [] }, outcome }) =>
    line === undefined ? [] : [{ line, families, outcome, isKilled: isFound(outcome) }],
  );
  const killers: Record<string, number> = {};
  for (const { outcome } of rows) {
    const first = outcome.accusations.find(({ verdict }) => verdict !== 'error')?.checkId;
    if (first !== undefined) killers[first] = (killers[first] ?? 0) + 1;
  }
  return {
    generatedVersion: GENERATED_VERSION,
    seed,
    population,
    sample: rows.length,
    total: rate(rows),
    byOperator: ratesBy(rows, ({ operator }) => operator),
    byTrigger: ratesBy(rows, triggerKind),
    killers: Object.fromEntries(Object.entries(killers).sort(([, a], [, b]) => b - a)),
    survivors: rows
      .filter(({ isKilled }) => !isKilled)
      .map(({ line, families, outcome }) => {
        const { id, title } = generate(line).defect;
        return { id, title, families: [...families], ...reasonOf(outcome) };
      })
      .sort((a, b) => (a.id < b.id ? -1 : 1)),
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
