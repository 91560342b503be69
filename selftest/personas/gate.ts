import type { PersonaRun, PersonaScore } from '../../lib/records/persona-score.ts';
import type { GateRow } from '../../lib/records/selftest.ts';
import { atMost, none, row } from '../gate.ts';

/** Results that a run may lose beside the unavoidable. */
const LOST_AT_MOST = 60;

export function personaGate(scores: readonly PersonaScore[]): GateRow[] {
  const runs = scores.filter(({ kind }) => kind !== 'clean').flatMap((score) => score.runs);
  const sum = (count: (run: PersonaRun) => number) => runs.reduce((total, run) => total + count(run), 0);
  const wrong = sum((run) => run.false.length);
  return [
    row('failures that no rule contradicts the specification for', 'none', wrong, runs.length > 0 && wrong === 0),
    none(
      'records left behind',
      sum((run) => run.left.length),
    ),
    none(
      'records of others that are gone or changed',
      sum((run) => run.harmed.length),
    ),
    atMost(
      'most results lost in one run, beside the unavoidable',
      LOST_AT_MOST,
      Math.max(0, ...runs.map((run) => run.lost.length)),
    ),
  ];
}
