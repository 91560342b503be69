import { describe, expect, it } from 'vitest';
import type { ConformanceResult } from '../../../lib/records/conformance.ts';
import type { Mode } from '../../../lib/records/vocabulary.ts';
import type { Deviation } from '../../../reference/deviation.ts';
import { type Fields, shaping, withValue } from '../../../reference/seams.ts';
import { quickRun } from '../../helpers/reference-run.ts';
import { oneIn } from '../../helpers/sample.ts';

/** A sound deployment that holds at most so many records of each kind, or of one, all with one description if `alike`. */
function fewRecords(most: number, alike = false, only?: string): Deviation {
  return {
    install: ({ table, seams }) => {
      for (const [name, family] of Object.entries(table)) {
        if (family.viewOf !== undefined || (only ?? name) !== name) continue;
        const ids = [...seams.store.list(name).pieces()].flat().map(({ id }) => id);
        for (const id of ids.slice(most)) seams.store.remove(name, id);
        if (alike) for (const id of ids.slice(0, most)) seams.store.update(name, id, { description: 'one text' });
      }
      return {};
    },
  };
}

/** A sound deployment that holds so many security groups, with numbers, texts and truth values of many kinds. */
function manyRecords(count: number): Deviation {
  return {
    install: ({ seams }) => {
      for (let at = 0; at < count; at += 1)
        seams.store.create('sgt', {
          name: `${['site_', 'Site_', 'ZZ_'][at % 3]}${at}`,
          value: 20_000 + at,
          propogateToApic: at % 2 === 0,
          description: at < 100 ? 'same text' : `office ${(at * 7919) % 1000}`,
        });
      return {};
    },
  };
}

const FAMILIES = ['portaltheme', 'node', 'ancendpoint'];

const runs = new Map<string, Promise<readonly ConformanceResult[]>>();
/** Results of one run for each deployment and mode, whoever asks for them. */
function run(most: number, mode: Mode, alike = false): Promise<readonly ConformanceResult[]> {
  const made = () =>
    quickRun({ deviations: [fewRecords(most, alike)] }, { mode, families: FAMILIES }).then(({ results }) => results);
  const key = JSON.stringify([most, mode, alike]);
  const known = runs.get(key) ?? made();
  runs.set(key, known);
  return known;
}

const UNWANTED: ReadonlySet<string> = new Set(['fail', 'warn', 'error', 'blocked', 'inconclusive']);
const unwanted = (results: readonly ConformanceResult[]) =>
  results
    .filter(({ verdict }) => UNWANTED.has(verdict))
    .map(({ checkId, family, variant, verdict, reason, observed }) => [
      `${checkId}|${family}|${variant ?? ''}`,
      `${verdict}: ${reason ?? observed ?? ''}`,
    ]);

const hidden = (results: readonly ConformanceResult[]) => results.filter(({ verdict }) => verdict === 'not-testable');

describe.concurrent('a sound deployment with few records of its own', () => {
  it.each([
    [0, false],
    [3, true],
  ])('leaves nothing undecided with %i of a kind (alike: %s), and says what would be enough', async (most, alike) => {
    const results = await run(most, 'read-only', alike);
    expect(unwanted(results)).toEqual([]);
    expect(hidden(results).length).toBeGreaterThan(0);
    expect(hidden(results).filter(({ reason, needs }) => reason === undefined || needs === undefined)).toEqual([]);
    const families = new Set(hidden(results).map(({ family }) => family));
    expect(families.size).toBeGreaterThanOrEqual(most === 0 ? FAMILIES.length : 2);
  });

  it.each([
    ['read-only', 0],
    ['read-only', 6],
    ['full', 0],
  ] as const)('passes no pairs of conditions without having tried some (%s, %i of a kind)', async (mode, most) => {
    const pairs = (await run(most, mode)).filter(({ checkId }) => checkId.startsWith('survey/'));
    const passed = pairs.filter(({ verdict }) => verdict === 'pass');
    expect(passed.filter(({ witness }) => !((witness?.['compared'] ?? 0) > 0))).toEqual([]);
    expect(pairs.filter(({ pairs: tried }) => tried !== undefined && tried.exercised === 0 && most > 0)).toEqual([]);
    const filters = passed.filter(({ checkId }) => checkId === 'survey/filters').map(({ family }) => family);
    const expected = most > 0 ? FAMILIES : mode === 'full' ? ['portaltheme', 'ancendpoint'] : [];
    expect(filters.sort()).toEqual([...expected].sort());
  });

  it('is told from one that does not show what it holds', async () => {
    // Every second id of a list names no record: of two records one can be read.
    const deployment = { defects: ['M20'], deviations: [fewRecords(2)] };
    const { results } = await quickRun(deployment, { mode: 'read-only', families: ['portaltheme'] });
    expect(results.filter(({ needs }) => needs?.includes('different values'))).toEqual([]);
    expect(results.find(({ checkId }) => checkId === 'record/read-listed')?.verdict).toBe('fail');
  });

  it('hides nothing of the families whose records the run makes itself', async () => {
    const results = await run(0, 'full');
    expect(unwanted(results)).toEqual([]);
    expect(hidden(results).filter(({ family }) => family === 'portaltheme')).toEqual([]);
  });
});

