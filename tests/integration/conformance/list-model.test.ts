import { describe, expect, it } from 'vitest';
import { listChecks } from '../../../conformance/checks/list/checks.ts';
import { FAMILIES } from '../../../lib/contract/families.ts';
import type { ConformanceResult } from '../../../lib/records/conformance.ts';
import { runAgainst } from '../../helpers/conformance-run.ts';
import { LIST_DEFECTS } from '../../helpers/list-defects.ts';
import { type ListRules, startListModel } from '../../helpers/list-model.ts';
import { LIST_VARIATIONS } from '../../helpers/list-variations.ts';
import { oneIn } from '../../helpers/sample.ts';

/** A sample: the embedded deployment has most of them too. */
const DEFECTS = oneIn(4, LIST_DEFECTS);
const FORMS = oneIn(3, LIST_VARIATIONS);

async function judge(changes: Partial<ListRules> = {}): Promise<readonly ConformanceResult[]> {
  const target = await startListModel(FAMILIES, changes);
  try {
    const { results } = await runAgainst(
      { baseUrl: target.baseUrl, catalog: listChecks },
      { mode: 'own-data', seed: 1, families: ['sgt'], visibilityMs: 100 },
    );
    return results;
  } finally {
    await target.close();
  }
}
const accused = (results: readonly ConformanceResult[]): readonly string[] =>
  [
    ...new Set(
      results.filter(({ verdict }) => verdict === 'fail' || verdict === 'warn').map(({ requirement }) => requirement),
    ),
  ].sort();

describe.concurrent('list checks', () => {
  it('accuse nobody on a conforming list', async () => {
    const results = await judge();
    expect(accused(results)).toEqual([]);
    expect(results.filter(({ verdict }) => ['error', 'inconclusive', 'blocked'].includes(verdict))).toEqual([]);
  });

  it.each(FORMS)('accuse nobody where the specification is silent: $name', async ({ rules }) => {
    const results = await judge(rules);
    expect(accused(results)).toEqual([]);
    expect(results.filter(({ verdict }) => ['error', 'inconclusive', 'blocked'].includes(verdict))).toEqual([]);
  });

  it.each(DEFECTS)('find it and accuse little else: $name', async ({ violates, rules }) => {
    const results = await judge(rules);
    const found = accused(results);
    expect(results.filter(({ verdict }) => verdict === 'error')).toEqual([]);
    expect(found).toContain(violates[0]);
    expect(found.filter((each) => !violates.includes(each)).length).toBeLessThanOrEqual(1);
  });
});
