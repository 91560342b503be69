import type { CellReport } from '../../../records/load/load.ts';
import { objectiveOf } from '../../../records/load/objective.ts';
import { figure, type Judged } from './rule.ts';

const MEMBERS = { p50: 'p50Ms', p90: 'p90Ms', p95: 'p95Ms', p99: 'p99Ms', 'p99.9': 'p999Ms' } as const;

/** Was the response time within the objectives that were set? None unless there are any: the specification sets no limit. */
export function objectiveRules(slo: readonly string[], response: CellReport['responseTime']): Judged[] {
  return slo.flatMap((text): Judged[] => {
    const objective = objectiveOf(text);
    if (objective === undefined) return [];
    const { percentile, limitMs } = objective;
    const value = response[MEMBERS[percentile]];
    return [
      {
        id: `slo-${percentile}`,
        text: `${percentile} of the response time is within the objective`,
        measured: value === null ? 'not served' : `${figure(value)} ms`,
        limit: `${figure(limitMs)} ms`,
        holds: value !== null && value <= limitMs,
        effect: 'violated',
      },
    ];
  });
}
