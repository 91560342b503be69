import { describe, expect, it } from 'vitest';
import { listChecks } from '../../../conformance/checks/list/checks.ts';
import { FAMILIES, familyNames } from '../../../lib/contract/families.ts';
import { OPERATOR_NAMES } from '../../../lib/contract/list.ts';
import { LIST_VARIATIONS, VARIATIONS } from '../../../reference/variations/table.ts';
import { runOnReference } from '../../helpers/reference-run.ts';
import { oneIn, TAKES_ALL } from '../../helpers/sample.ts';

const FILTER_FIELDS = familyNames(FAMILIES).reduce((sum, name) => sum + FAMILIES[name].filters.length, 0);
const SORT_FIELDS = familyNames(FAMILIES).reduce((sum, name) => sum + FAMILIES[name].sorts.length, 0);

/** Every other form that is about lists; all of them with ERS_TEST_DEFECTS=all, as in the selftest. */
const FORMS = TAKES_ALL ? VARIATIONS : oneIn(2, LIST_VARIATIONS);

const accusing = (verdict: string): boolean => ['fail', 'warn', 'error'].includes(verdict);

describe.concurrent('list checks on the embedded deployment', () => {
  it('exercise every filter cell and every sort cell with a witness, and accuse nobody', async () => {
    const { results, requests, cleanup } = await runOnReference({}, { mode: 'full', seed: 1 }, listChecks);
    const cells = (kind: string) =>
      new Set(
        results.flatMap(({ covers = [] }) => covers.filter((each) => each.kind === kind).map(({ cell }) => cell)),
      );
    expect(results.filter(({ verdict }) => accusing(verdict))).toEqual([]);
    expect(results.filter(({ verdict }) => verdict === 'inconclusive' || verdict === 'blocked')).toEqual([]);
    expect(cells('filter').size).toBe(FILTER_FIELDS * OPERATOR_NAMES.length);
    expect(cells('sort').size).toBe(SORT_FIELDS * 2);
    expect(cleanup.residue).toEqual([]);
    expect(cleanup.fingerprint?.equal).toBe(true);
    const sent = Object.values(requests).reduce((sum, count) => sum + count, 0);
    expect(sent / FILTER_FIELDS).toBeLessThanOrEqual(240);
  });

  it('judge what is there where nothing may be written', async () => {
    const { results, requests } = await runOnReference({}, { mode: 'read-only', seed: 1 }, listChecks);
    expect(Object.keys(requests)).toEqual(['GET']);
    expect(results.filter(({ verdict }) => accusing(verdict))).toEqual([]);
    expect(results.filter(({ verdict }) => verdict === 'pass').length).toBeGreaterThan(400);
  });

  it.each(FORMS)('accuse nobody for $id ($title)', async ({ id }) => {
    const { results } = await runOnReference(
      { variations: [id] },
      { mode: 'own-data', seed: 2, families: ['sgt'] },
      listChecks,
    );
    expect(results.filter(({ verdict }) => accusing(verdict))).toEqual([]);
  });
});
