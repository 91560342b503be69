import { describe, expect, it } from 'vitest';
import { notTestableLines } from '../../../lib/judge/conformance/not-testable.ts';
import type { ConformanceResult } from '../../../lib/records/conformance.ts';
import { judgedRun } from '../../helpers/a-report.ts';
import { fullResults } from '../../helpers/a-run.ts';

const hidden: Partial<ConformanceResult> = {
  verdict: 'not-testable',
  reason: 'one record',
  needs: 'a second record',
  covers: [],
};

/** A sound run in which some results are not testable. */
const judged = (...places: readonly number[]) =>
  judgedRun({ results: fullResults().map((one, at) => (places.includes(at) ? { ...one, ...hidden } : one)) });

describe('results that a target cannot show', () => {
  it('are no reason for a red run, and are counted apart', () => {
    const report = judged(7, 8);
    expect(report).toMatchObject({ verdict: 'proven', exit: { code: 0, reasons: [] } });
    expect(report.conformance).toMatchObject({ verdict: 'conformant', openStated: 0, counts: { 'not-testable': 2 } });
  });

  it('make their cells untestable, with the reason and what they need', () => {
    expect(judged(7).conformance?.coverage.open).toEqual([
      expect.objectContaining({ state: 'untestable', reason: 'one record; it needs a second record' }),
    ]);
  });

  it('prove nothing if they are all that would have read a record', () => {
    const results = fullResults().map((one) =>
      one.covers?.some(({ cell }) => cell.endsWith('read')) === true ? { ...one, ...hidden } : one,
    );
    const report = judgedRun({ results });
    expect(report.exit.reasons.map(({ text }) => text)).toEqual([expect.stringContaining('no record of any family')]);
    expect([report.exit.code, report.conformance?.verdict]).toEqual([4, 'inconclusive']);
  });

  it('are listed by what would make them testable', () => {
    expect(notTestableLines(judged(7, 8))).toEqual(['a second record: 2 results in alpha (filter/operator)']);
  });
});
