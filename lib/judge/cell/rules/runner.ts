import type { CellFacts } from '../../../records/load/load.ts';
import type { CellLimits } from '../limits.ts';
import type { Judged } from './rule.ts';

type Runners = NonNullable<CellFacts['generator']['runners']>;

const percent = (share: number) => `${(share * 100).toFixed(1)} %`;

/** Was any runner held back by its CPU limit? Where the system does not show it, nobody knows that it was not. */
function throttledRule({ throttled }: Runners, { throttledShare }: CellLimits): Judged {
  return {
    id: 'throttled',
    text: 'time that a runner was held back by its CPU limit',
    measured: throttled === null ? 'not measured: the node does not show it' : percent(throttled),
    limit: `at most ${percent(throttledShare)}`,
    holds: throttled !== null && throttled <= throttledShare,
    effect: 'invalid',
  };
}

/** Did all runners run the same k6 and the same scenario? */
function sameProgramRule({ programs }: Runners): Judged {
  return {
    id: 'same-program',
    text: 'programs that the runners ran: k6 and scenario by their digests',
    measured: programs === null ? 'not measured: a digest is missing' : String(programs),
    limit: '1',
    holds: programs === 1,
    effect: 'invalid',
  };
}

/** Rules about runners of a cluster; none where the load came from this machine. */
export function runnerRules({ runners }: CellFacts['generator'], limits: CellLimits): Judged[] {
  return runners === undefined ? [] : [throttledRule(runners, limits), sameProgramRule(runners)];
}

/** A rule about the process that reads the stream of k6: runners write files, so that nothing can fall behind. */
export function notForRunners(rule: Judged, { runners }: CellFacts['generator']): Judged {
  return runners === undefined ? rule : { ...rule, measured: 'not applicable: runners write files', holds: null };
}
