import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { FILES } from '../../../lib/records/folder/files.ts';
import { readRunFolder } from '../../../lib/records/folder/reader.ts';
import { CellFacts, CellReport } from '../../../lib/records/load/load.ts';
import { encodeSamples } from '../../../lib/records/load/samples.ts';
import { renderRun } from '../../../reports/render-run.ts';
import { aCell } from '../../helpers/a-cell.ts';
import { aCell as aCellReport } from '../../helpers/a-cell-report.ts';
import { aCatalogue, aHeader, anEnd } from '../../helpers/a-run.ts';

const traffic = [{ kind: 'list' as const, serviceUs: [1200], failed: 0 }];
const looks = { tried: 3, sampled: 3, proven: 3, late: 0, mismatches: [] };

/** Facts with the names of members that version 1 had. */
function asVersion1(facts: CellFacts): Record<string, unknown> {
  const { background, iteration, readBack, ...rest } = facts;
  const { inFlight, ...back } = readBack;
  return { ...rest, beside: background, round: iteration, readBack: { ...back, during: inFlight } };
}

const made = aCell(undefined, { background: traffic, iteration: 2, readBack: { inFlight: looks } });

describe('records of version 1', () => {
  let folder: string | undefined;
  afterEach(() => {
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  });

  it('are read with the present names', () => {
    expect(CellFacts.parse(asVersion1(made.facts))).toEqual(made.facts);
  });

  it('are read from a whole run folder, without damage, and rendered', () => {
    folder = mkdtempSync(join(tmpdir(), 'ers-version-1-'));
    const cell = join(folder, FILES.cells, made.facts.id);
    mkdirSync(cell, { recursive: true });
    writeFileSync(join(folder, FILES.header), JSON.stringify({ ...aHeader({ command: 'load' }), recordVersion: 1 }));
    writeFileSync(join(folder, FILES.catalogue), JSON.stringify(aCatalogue()));
    writeFileSync(join(folder, FILES.end), JSON.stringify(anEnd()));
    writeFileSync(join(cell, FILES.facts), JSON.stringify(asVersion1(made.facts)));
    writeFileSync(join(cell, FILES.samples), encodeSamples(made.samples));
    const records = readRunFolder(folder);
    expect(records.damage).toEqual([]);
    expect(records.cells[0]?.facts).toMatchObject({ background: traffic, iteration: 2, readBack: { inFlight: looks } });
    const { report, files } = renderRun(records);
    expect(report.load?.cells.map(({ facts }) => facts.id)).toEqual([made.facts.id]);
    expect(files.find(({ name }) => name === FILES.html)?.content).toContain(`60k ${made.facts.operation}`);
  });

  it('are read as judged cells too', () => {
    const { facts, serviceTime, ...report } = aCellReport();
    const judged = [{ kind: 'list', failed: 0, serviceTime }];
    const old = { ...report, serviceTime, facts: asVersion1(facts), others: judged };
    expect(CellReport.parse(old).background).toEqual(judged);
  });
});
