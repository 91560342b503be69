import { claimOf, stepsOf } from '../../lib/judge/answer/search.ts';
import { loadCellName } from '../../lib/judge/cell/judge-load.ts';
import { count, duration, millis, rate } from '../../lib/numbers.ts';
import { present } from '../../lib/present.ts';
import type { CapacityAnswer, CapacityReport } from '../../lib/records/load/capacity.ts';
import type { CellReport } from '../../lib/records/load/load.ts';
import type { Report } from '../../lib/records/report.ts';
import { limitRange, limitText } from '../model/held.ts';

interface Side {
  readonly answer: CapacityAnswer;
  readonly steps: readonly CellReport[];
}

function groundOf({ answer, steps }: Side): string {
  const { ground } = claimOf(answer, steps);
  const { confirmation } = answer;
  return ground === 'confirmed' && confirmation ? `confirmed for ${duration(confirmation.seconds * 1000)}` : ground;
}

function timeAt({ answer: { rates, targetPerSecond } }: Side, key: 'responseP50Ms' | 'responseP99Ms'): string {
  const at = rates.find(({ ratePerSecond }) => ratePerSecond === targetPerSecond);
  return at === undefined || at.held + at.failed === 0 ? 'not measured' : millis(at[key]);
}

function failuresOf({ steps }: Side): string {
  const valid = steps.filter(({ verdict }) => verdict !== 'invalid');
  const failed = valid.reduce((sum, step) => sum + step.failed, 0);
  const [first] = valid.flatMap(({ failures }) => failures);
  return `${count(failed)}${first === undefined ? '' : `, the first ${first.status} ${first.example ?? ''}`}`.trim();
}

function settingsOf({ answer, steps }: Side): Readonly<Record<string, string>> {
  const plan = steps[0]?.facts.plan;
  return {
    connections: String(answer.connections),
    objective: plan?.slo?.join(', ') ?? 'none',
    'published rate': `${answer.targetPerSecond}/s`,
    'time-out': millis(plan?.timeoutMs ?? null),
  };
}

/** Two intervals of the limit decide where they do not touch. */
function verdictOf(before: Side, after: Side) {
  const [a, b] = [settingsOf(before), settingsOf(after)];
  const differing = Object.keys(a).filter((name) => a[name] !== b[name]);
  const obstacles = present(
    ...differing.map((name) => `${name}: ${a[name]} → ${b[name]}`),
    before.answer.verdict === 'invalid' && 'the search before answers nothing',
    after.answer.verdict === 'invalid' && 'the search after answers nothing',
  );
  if (obstacles.length > 0) return { verdict: 'not comparable', reasons: obstacles } as const;
  const [[lowBefore, highBefore], [lowAfter, highAfter]] = [limitRange(before.answer), limitRange(after.answer)];
  if (highAfter < lowBefore) return { verdict: 'worse', reasons: [] } as const;
  if (lowAfter > highBefore) return { verdict: 'better', reasons: [] } as const;
  return { verdict: 'no difference shown', reasons: ['the limits of both lie in one range'] } as const;
}

function compareSearch(before: Side, after: Side) {
  const { profile, operation, targetPerSecond } = before.answer;
  const line = (name: string, of: (side: Side) => string) => ({ name, before: of(before), after: of(after) });
  const held = ({ answer }: Side) => (answer.heldPerSecond === null ? 'none' : `${rate(answer.heldPerSecond)}/s`);
  return {
    ...{ profile, operation },
    ...verdictOf(before, after),
    lines: [
      line('holds', held),
      line('which is', groundOf),
      line('limit', ({ answer }) => limitText(answer)),
      line(`response p50 at ${targetPerSecond}/s`, (side) => timeAt(side, 'responseP50Ms')),
      line(`response p99 at ${targetPerSecond}/s`, (side) => timeAt(side, 'responseP99Ms')),
      line('failed transactions', failuresOf),
    ],
  };
}

const sideOf = ({ steps }: CapacityReport, answer: CapacityAnswer): Side => ({ answer, steps: stepsOf(steps, answer) });

export type SearchComparison = ReturnType<typeof compareSearch>;

/** The searches that both runs have; null if one of them has none. */
export function compareCapacity(
  { capacity: before }: Pick<Report, 'capacity'>,
  { capacity: after }: Pick<Report, 'capacity'>,
): readonly SearchComparison[] | null {
  if (before === undefined || after === undefined) return null;
  return before.answers.flatMap((answer) => {
    const other = after.answers.find((one) => loadCellName(one) === loadCellName(answer));
    return other === undefined ? [] : [compareSearch(sideOf(before, answer), sideOf(after, other))];
  });
}
