import { execFileSync } from 'node:child_process';
import pc from 'picocolors';
import { describe, expect, it } from 'vitest';
import { summaryLines } from '../../../cli/output/summary.ts';
import { because } from '../../../lib/judge/answer/statement.ts';
import { judge } from '../../../lib/judge/judge.ts';
import type { BaselineEntry } from '../../../lib/records/baseline.ts';
import type { RunRecords } from '../../../lib/records/folder/reader.ts';
import { entry, failing, judged } from '../../helpers/a-baseline.ts';
import { cellOf } from '../../helpers/a-cell-report.ts';
import { judgedRun } from '../../helpers/a-report.ts';
import { aHeader, anEnd, aResult, aRun, fullResults, given } from '../../helpers/a-run.ts';

const paint = pc.createColors(false);
const residue = [{ family: 'sgt', id: '1', name: 'cfm-1', command: 'DELETE' }];
const LEFT = anEnd({ cleanup: { created: 1, removed: 0, residue } });
const nextOf = (folder: string, header = aHeader(), more: Partial<RunRecords> = {}) =>
  summaryLines(judgedRun({ header, results: fullResults(), ...more }), folder, paint).at(-1);

describe('the next command after a run', () => {
  const { runId } = aHeader();

  it('names the run by its id where report open looks for it, and else by its folder', () => {
    expect(nextOf(`runs/${runId}`)).toBe(`next: ers-harness report open ${runId}`);
    expect(nextOf('runs/nightly')).toBe('next: ers-harness report open runs/nightly');
    expect(nextOf(`/elsewhere/${runId}`)).toBe(`next: ers-harness report open /elsewhere/${runId}`);
  });

  it('repeats what is unclear with what leads to the deployment, unless it was not reached', () => {
    const header = aHeader({ mode: 'own-data', options: given({ ca: 'ca.pem', insecure: true, allowHttp: false }) });
    const results = [...fullResults(), aResult({ checkId: 'list/few', verdict: 'inconclusive', reason: 'few' })];
    const where = `--base-url ${header.target.baseUrl} --ca ca.pem --insecure`;
    const replay = 'report replay runs/nightly list/few --family alpha --mode own-data';
    expect(nextOf('runs/nightly', header, { results })).toBe(`next: ers-harness ${replay} ${where}`);
    const cut = nextOf('runs/nightly', header, { results, end: anEnd({ signal: 'SIGINT' }) });
    expect(cut).toBe('next: ers-harness report open runs/nightly');
  });

  it('repeats nothing that rests on an expected failure', () => {
    const rests = aResult({ checkId: 'list/after', verdict: 'inconclusive', blockedBy: 'list/next|alpha' });
    const text = summaryLines(judged([entry()], [failing, rests]), 'runs/nightly', paint).at(-1);
    expect(text).toBe('next: ers-harness report open runs/nightly');
  });

  it('removes what was left, with the endpoints and the policy that the run was given', () => {
    const header = aHeader({ options: given({ endpoints: 'pool.txt', policies: ['Load-Test'] }) });
    const pool = '--endpoints pool.txt --policy Load-Test';
    const sweep = `sweep --journal runs/nightly --base-url ${header.target.baseUrl} ${pool}`;
    expect(nextOf('runs/nightly', header, { end: LEFT })).toBe(`next: ers-harness ${sweep}`);
  });

  it('is one command of a shell, whatever a record from elsewhere says of target, endpoints and policy', () => {
    const [baseUrl, endpoints, policy] = ['https://x; touch FILE', '02:00:00:00:00:00+1`id`', "$(touch 'FILE')"];
    const given3 = aHeader({ options: given({ endpoints, policies: [policy] }) });
    const header = { ...given3, target: { ...given3.target, baseUrl } };
    const line = nextOf('runs/a b', header, { end: LEFT })?.replace('next: ', '');
    const words = execFileSync('sh', ['-c', `set -- ${line}; printf '%s\\n' "$@"`], { encoding: 'utf8' });
    expect(words.split('\n')).toEqual(expect.arrayContaining(['runs/a b', baseUrl, endpoints, policy]));
  });
});

it('a reason that would have led to another exit code than that of the run is told beside it', () => {
  const report = judgedRun({ results: fullResults() });
  const reasons = [5, 4, 0].map((code) => ({ ...because(code as 5, `because of ${code}`) }));
  const ended = { ...report, exit: { ...report.exit, code: 5 as const }, answer: { ...report.answer, reasons } };
  const told = summaryLines(ended, 'runs/nightly', paint).filter((line) => line.includes('because of'));
  expect(told).toEqual(['exit 5: because of 5', 'also: because of 4', 'note: because of 0']);
});

describe('the last word on a run', () => {
  const wordOn = (entries: readonly BaselineEntry[], results: Parameters<typeof judged>[1]) =>
    summaryLines(judged(entries, results), 'runs/nightly', paint).find((line) => /\(exit \d\)$/.test(line));

  it('is the headline of its report, with the baseline in it where only that is at fault', () => {
    const passing = aResult({ checkId: 'list/next', requirement: 'LST-NEXT', verdict: 'pass' });
    const better = 'Better: passes now, take it out of the baseline: list/next alpha (expected.yaml) (exit 0)';
    expect(wordOn([entry()], [passing])).toBe(better);
    expect(wordOn([entry()], [failing])).toBe('Nothing new: 1 expected failure (exit 0)');
    expect(wordOn([], [failing])).toMatch(/^Failed: 1 new failure: .* \(1 result\) \(exit 1\)$/);
  });
});

describe('a run that a fault ended', () => {
  const fault = { kind: 'target', code: 'refused-login', message: 'GET /ers answered 401 "No": refused' } as const;
  const why = 'GET /ers answered 401 "No": refused (refused-login)';
  const linesOf = (records: Partial<RunRecords>) =>
    summaryLines(judge({ ...aRun({}), ...records }, cellOf), 'runs/nightly', paint);

  it.each(['conformance', 'load', 'capacity', 'verify'])('at first says why in its first line (%s)', (command) => {
    const none = { header: aHeader({ command }), results: [], cells: [] };
    const [first, second] = linesOf({ ...none, end: anEnd({ faults: [fault] }) });
    expect([first, second]).toEqual([`Not tested: ${why} (exit 3)`, 'report: runs/nightly/index.html']);
  });

  it('in the middle says why in the sentence, with what is left', () => {
    const endedBy = (kind: 'target' | 'generator', end = anEnd()) =>
      linesOf({ results: fullResults(), end: { ...end, faults: [{ ...fault, kind }] } });
    expect(endedBy('target', LEFT)).toContain(`Left behind: ${why}; 1 record left on the target (exit 5)`);
    expect(endedBy('target')).toContain(`Not tested: ${why} (exit 3)`);
    expect(endedBy('generator')).toContain(`Unclear: ${why} (exit 4)`);
  });
});
