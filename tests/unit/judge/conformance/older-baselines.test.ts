import { describe, expect, it } from 'vitest';
import { expects } from '../../../../lib/judge/conformance/baseline/matching.ts';
import type { BaselineEntry } from '../../../../lib/records/baseline.ts';
import type { ResultReport } from '../../../../lib/records/report.ts';

const entry = (cause: string): BaselineEntry => ({
  ...{ cause, check: ['filter/operator', 'filter/relations'], family: 'sgt', expires: '2099-01-01' },
});

const failed = (over: Partial<ResultReport>): ResultReport => ({
  ...{ checkId: 'survey/joins', family: 'sgt', requirement: 'FOP-EQ', verdict: 'fail', formerName: 'FOP-EQ/value' },
  ...({ failure: { kind: 'records', operation: 'list', subject: 'filters and' } } as const),
  ...(over as ResultReport),
});

describe('an entry that names a cause in the older form', () => {
  it('expects that cause of a check that saw it only later, by its kind as it is recorded now', () => {
    expect(expects(entry('FOP-EQ/records'), failed({}))).toBe(true);
  });

  it.each([
    ['another requirement', { formerName: 'FOP-NEQ/records' }],
    ['another kind', { failure: { kind: 'refused', operation: 'list', subject: 'list' } as const }],
    ['another family', { family: 'node' }],
  ])('does not expect %s', (_what, over) => {
    expect(expects(entry('FOP-EQ/records'), failed(over))).toBe(false);
  });
});
