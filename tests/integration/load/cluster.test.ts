import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readPool } from '../../../lib/client/anc/pool.ts';
import { systemClock } from '../../../lib/clock.ts';
import { defined } from '../../../lib/defined.ts';
import { packageRoot } from '../../../lib/package-root.ts';
import { openRunFolder } from '../../../lib/records/folder/writer.ts';
import type { CellReport } from '../../../lib/records/load/load.ts';
import { checkEmitted, clusterCells } from '../../../load/kubernetes/cluster-cell.ts';
import { runLoad } from '../../../load/run/run.ts';
import { aClient } from '../../helpers/a-client.ts';
import { emitted } from '../../helpers/emitted.ts';
import { folderOfTests } from '../../helpers/folder.ts';
import { referenceOfTests } from '../../helpers/served.ts';

const home = folderOfTests();
const folder = join(home, 'emitted');
const STAND_IN = join(packageRoot(), 'tests/helpers/kubectl-stand-in.mjs');
const server = referenceOfTests({ sessions: 5_000 });

/** A cell on two runners, and the folder that is emitted for it. */
function emit(folder: string) {
  const given = { segments: 2, durationSeconds: 2, connections: 20, ratePerSecond: 50 };
  const [policy = ''] = server.policies;
  return emitted(folder, given, { baseUrl: server.baseUrl }, { pool: readPool(server.endpoints), policy });
}

/** Runs the cell with what `run.sh` of the folder is; `abort` is asked for as soon as it says something. */
async function load(
  folder: string,
  { k6, plan, pool, policy }: Awaited<ReturnType<typeof emit>>,
  abort?: AbortController,
) {
  const login = { username: server.username, password: server.password };
  const { client } = aClient(server.baseUrl, {
    ...{ mode: 'full', pool, policies: [policy] },
    target: { credentials: login },
  });
  const env = {
    ...{ PATH: process.env['PATH'], ERS_POLL: '0.2', KUBECTL: `node ${STAND_IN}` },
    ...{ STAND_IN: home, STAND_IN_K6: k6.path, STAND_IN_EMITTED: folder },
    ...{ ERS_USERNAME: login.username, ERS_PASSWORD: login.password },
  };
  const lines: string[] = [];
  const say = (line: string) => {
    lines.push(line);
    abort?.abort();
  };
  const cells: CellReport[] = [];
  const result = await runLoad(plan, {
    ...{ client, clock: systemClock, writer: openRunFolder(`${folder}-run`), env: process.env },
    ...defined({ signal: abort?.signal }),
    onProgress(told) {
      if (told.kind === 'cell-end') cells[told.index] = told.report;
    },
    k6: { path: 'grafana/k6:2.2.0', version: '2.2.0', sha256: '' },
    runCell: clusterCells({ ...{ folder, runId: 'r1', csrf: false, k6Version: '2.2.0', say }, env }),
  });
  await client.close();
  return { ...result, cells, lines };
}

describe('a load on the runners of a cluster', () => {
  it('is prepared, run, gathered, read back, judged and cleaned up like any other', async () => {
    const made = await emit(folder);
    checkEmitted(folder, made.files);
    const { lines, ...result } = await load(folder, made);
    expect([result.fault, result.cleanup.residue]).toEqual([undefined, []]);
    // What a busy machine may spoil is left out; everything else has to hold.
    const busy = ['lag', 'lag-max', 'common-start', 'k6-cpu', 'k6-cpu-max', 'throttled', 'no-drops', 'clock'];
    for (const cell of result.cells) {
      expect(cell.facts.fault).toBeUndefined();
      expect(cell.rules.filter(({ id, holds }) => holds === false && !busy.includes(id))).toEqual([]);
      expect(cell.rules.filter(({ holds }) => holds === null).map(({ id }) => id)).toEqual(
        expect.arrayContaining(['collector-cpu', 'event-loop']),
      );
      expect(cell.facts.generator).toMatchObject({ exitCode: 0, runners: { count: 2, programs: 1 } });
      expect(cell.facts.readBack.proven).toBe(cell.facts.readBack.sampled);
      expect(cell.facts.readBack.sampled).toBeGreaterThanOrEqual(20);
    }
    expect(result.cells.map(({ operation }) => operation)).toEqual(['apply-by-mac']);
    expect(lines.some((line) => line.includes('finished'))).toBe(true);
  }, 120_000);

  /** The same load with a script in place of `run.sh`. */
  async function scripted(name: string, script: string, abort?: AbortController) {
    const other = join(home, name);
    const made = await emit(other);
    writeFileSync(join(other, 'run.sh'), script);
    return load(other, made, abort);
  }

  it.each([
    ['a runner is left', 'echo "a runner may still load the target" >&2; exit 5'],
    ['the script was killed', 'echo "a runner may still load the target" >&2; kill -9 $$'],
  ])('clears nothing and tries nothing again where %s, and says so', async (name, script) => {
    const { fault, cleanup, cells, lines } = await scripted(name, script);
    const why = 'a runner may still load the target';
    expect(fault).toMatchObject({ code: 'runners-left', message: why });
    expect(cleanup).toMatchObject({ removed: 0, residue: expect.arrayContaining([expect.objectContaining({ why })]) });
    expect([cells, lines]).toEqual([[], [why]]);
  });

  it('says so too where the load was interrupted', async () => {
    const abort = new AbortController();
    const script = 'trap "exit 5" TERM; echo begun >&2; for each in $(seq 300); do sleep 0.1; done';
    const { fault, cleanup, aborted } = await scripted('interrupted', script, abort);
    expect([fault, aborted]).toEqual([expect.objectContaining({ code: 'runners-left' }), true]);
    expect(cleanup.residue.length).toBeGreaterThan(0);
  });

  it('tries a cell once that would end in the same way again', async () => {
    const { fault, cleanup, cells, lines } = await scripted('refused', 'echo "the initializer failed" >&2; exit 4');
    expect([fault, cleanup.residue, lines]).toEqual([undefined, [], ['the initializer failed']]);
    expect(cells.map(({ verdict, facts }) => [verdict, facts.attempt, facts.fault])).toEqual([
      ['invalid', 1, 'the initializer failed'],
    ]);
  });

  it('refuses a folder that other options emitted', () => {
    expect(() => checkEmitted(folder, [{ name: 'cells.txt', content: 'other' }])).toThrowError(
      expect.objectContaining({ code: 'cluster-differs' }),
    );
  });
});