it.each(oneIn(2, ['read-only', 'own-data'] as const))(
  'a sound deployment with hundreds of records is tested with each filter (%s)',
  async (mode) => {
    const deployment = { deviations: [manyRecords(320)] };
    const { results } = await quickRun(deployment, { mode, families: ['sgt'], checks: ['filter/', 'list/'] });
    expect(unwanted(results)).toEqual([]);
    const filters = results.filter(({ checkId, verdict }) => checkId === 'filter/operator' && verdict === 'pass');
    expect(filters.length).toBeGreaterThanOrEqual(30);
  },
);

const shownAs = (entry: (fields: Fields) => Fields) =>
  shaping((outcome) =>
    withValue(outcome, (value) =>
      Array.isArray(value['resources']) ? { ...value, resources: value['resources'].map(entry) } : entry(value),
    ),
  );

it.each([
  ['a list that tells of no id', 'smsprovider', ['list/', 'paging/'], ({ name }: Fields) => ({ name })],
  ['a node that shows no name', 'node', ['node/'], ({ name, ...others }: Fields) => ({ ...others, hostName: name })],
])('%s is accused of nothing', async (_what, family, checks, entry) => {
  const deployment = { deviations: [{ install: shownAs(entry) }] };
  const { results } = await quickRun(deployment, { mode: 'read-only', families: [family], checks });
  expect(unwanted(results)).toEqual([]);
});

it('a record in an envelope that is new with each read is compared all the same', async () => {
  let at = 0;
  const anew = (held: Fields) => {
    at += 1;
    return { status: { at }, payload: { at, held } };
  };
  const install = shaping((outcome) => (outcome.kind === 'read' ? withValue(outcome, anew) : outcome));
  const options = { mode: 'read-only', families: ['portaltheme'], checks: ['query/'] } as const;
  const { results } = await quickRun({ deviations: [{ install }] }, options);
  expect(results.map(({ verdict }) => verdict)).toContain('pass');
  expect(unwanted(results)).toEqual([]);
});

it('a run that only reads learns what joins filters by OR from a family with two records', async () => {
  const options = { mode: 'read-only', families: ['mydeviceportal', 'sgt'], checks: ['version/'] } as const;
  const { dialect } = await quickRun({ deviations: [fewRecords(1, false, 'mydeviceportal')] }, options);
  expect(dialect['filter-type.spelling']?.answer).toMatchObject({ name: 'filterType' });
});

it('a view that joins no filters leaves the records of the run to its other checks', async () => {
  const deployment = { personas: ['filtertype'], deviations: [fewRecords(2, true)] };
  const { results } = await quickRun(deployment, { families: ['portal'], checks: ['filter/type-spelling', 'sort/'] });
  expect(results.map(({ verdict }) => verdict)).toContain('fail');
  expect(results.filter(({ verdict }) => verdict === 'inconclusive')).toEqual([]);
});

it('the delete of the only portal is looked for by the name that it had', async () => {
  const { results } = await quickRun({ deviations: [fewRecords(0)] }, { families: ['portal'], checks: ['view/'] });
  expect(unwanted(results)).toEqual([]);
});

it('a filter that is refused is not said to need other records', async () => {
  const options = { mode: 'full', families: ['ancendpoint'], checks: ['filter/operator'] } as const;
  const { results } = await quickRun({ personas: ['ancfilter'] }, options);
  expect(new Set(hidden(results).map(({ reason, needs }) => `${reason} ${needs}`))).toEqual(
    new Set(['the list is refused undefined']),
  );
});
