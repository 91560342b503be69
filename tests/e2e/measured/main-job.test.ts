import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { GAPS } from '../../../lib/contract/requirements.ts';
import { FILES } from '../../../lib/records/folder/files.ts';
import { reportIn, runCli } from '../../helpers/cli.ts';
import { folderOfTests } from '../../helpers/folder.ts';
import { ofTests } from '../../helpers/served.ts';

// What it finds at its usual depth the run against the reference says: here nothing may run beside the load.
describe('the main job against the embedded deployment', () => {
  const folder = folderOfTests();
  const out = join(folder, 'run');
  const load = ['--profile', '60k', '--operation', 'apply-by-mac', '--duration', '3s'];
  const result = ofTests(() => runCli(['verify', ...load, '--depth', 'quick', '--out', out]));
  const report = ofTests(async () => reportIn(out));

  it('ends with exit 0, all families conformant and the cells met', () => {
    expect(result.stdout).toMatch(/12 of 12 resources passed/);
    expect(report.load?.cells.map(({ operation, verdict }) => `${operation} ${verdict}`)).toEqual(['apply-by-mac met']);
    expect(result.code).toBe(0);
    expect(report.complete).toBe(true);
  });

  it('exercises every operation and every sort cell with a witness, and at least 600 results', () => {
    const { coverage, results, counts } = report.conformance ?? {};
    expect(results?.length).toBeGreaterThanOrEqual(600);
    expect(counts).toMatchObject({ fail: 0, error: 0 });
    expect(coverage?.operations).toEqual({ exercised: 66, total: 66, untestable: 0 });
    expect(coverage?.sortCells).toEqual({ exercised: 36, total: 36, untestable: 0 });
    expect((coverage?.filterCells.exercised ?? 0) + (coverage?.filterCells.untestable ?? 0)).toBe(190);
  });

  it('gives every pass a witness, and records each gap', () => {
    const results = report.conformance?.results ?? [];
    expect(results.filter(({ verdict, witness }) => verdict === 'pass' && witness === undefined)).toEqual([]);
    const observed = results.filter(({ verdict, observations }) => verdict === 'info' && observations !== undefined);
    const seen = new Set(observed.map(({ requirement }) => requirement));
    expect(Object.keys(GAPS).filter((gap) => !seen.has(gap))).toEqual([]);
  });

  it('leaves nothing on the target', () => {
    expect(report.end?.cleanup.residue).toEqual([]);
    expect(report.end?.cleanup.created).toBeGreaterThan(0);
    expect(report.end?.cleanup.fingerprint?.equal).toBe(true);
  });

  it('renders the same report again from its records alone', async () => {
    const before = readFileSync(join(out, FILES.html), 'utf8');
    const again = await runCli(['report', 'render', out]);
    expect(again.code).toBe(0);
    expect(readFileSync(join(out, FILES.html), 'utf8')).toBe(before);
    expect(existsSync(join(out, FILES.summary))).toBe(true);
  });
});
