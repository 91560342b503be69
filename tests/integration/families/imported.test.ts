import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadFamilies } from '../../../lib/families/read.ts';
import { dropFamilies, importedFrom, SWAGGER } from '../../helpers/a-definition.ts';
import { HANGING, SEQUENCE, SEVERAL, VISITOR } from '../../helpers/odd-definitions.ts';
import { runOnReference } from '../../helpers/reference-run.ts';
import { ofTests } from '../../helpers/served.ts';

const OPTIONS = { mode: 'full', seed: 3, depth: 'quick', families: ['gadget'], visibilityMs: 300 } as const;

/** Checks that look at what by-name writes, lists, nested members and bulk do; the whole takes a minute. */
const CHECKS = [
  ...['operation/', 'record/', 'named/', 'list/', 'schema/'],
  ...['filter/operator', 'xml/fields', 'bulk/', 'version/'],
];

describe('an imported family', () => {
  const clean = ofTests(() => {
    loadFamilies([importedFrom(SWAGGER).file], {});
    return runOnReference({}, { ...OPTIONS, checks: CHECKS });
  });
  afterAll(() => dropFamilies(['gadget']));

  it('is served and checked with no word of it in the code, and every operation is really tried', () => {
    const open = clean.results.filter(({ verdict }) => !['pass', 'info', 'not-applicable'].includes(verdict));
    expect(
      open.map(({ checkId, variant, verdict, reason, observed }) => ({ checkId, variant, verdict, reason, observed })),
    ).toEqual([]);
    const tried = clean.results.filter(({ checkId }) => checkId.startsWith('operation/')).map(({ variant }) => variant);
    expect(tried).toEqual(
      expect.arrayContaining(['readByName', 'updateByName', 'deleteByName', 'bulkSubmit', 'version']),
    );
    const stored = clean.results.find((each) => each.checkId === 'record/update-fields' && each.variant === 'settings');
    expect(stored).toMatchObject({ verdict: 'pass', level: 'implied' });
    expect(clean.cleanup.residue).toEqual([]);
  });

  it('is sent secrets that no answer shows', () => {
    const sent = clean.exchanges.filter(
      ({ method, requestBody }) => method === 'POST' && requestBody?.includes('"sharedSecret"'),
    );
    expect(sent.length).toBeGreaterThan(0);
    for (const { requestBody } of sent)
      expect(requestBody).toMatch(/"sharedSecret":"\[redacted\]","wrapEncryptionKey":"\[redacted\]"/);
    expect(clean.exchanges.filter(({ responseBody }) => responseBody?.includes('sharedSecret'))).toEqual([]);
    expect(JSON.stringify([clean.results, clean.histories, clean.exchanges])).not.toContain('Aa1.');
  });

  it('fails for what its definition states, and warns for what only the specification of the twelve does', async () => {
    const verdicts = async (defects: readonly string[], checks: readonly string[]) => {
      const { results } = await runOnReference({ defects }, { ...OPTIONS, checks });
      return [...new Set(results.map(({ verdict }) => verdict))].filter(
        (verdict) => verdict === 'fail' || verdict === 'warn',
      );
    };
    // A delete that does nothing breaks a published operation; what a page holds no definition says.
    expect(await verdicts(['M13'], ['record/delete'])).toEqual(['fail']);
    expect(await verdicts(['M43'], ['paging/', 'list/complete'])).toEqual(['warn']);
    // A sort that is seen to do nothing has been looked at, although it saw nothing right.
    const { results } = await runOnReference({ defects: ['M39'] }, { ...OPTIONS, checks: ['sort/field'] });
    const warned = results.filter(({ verdict }) => verdict === 'warn');
    expect(warned.flatMap(({ covers }) => covers?.map(({ kind }) => kind) ?? [])).toEqual(warned.map(() => 'sort'));
    expect(warned.length).toBeGreaterThan(0);
  });
});

describe('families of odd definitions', () => {
  const names = ['visitor', 'sequence', 'nodes', 'place', 'flat', 'server'];
  beforeAll(() => loadFamilies([importedFrom(VISITOR, SEQUENCE, SEVERAL, HANGING).file], {}));
  afterAll(() => dropFamilies(names));

  it('are served and checked, whatever their definitions lack', async () => {
    const { results, cleanup } = await runOnReference({}, { ...OPTIONS, families: names, checks: CHECKS });
    const open = results.filter(({ verdict }) => ['fail', 'warn', 'error', 'inconclusive'].includes(verdict));
    expect(open.map(({ checkId, family, verdict, observed }) => ({ checkId, family, verdict, observed }))).toEqual([]);
    expect(new Set(results.map(({ family }) => family))).toEqual(new Set(names));
    // Each update sends what the record holds: nothing that is stored can be seen.
    expect(results.find((each) => each.checkId === 'record/update-fields' && each.variant === 'only')).toMatchObject({
      verdict: 'not-applicable',
    });
    expect(cleanup.residue).toEqual([]);
  });
});
