import { describe, expect, it } from 'vitest';
import { refusalText } from '../../../../conformance/kit/answer.ts';
import { countPairs, coveringArray, eachLevel, isPossible } from '../../../../conformance/plans/pairs/coverage.ts';
import { type Model, modelOf } from '../../../../conformance/plans/pairs/factors.ts';
import { nameOf, type Setting } from '../../../../conformance/plans/pairs/row-values.ts';
import { scriptOf } from '../../../../conformance/plans/pairs/script.ts';
import { sweepRows } from '../../../../conformance/plans/pairs/sweeps.ts';
import { isParted, isTogether } from '../../../../conformance/plans/pairs/values.ts';
import type { Exchange } from '../../../../lib/client/types.ts';
import { FAMILIES } from '../../../../lib/contract/families.ts';
import type { Family, FamilyTable } from '../../../../lib/contract/types.ts';

const NONE: ReadonlyMap<string, string> = new Map();
const TARGET = { isFull: true, isTaken: () => true, isListed: () => true };
const models = ['sgt', 'sgtvnvlan', 'hotspotportal', 'node', 'ancendpoint'].map((name): readonly [string, Model] => {
  const family = (FAMILIES as FamilyTable)[name] as Family;
  return [name, modelOf(FAMILIES, family, TARGET)];
});

type Row = Readonly<Record<string, string>>;

/** The steps of a row. */
const stepsOf = (row: Row, family: Family = FAMILIES.sgt, samples: Setting['samples'] = () => ({})) =>
  scriptOf({ table: FAMILIES, family, samples, word: 'waaaa' }, row).map(({ step }) => step);

/** The texts beside the name that the row's script sends, by step. */
const textsOf = (row: Row) =>
  stepsOf(row).flatMap((step) => (step.step === 'create' && step.as === 'subject' ? [step.set['description']] : []));

it('a rename is of a record whose other texts are those of the row', () => {
  expect(textsOf({ write: 'rename', sign: 'composed' })).toEqual(['waaaaé4b']);
  expect(textsOf({ write: 'update', sign: 'composed' })).toEqual(['waaaap']);
});

it('what is kept of a record for those who read it in XML again shows: it is read so before an update, and after it', () => {
  const isSo = (step: ReturnType<typeof stepsOf>[number]) =>
    step.step === 'update' || (step.step === 'look' && step.look.window === 'read' && step.look.form === 'xml');
  expect(
    stepsOf({ write: 'update', observer: 'xml' })
      .filter(isSo)
      .map(({ step }) => step),
  ).toEqual([...['look', 'update', 'look']]);
});

describe('an update of one member', () => {
  const samples = (turn: 0 | 1) => ({ virtualnetworklist: [{ name: `vn-${turn}` }] });
  const updated = (member: string, row: Row, family: Family = FAMILIES.sgt) =>
    stepsOf({ write: `update ${member}`, ...row }, family, samples).flatMap((step) =>
      (step.step === 'create' && step.as === 'subject') || step.step === 'update' ? [step.set[member]] : [],
    );

  it('takes a truth value from the one to the other, both ways', () => {
    expect(updated('propogateToApic', { flag: 'false' })).toEqual([true, false]);
    expect(updated('propogateToApic', { flag: 'true' })).toEqual([false, true]);
  });

  it.each(['sample', 'another', 'many', 'empty'])('gives nested members another value: %s', (nested) => {
    const [before, after] = updated('virtualnetworklist', { nested }, FAMILIES.sgtvnvlan);
    expect(after).not.toEqual(before);
  });
});

it('a record that is updated and gets back what it held says so, and is read after it', () => {
  const steps = stepsOf({ write: 'create', before: 'updated and back' });
  const at = steps.findIndex((step) => step.step === 'update' && step.back);
  expect(steps[at - 1]).toMatchObject({ step: 'update' });
  expect(steps[at + 1]).toMatchObject({ step: 'look', look: { window: 'read' } });
});

const samples = (turn: 0 | 1) => ({ settings: { turn }, customizations: { turn } });
const writesOf = (row: Row) =>
  stepsOf({ write: 'rename with other changes', ...row }, FAMILIES.hotspotportal, samples).flatMap((step) =>
    step.step === 'create' || step.step === 'update' ? [step] : [],
  );

it.each(['sample', 'another', 'empty'])(
  'a rename with other changes changes the name and each other member in one update: %s',
  (nested) => {
    const [made, changed] = writesOf({ nested });
    expect(changed).toMatchObject({ step: 'update', name: { fresh: '' } });
    for (const [member, value] of Object.entries(changed?.set ?? {}))
      expect(made?.set[member], member).not.toEqual(value);
    expect(Object.keys(changed?.set ?? {})).toEqual(['description', 'settings', 'customizations']);
  },
);

