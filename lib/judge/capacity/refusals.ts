import { defined } from '../../defined.ts';
import type { Refusal } from '../../records/load/capacity.ts';
import type { CellReport } from '../../records/load/load.ts';
import { carriedBy } from './trial.ts';

/** Less than this share of the claim is done under too many arrivals, where a target collapses. */
const COLLAPSED = 0.7;

type Seen = Omit<Refusal, 'fromPerSecond' | 'cell'>;

function waysOf(step: CellReport, heldPerSecond: number | null): Seen[] {
  const { failures, started, scheduled, dropped, facts, serviceTime } = step;
  const { sampled, proven, skipped } = facts.readBack;
  const refused = failures.map(({ count, ...failure }) => ({ ...failure, mostShare: count / Math.max(1, started) }));
  const carried = carriedBy(step);
  const lost = skipped === undefined && proven > 0 ? sampled - proven : 0;
  const collapsed = carried !== null && heldPerSecond !== null && carried < COLLAPSED * heldPerSecond;
  const p50Ms = serviceTime.p50Ms ?? undefined;
  return [
    ...refused,
    ...(carried !== null && dropped > 0 && failures.length === 0
      ? [{ kind: 'queued' as const, status: 0, mostShare: dropped / Math.max(1, scheduled), ...defined({ p50Ms }) }]
      : []),
    ...(collapsed ? [{ kind: 'collapse' as const, status: 0, mostShare: 1 - carried / heldPerSecond }] : []),
    ...(lost > 0
      ? [{ kind: 'lost' as const, status: 0, mostShare: lost / sampled, effect: { looked: sampled, done: proven } }]
      : []),
  ];
}

const keyOf = ({ kind, status, errorCode, body, retryAfter }: Seen) =>
  [kind, status, errorCode, body, retryAfter !== undefined].join(' ');

/** Two looks at one way as one: the cell with the larger share speaks, and all endpoints that were looked at count. */
function joined(one: Refusal | undefined, other: Refusal): Refusal {
  if (one === undefined) return other;
  const [less, more] = [one, other].sort((a, b) => a.mostShare - b.mostShare) as [Refusal, Refusal];
  const sum = (key: 'looked' | 'done') => (one.effect?.[key] ?? 0) + (other.effect?.[key] ?? 0);
  const effect = (one.effect ?? other.effect) ? { looked: sum('looked'), done: sum('done') } : undefined;
  const fromPerSecond = Math.min(less.fromPerSecond, more.fromPerSecond);
  return { ...more, fromPerSecond, ...defined({ effect }) };
}

/** How a target refuses what is too much for it, by the rate at which each way begins, from the valid steps of a search. */
export function refusalsOf(steps: readonly CellReport[], heldPerSecond: number | null): Refusal[] {
  const found = new Map<string, Refusal>();
  for (const step of steps) {
    if (step.verdict === 'invalid') continue;
    const { stretches = [], targetPerSecond } = step.facts.plan;
    const fromPerSecond = Math.max(targetPerSecond, ...stretches.map(({ ratePerSecond }) => ratePerSecond));
    for (const way of waysOf(step, heldPerSecond)) {
      const key = keyOf(way);
      found.set(key, joined(found.get(key), { ...way, fromPerSecond, cell: step.id }));
    }
  }
  return [...found.values()].sort((a, b) => a.fromPerSecond - b.fromPerSecond || b.mostShare - a.mostShare);
}
