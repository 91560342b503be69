import { describe, expect, it } from 'vitest';
import { listChecks } from '../../../conformance/checks/list/checks.ts';
import { VARIATIONS } from '../../../reference/variations/table.ts';
import { runOnReference } from '../../helpers/reference-run.ts';

const accusing = (verdict: string): boolean => ['fail', 'warn', 'error'].includes(verdict);

describe.concurrent('list checks on the embedded deployment', () => {
  it('judge what is there where nothing may be written', async () => {
    const { results, requests } = await runOnReference({}, { mode: 'read-only', seed: 1 }, listChecks);
    expect(Object.keys(requests)).toEqual(['GET']);
    expect(results.filter(({ verdict }) => accusing(verdict))).toEqual([]);
    expect(results.filter(({ verdict }) => verdict === 'pass').length).toBeGreaterThan(400);
  });

  it.each(VARIATIONS)('accuse nobody for $id ($title)', async ({ id }) => {
    const { results } = await runOnReference(
      { variations: [id] },
      { mode: 'own-data', seed: 2, families: ['sgt'] },
      listChecks,
    );
    expect(results.filter(({ verdict }) => accusing(verdict))).toEqual([]);
  });
});
