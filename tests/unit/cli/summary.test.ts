import pc from 'picocolors';
import { describe, expect, it } from 'vitest';
import { summaryLines } from '../../../cli/output/summary.ts';
import { judge } from '../../../lib/judge/judge.ts';
import type { BaselineEntry } from '../../../lib/records/baseline.ts';
import { entry, failing, judged } from '../../helpers/a-baseline.ts';
import { aCell } from '../../helpers/a-cell-report.ts';
import { aHeader, aResult, aRun, fullResults, given } from '../../helpers/a-run.ts';

const paint = pc.createColors(false);
const nextOf = (folder: string, header = aHeader()) =>
  summaryLines(
    judge(aRun({ header, results: fullResults() }), (facts) => aCell({ facts })),
    folder,
    paint,
  ).at(-1);

describe('the next command after a run', () => {
  const { runId } = aHeader();

  it('names the run by its id where report open looks for it, and else by its folder', () => {
    expect(nextOf(`runs/${runId}`)).toBe(`next: ers-harness report open ${runId}`);
    expect(nextOf('runs/nightly')).toBe('next: ers-harness report open runs/nightly');
    expect(nextOf(`/elsewhere/${runId}`)).toBe(`next: ers-harness report open /elsewhere/${runId}`);
  });

  it('removes what was left, with the endpoints and the policy that the run was given', () => {
    const header = aHeader({ options: given({ endpoints: 'pool.txt', policy: 'Load-Test' }) });
    const records = aRun({ header, results: fullResults() });
    const residue = [{ kind: 'record' as const, family: 'sgt', id: '1', name: 'cfm-1' }];
    const report = judge(records, (facts) => aCell({ facts }));
    const left = { ...report, cleanup: { ...report.cleanup, residue } } as unknown as typeof report;
    expect(summaryLines(left, 'runs/nightly', paint).at(-1)).toBe(
      `next: ers-harness sweep --journal runs/nightly --base-url ${header.target.baseUrl} --endpoints pool.txt --policy Load-Test`,
    );
  });
});

describe('the last word on a run', () => {
  const wordOn = (entries: readonly BaselineEntry[], results: Parameters<typeof judged>[1]) =>
    summaryLines(judged(entries, results), 'runs/nightly', paint).find((line) => /\(exit \d\)$/.test(line));

  it('is the headline of its report, with the baseline in it where only that is at fault', () => {
    const passing = aResult({ checkId: 'list/next', requirement: 'LST-NEXT', verdict: 'pass' });
    expect(wordOn([entry()], [passing])).toBe('Conformant, but the baseline is out of date (exit 1)');
    expect(wordOn([entry()], [failing])).toBe('Nothing new: not conformant (exit 0)');
    expect(wordOn([], [failing])).toBe('Failed: not conformant (exit 1)');
  });
});
