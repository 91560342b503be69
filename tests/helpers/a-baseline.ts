import type { BaselineEntry } from '../../lib/records/baseline.ts';
import type { Report } from '../../lib/records/report.ts';
import { judgedRun } from './a-report.ts';
import { aHeader, aResult, fullResults, given } from './a-run.ts';

/** An entry that expects `failing`. */
export const entry = (overrides: Partial<BaselineEntry> = {}): BaselineEntry => ({
  ...{ check: 'list/next', family: 'alpha', reason: 'known to the vendor', owner: 'network team' },
  ...{ link: 'https://tickets.example/1', expires: '2026-12-31' },
  ...overrides,
});

export const failing = aResult({
  ...{ checkId: 'list/next', requirement: 'LST-NEXT', verdict: 'fail', expected: 'a', observed: 'b' },
});

/** Report of a run with these results beside a full set, judged with a baseline of these entries. */
export const judged = (entries: readonly BaselineEntry[], more = [failing], strict = false) =>
  judgedRun({
    header: aHeader({ options: given(strict ? { strict } : {}) }),
    results: [...fullResults(), ...more],
    baseline: { file: 'expected.yaml', entries: [...entries] },
  });

/** What the baseline says of the result of a check. */
export const outcomeOf = ({ conformance }: Report, checkId: string, family = 'alpha') =>
  conformance?.results.find((result) => result.checkId === checkId && result.family === family)?.known?.outcome;
