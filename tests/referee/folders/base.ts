import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readRunFolder } from '../../../lib/records/folder/reader.ts';
import { aCell } from '../../helpers/a-cell.ts';
import { writeRun } from '../../helpers/a-run.ts';
import { LOGIN_ENV, onStage } from '../run-scenario.ts';
import { watchedProcess } from '../watched-process.ts';

/** Seed of the deployment that all folders are of. */
export const BASE_SEED = 1;

/** Records a run against a deployment that keeps what it says it deleted, and adds a folder with a cell. */
export async function baseFolders() {
  const folder = mkdtempSync(join(tmpdir(), 'ers-referee-base-'));
  /** A conformance run whose deletes did nothing. */
  const run = join(folder, 'run');
  const armed = [{ id: 'delete/without-effect', after: 0, most: 1_000_000, share: 1, seed: 1 }];
  const left = await onStage(BASE_SEED, armed, async ({ deployment, proxy }) => {
    const own = ['--mode', 'full', '--endpoints', deployment.pool, '--policy', deployment.policy, '--out', run];
    const what = ['--base-url', proxy.baseUrl, '--family', 'sgt', '--check', 'record/'];
    await watchedProcess(['conformance', ...what, ...own], LOGIN_ENV, 120);
    return deployment.records().filter(({ record }) => !deployment.foreignIds().has(record.id));
  });
  /** A run with a load cell. */
  const cells = join(folder, 'cells');
  const { header, catalogue, end } = readRunFolder(run);
  writeRun(cells, { header: { ...header, command: 'load' }, catalogue, cells: [aCell()], end });
  cpSync(run, cells, {
    recursive: true,
    filter: (path) => !/(results|exchanges|journal)\.ndjson$|(run|end|catalogue|dialect)\.json$/.test(path),
  });
  return { run, cells, left, close: () => rmSync(folder, { recursive: true, force: true }) };
}
/** Run folders as they are before anybody tampers with them, and what their run left on its deployment. */
export type BaseFolders = Awaited<ReturnType<typeof baseFolders>>;
