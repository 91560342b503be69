import { describe, expect, it } from 'vitest';
import { listChecks } from '../../../conformance/checks/list/checks.ts';
import { LIST_VARIATIONS, VARIATIONS } from '../../../reference/variations/table.ts';
import { runOnReference } from '../../helpers/reference-run.ts';
import { oneIn, TAKES_ALL } from '../../helpers/sample.ts';

/** Every fourth form that is about lists; all of them with ERS_TEST_DEFECTS=all, as in the selftest. */
const FORMS = TAKES_ALL ? VARIATIONS : oneIn(4, LIST_VARIATIONS);

const accusing = (verdict: string): boolean => ['fail', 'warn', 'error'].includes(verdict);

describe.concurrent('list checks on the embedded deployment', () => {
  it('judge what is there where nothing may be written', async () => {
    const options = {
      mode: 'read-only',
      seed: 1,
      families: ['portal', 'node', 'ancendpoint'],
      depth: 'quick',
    } as const;
    const { results, requests } = await runOnReference({}, options, listChecks);
    expect(Object.keys(requests)).toEqual(['GET']);
    expect(results.filter(({ verdict }) => accusing(verdict))).toEqual([]);
    expect(results.filter(({ verdict }) => verdict === 'pass').length).toBeGreaterThan(50);
  });

  it.each(FORMS)('accuse nobody for $id ($title)', async ({ id }) => {
    const { results } = await runOnReference(
      { variations: [id] },
      { mode: 'own-data', seed: 2, families: ['sgt'], depth: TAKES_ALL ? 'normal' : 'quick' },
      listChecks,
    );
    expect(results.filter(({ verdict }) => accusing(verdict))).toEqual([]);
  });
});
