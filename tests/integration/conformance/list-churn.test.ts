import { describe, expect, it } from 'vitest';
import { listChecks } from '../../../conformance/checks/list/checks.ts';
import { startForeignWriter } from '../../helpers/foreign-writer.ts';
import { runOnReference } from '../../helpers/reference-run.ts';
import { oneIn } from '../../helpers/sample.ts';

const FAMILIES = ['hotspotportal', 'portal', 'sgt'];

describe.concurrent('list checks while somebody else writes', () => {
  it.each(oneIn(2, ['own-data', 'read-only'] as const))('accuse nobody in %s mode', async (mode) => {
    const { results } = await runOnReference({}, { mode, seed: 1, families: FAMILIES }, listChecks, startForeignWriter);
    expect(results.filter(({ verdict }) => ['fail', 'warn', 'error'].includes(verdict))).toEqual([]);
    expect(results.filter(({ verdict }) => verdict === 'pass').length).toBeGreaterThan(50);
  });
});
