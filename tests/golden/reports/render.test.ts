import { describe, expect, it } from 'vitest';
import { renderReport } from '../../../reports/render-run.ts';
import { aMixedReport, aMixedRun } from '../../helpers/a-report.ts';

const records = aMixedRun();
const files = renderReport(aMixedReport(records), records.exchanges);

describe('the reports of a fixed run', () => {
  it.each(files.map(({ name }) => name))('are byte for byte the committed ones: %s', async (name) => {
    const content = files.find((file) => file.name === name)?.content ?? '';
    await expect(content).toMatchFileSnapshot(`__snapshots__/${name}`);
  });

  it('are the same when they are rendered again', () => {
    expect(renderReport(aMixedReport(aMixedRun()), records.exchanges)).toEqual(files);
  });
});