describe('rows of pairs', () => {
  it.each(models)('%s: hold every pair of levels that is possible, and break no constraint', async (_, model) => {
    const count = countPairs(model);
    const rows = await coveringArray(model, 1);
    for (const row of rows) count.add(row, NONE);
    for (const levels of rows.map(Object.entries<string>))
      for (const one of levels)
        expect(levels.filter((other) => one[0] !== other[0] && !isPossible(model, one, other))).toEqual([]);
    const { exercised, possible } = count.coverage();
    expect([exercised, possible]).toEqual([possible, possible]);
  });

  /** Levels of factors that no row has. */
  const unseen = (factors: Model['factors'], rows: readonly Row[]) =>
    factors.flatMap(({ name, levels }) => levels.filter((level) => !rows.some((row) => row[name] === level)));

  it('hold each level at least once in a quick run, with a tenth of the rows', async () => {
    const model = modelOf(FAMILIES, FAMILIES.sgt, TARGET);
    const rows = await eachLevel(model, 1);
    expect(unseen(model.factors, rows)).toEqual([]);
    expect(rows.length).toBeLessThan(40);
  });

  it.each(models)(
    '%s: states that are swept hold each of their levels, in a fraction of the rows',
    async (_, model) => {
      const swept = ['meaning', 'write', 'refused', 'why refused', 'population', 'look request', 'criteria'];
      const wanted = model.factors.filter(({ name }) => swept.includes(name));
      const rows = await sweepRows(model, 'normal', 1);
      expect(unseen(wanted, rows)).toEqual([]);
      expect(rows.length).toBeLessThan(27);
      // Each operator meets each sign in a quick run too.
      const signed = (await sweepRows(model, 'quick', 1)).filter(({ sign }) => sign === 'dense');
      expect(signed).toHaveLength(model.factors.some(({ name }) => name === 'sign') ? 1 : 0);
    },
  );

  it('differ by the seed, and are the same for the same one', async () => {
    const model = modelOf(FAMILIES, FAMILIES.portaltheme, TARGET);
    const [one, same, other] = await Promise.all([1, 1, 2].map((seed) => coveringArray(model, seed)));
    expect(one).toEqual(same);
    expect(one).not.toEqual(other);
  });
});

const [WRITE, SORT] = [
  { name: 'write', levels: ['create', 'update', 'rename'] },
  { name: 'sort', levels: ['none', 'name'] },
];
const model = { factors: [WRITE, SORT], fixed: {}, constraints: [] };

const refused = (title: string, op = 'update', status = 400): Exchange =>
  ({ request: { op }, status, body: '', json: { ERSResponse: { messages: [{ title }] } } }) as unknown as Exchange;

describe('pairs of conditions of a family', () => {
  it('count once they came about, whatever was refused before', () => {
    const count = countPairs(model);
    count.add({ write: 'update', sort: 'name' }, new Map([['write', 'no update']]));
    expect(count.coverage()).toMatchObject({ factors: 2, levels: 5, possible: 6, exercised: 0 });
    count.add({ write: 'update', sort: 'name' }, new Map());
    expect(count.coverage()).toMatchObject({ exercised: 1, missing: { 'not tried': 5 } });
  });

  it('say what keeps the others away, by reason', () => {
    const count = countPairs(model);
    for (const sort of ['none', 'name']) count.add({ write: 'rename', sort }, new Map([['write', 'no rename']]));
    count.add({ write: 'update', sort: 'name' }, new Map([['sort', 'x'.repeat(500)]]));
    expect(count.coverage().missing).toEqual({ 'not tried': 3, 'no rename': 2, [`${'x'.repeat(119)}…`]: 1 });
  });

  it('tell a bounded number of reasons apart', () => {
    const levels = Array.from({ length: 40 }, (_, at) => `level ${at}`);
    const count = countPairs({ ...model, factors: [{ name: 'write', levels }, SORT] });
    for (const [at, write] of levels.entries())
      count.add({ write, sort: 'none' }, new Map([['write', `reason number ${at}`]]));
    const { missing, possible } = count.coverage();
    expect(Object.keys(missing)).toHaveLength(13);
    expect(Object.values(missing).reduce((sum, number) => sum + number, 0)).toBe(possible);
  });
});

it.each([
  [refused("name 'CFM0A4H2U7RZAACABD'B' already exists"), 'update answered 400: name … already exists'],
  [refused("name 'CFM0A4H2U7RZ\n and B' already exists"), 'update answered 400: name … already exists'],
  [refused('Resource 7491e769-39b0 of 3 users is locked'), 'update answered 400: Resource … of … users is locked'],
  [refused('a b c d e f g h i j', 'create', 500), 'create answered 500: a b c d e f g h'],
  [refused('', 'create', 500), 'create answered 500'],
])('a refusal reads alike for all records: %#', (exchange, text) => {
  expect(refusalText(exchange)).toBe(text);
});

const ROW = { field: 'name', meaning: 'truth', sign: 'percent' };

describe('a row in which the name and the other text hold different levels', () => {
  it('gives the name the sign, and what it looks like to the other text', () => {
    expect([isParted(ROW), 'fresh' in nameOf(ROW), 'like' in nameOf({ meaning: 'truth' })]).toEqual([true, true, true]);
  });

  it.each([
    ['name', 'sign', 'operator', true],
    ['name', 'meaning', 'operator', false],
    ['description', 'sign', 'operator', false],
    ['description', 'meaning', 'operator', true],
    // A read shows both.
    ['name', 'meaning', 'write', true],
    // Neither text is asked for.
    ['value', 'sign', 'operator', true],
  ])('asked for %s, it shows %s with %s: %s', (field, one, other, told) => {
    expect(isTogether(FAMILIES.sgt, { ...ROW, field }, one, other)).toBe(told);
  });
});

it.each([
  ['the second record, if that is the younger', 'subject', ['second', 'subject']],
  ['the subject, if the second record is older', 'second', ['subject', 'second']],
])('what is updated afterwards is at first %s: its name is like that of the other', (_, older, order) => {
  const setting = { table: FAMILIES, family: FAMILIES.sgt, samples: () => ({}), word: 'w' };
  const planned = scriptOf(setting, { write: 'create', 'second record': 'other case', older, afterwards: 'updated' });
  const updated = planned.filter(({ carries }) => carries.includes('afterwards')).map(({ step }) => step);
  expect(updated.flatMap((step) => (step.step === 'update' ? step.who : []))).toEqual(order);
});
