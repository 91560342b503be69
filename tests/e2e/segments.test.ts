import { cpSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Report } from '../../lib/records/report.ts';
import { reportIn, runCli, type ServedDeployment, scratchFolder, serveCli } from '../helpers/cli.ts';

const scratch = scratchFolder();
const at = (...path: string[]) => join(scratch.path, ...path);
const segment = (number: number) => at('run', 'records/segments', String(number));
let served: ServedDeployment;

beforeAll(async () => {
  served = await serveCli(['--sessions', '6000']);
}, 60_000);
afterAll(async () => {
  await served.close();
  scratch.remove();
});

const read = (run: string) => reportIn(at(run));
const figures = ({ load }: Report) =>
  load?.cells.map(
    ({ scheduled, succeeded, failed, serviceTime, responseTime, buckets, facts: { counts, segments } }) => ({
      scheduled,
      succeeded,
      failed,
      serviceTime,
      responseTime,
      buckets,
      counts,
      segments,
    }),
  );

describe('a load of three segments', () => {
  it('leaves one record for each generator, whose merger is the run itself', async () => {
    const { baseUrl, endpoints, policies, env } = served;
    const what = ['--profile', '60k', '--operation', 'apply-by-mac', '--rate', '90', '--duration', '3s'];
    const where = ['--base-url', baseUrl, '--endpoints', endpoints, '--policy', policies[0] ?? ''];
    const shape = ['--segments', '3', '--connections', '30', '--out', at('run'), '--quiet'];
    const ran = await runCli(['load', ...where, ...what, ...shape], { env });
    const one = read('run');
    expect(one.load?.cells[0]?.facts.segments?.of, ran.stderr).toBe(3);
    expect(one.load?.cells[0]?.scheduled).toBe(270);
    const merged = await runCli(['report', 'merge', segment(2), segment(3), segment(1), '--out', at('merged')]);
    expect(merged.code, merged.stderr).toBe(ran.code);
    expect(figures(read('merged'))).toEqual(figures(one));
  });

  it('is never merged to less: a missing, doubled, foreign or cut segment ends with exit 3', async () => {
    const merge = (...dirs: string[]) => runCli(['report', 'merge', ...dirs, '--out', at('none')]);
    const copy = (from: string, name: string) => {
      cpSync(from, at(name), { recursive: true });
      return at(name);
    };
    const cell = join('records/cells', '60k-apply-by-mac-1');
    const doubled = copy(segment(2), 'doubled');
    const cut = copy(segment(2), 'cut');
    truncateSync(join(cut, cell, 'samples.bin'), 100);
    const unended = copy(segment(2), 'unended');
    rmSync(join(unended, 'records/end.json'));
    const foreign = copy(segment(2), 'foreign');
    const facts = join(foreign, cell, 'facts.json');
    writeFileSync(facts, readFileSync(facts, 'utf8').replace(/"planHash": "./, '"planHash": "x'));
    for (const [dirs, code] of [
      [[segment(1), segment(3)], 'segment-missing'],
      [[segment(1), segment(2), segment(3), doubled], 'segment-doubled'],
      [[segment(1), segment(2), segment(3), segment(2)], 'segment-doubled'],
      [[segment(1), cut, segment(3)], 'segment-cut'],
      [[segment(1), unended, segment(3)], 'segment-cut'],
      [[segment(1), foreign, segment(3)], 'segment-foreign'],
      [[at('run')], 'segment-foreign'],
    ] as const) {
      const { code: exit, stderr } = await merge(...dirs);
      expect([exit, stderr.match(/error \((.*?)\)/)?.[1]], stderr).toEqual([3, code]);
    }
  });
});
