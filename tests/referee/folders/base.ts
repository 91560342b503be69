import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readRunFolder } from '../../../lib/records/folder/reader.ts';
import { openRunFolder } from '../../../lib/records/folder/writer.ts';
import { aCell } from '../../helpers/a-cell.ts';
import { watchedDeployment } from '../deployment.ts';
import { meddlingProxy } from '../meddler.ts';
import { LOGIN_ENV } from '../run-scenario.ts';
import { watchedProcess } from '../watched-process.ts';

/** Seed of the deployment that all folders are of. */
export const BASE_SEED = 1;

/** Records a run against a deployment that keeps what it says it deleted, and adds a folder with a cell. */
export async function baseFolders() {
  const folder = mkdtempSync(join(tmpdir(), 'ers-referee-base-'));
  /** A conformance run whose deletes did nothing. */
  const run = join(folder, 'run');
  const deployment = await watchedDeployment(BASE_SEED);
  const armed = [{ id: 'delete/without-effect', after: 0, most: 1_000_000, share: 1, seed: 1 }];
  const proxy = await meddlingProxy(armed, deployment, 'http://127.0.0.1:9');
  const anc = ['--endpoints', deployment.pool, '--policy', deployment.policy];
  await watchedProcess(
    [
      ...['conformance', '--base-url', proxy.baseUrl, '--mode', 'full', ...anc],
      ...['--family', 'sgt', '--check', 'record/', '--out', run],
    ],
    LOGIN_ENV,
    120,
  );
  const left = deployment.records().filter(({ record }) => !deployment.foreignIds().has(record.id));
  await proxy.close();
  await deployment.close();
  /** A run with a load cell. */
  const cells = join(folder, 'cells');
  cpSync(run, cells, {
    recursive: true,
    filter: (path) => !/(results|exchanges|journal)\.ndjson$|(run|end|catalogue|dialect)\.json$/.test(path),
  });
  const { header, catalogue, end } = readRunFolder(run);
  const writer = openRunFolder(cells);
  writer.header({ ...header, command: 'load' });
  writer.catalogue(catalogue);
  const cell = aCell();
  writer.cell(cell.facts, cell.samples);
  if (end !== null) writer.end(end);
  writer.close();
  return { run, cells, left, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
/** Run folders as they are before anybody tampers with them, and what their run left on its deployment. */
export type BaseFolders = Awaited<ReturnType<typeof baseFolders>>;
