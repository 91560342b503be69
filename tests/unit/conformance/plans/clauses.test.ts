import { describe, expect, it } from 'vitest';
import type { Subject } from '../../../../conformance/kit/fault.ts';
import { thresholdWords } from '../../../../conformance/kit/threshold.ts';
import { boundsOf, pinned } from '../../../../conformance/plans/bounds.ts';
import { clausesOf } from '../../../../conformance/plans/clauses.ts';
import { create, look, read, remove, update } from '../../../../conformance/plans/make.ts';
import { list } from '../../../../conformance/plans/obvious/looks.ts';
import { PLAIN, type Step, type StepOf } from '../../../../conformance/steps/step.ts';
import { FAMILIES } from '../../../../lib/contract/families.ts';
import type { Op } from '../../../../lib/contract/types.ts';
import { aDifference } from '../../../helpers/histories.ts';

const bulk = (who: readonly string[], carried = PLAIN): Step => ({
  ...{ step: 'bulk', carried, action: 'update', form: 'json', who, sets: who.map(() => ({ description: 'abc' })) },
});

describe('what is left of a sequence, in clauses', () => {
  const a = create('a');
  const CASE = { of: 'a', as: 'other case' } as const;
  const NAMED = { field: 'name', operator: 'EQ', part: 'whole' } as const;
  const SAME = create('a', {}, { of: 'b', as: 'same' });
  const TAKEN: Step = { step: 'wrong', request: 'create taken', who: 'a' };
  const joined = look({ ...list({ criteria: [NAMED], join: 'or' }), about: 'a' });
  const inXml = look({ window: 'read', who: 'a', form: 'xml', carried: PLAIN }, true);
  it.each<[Op, Subject, readonly Step[], ...string[]]>([
    ['update', 'record', [a, update('a'), read('a')]],
    ['update', 'record', [a, update('a', {}, { fresh: '' }), read('a')], 'the record is renamed'],
    ['update', 'record', [a, update('a', {}, { fresh: '' }), update('a'), read('a')], 'the record was renamed'],
    ['update', 'record', [a, update('a', {}, CASE)], 'the record is given its own name in other case'],
    ['delete', 'record', [a, update('a'), remove('a')], 'the record was updated'],
    ['update', 'record', [a, { ...update('a'), back: true }], 'the record is given back the texts that it had first'],
    ['update', 'record', [a, update('a'), update('a'), update('a'), read('a')], 'the record was updated 2 times'],
    ['update', 'refusal status', [a, { step: 'wrong', request: 'update taken', who: 'a' }], 'its name was taken'],
    ['create', 'record', [a, TAKEN], 'a create was refused before because its name was taken'],
    ['create', 'record', [create('b'), remove('b'), SAME], 'its name was that of a record that was deleted'],
    [
      'update',
      'record',
      [create('a', { isReadOnly: true }), update('a', { isReadOnly: false }), read('a')],
      'the former isReadOnly is true',
      'isReadOnly is false',
    ],
    ['bulkMonitor', 'bulk id', [bulk(['a'], { ...PLAIN, csrf: true })], 'the request is sent with X-CSRF-TOKEN'],
    ['delete', 'record', [a, create('b'), remove('a'), read('a')], 'there is another record'],
    ['create', 'record', [a, create('b', {}, CASE)], 'another record has the same name in other case'],
    ['update', 'member value', [a, { ...update('a', { value: 9 }), form: 'xml' }], 'the update is sent in XML'],
    ['update', 'record', [create('a', { description: 'a b' }), update('a')], 'description holds a blank'],
    ['update', 'record', [create('a', { description: 'a  b' })], 'description holds a blank twice in a row'],
    ['update', 'record', [create('a', { description: 'abc', value: 2 }), update('a')], 'value is 2'],
    ['list', 'pages', [create('a', { value: 3 }), create('b'), look(list({ criteria: [], size: 2 }))]],
    ['list', 'filter name.EQ', [a, joined], 'filterType says OR'],
    ['bulkSubmit', 'record', [a, bulk(['a'])]],
    ['bulkSubmit', 'record', [a, create('b'), bulk(['a', 'b'])], 'the request names at least 2 records'],
    ['read', 'record', [a, inXml], 'it is read in XML', 'the same request is sent twice'],
  ])('of %s, %s: %#', (operation, subject, steps, ...expected) => {
    expect(clausesOf(steps, aDifference({ kind: 'value', operation, subject }), [])).toEqual(expected);
  });
});

describe('what a list shows', () => {
  const asked = (query: string) => [{ request: { op: 'list', path: `/ers/config/sgt?${query}` } }] as never;
  const sort = { field: 'name', descending: false };
  const about = { kind: 'records', operation: 'list' } as const;

  it('twice on one page is told by what was written, and by no sort that the list was asked for without', () => {
    const steps = [create('a'), update('a'), look({ ...list({ criteria: [], sort, size: 100 }), about: 'a' })];
    const told = (query: string) =>
      clausesOf(steps, aDifference({ ...about, subject: 'pages', times: 2 }), asked(query));
    expect(told('size=100')).toEqual(['the record was updated']);
    expect(told('size=2&page=2&sortasc=name')).toEqual([]);
  });

  it('for a header is told by that, and not by its query', () => {
    const carried = { ...PLAIN, mediaType: true };
    const criteria = [{ field: 'name', operator: 'EQ', part: 'whole' }] as const;
    const steps = [create('a'), look({ ...list({ criteria, size: 20 }), about: 'a', carried })];
    const told = clausesOf(
      steps,
      aDifference({ ...about, subject: 'filter name.EQ' }),
      asked('filter=name.EQ.a&size=20'),
    );
    expect(told).toEqual(['it is asked for with ERS-Media-Type']);
  });
});

it.each<[string, readonly Step[], ...string[]]>([
  ['value.EQ.7', [create('a', { value: 7 }), create('b', { value: 7 })], 'there is another record'],
  ['value.EQ.7', [create('a', { value: 7 })], 'value is 7'],
  ['description.STARTSW.abc1', [create('a', { description: 'abc12' })]],
  ['description.STARTSW.abc1', [create('a', { description: 'x1' })], 'description is "x1"'],
])('what the filter %s shows says nothing: %#', (filter, steps, ...expected) => {
  const asked = { request: { op: 'list', path: `/ers/config/sgt?filter=${filter}` } } as never;
  const [field = '', operator] = filter.split('.') as [string, 'EQ'];
  const about = { kind: 'records', operation: 'list', subject: `filter ${field}.${operator}` as Subject } as const;
  const joined = { field: 'name', operator: 'LT', part: 'other case' } as const;
  const looked = look(list({ criteria: [{ field, operator, part: 'whole' }, joined] }));
  const told = clausesOf([...steps, looked], aDifference(about), [asked], new Map(), 'a');
  expect(told).toEqual(expected);
});

const { sgt } = FAMILIES;
const known = (fields: object, former = {}) =>
  ({ family: 'sgt', id: '1', isLive: true, fields, former, last: {} }) as never;
const made = new Map([['a', known({ name: `cfm12345${'z'.repeat(70)}`, value: 7 }, { value: [9, 40_000] })]]);

type Write = StepOf<'create'> | StepOf<'update'>;
const sent = (steps: readonly Step[]) => Object.assign({}, ...steps.map((step) => (step as Write).set));

type Shows = (steps: readonly Step[]) => boolean;
async function bounds(steps: readonly Step[], shows: Shows, taken: readonly number[] = []) {
  const isTaken = async (_: string, number: number) => taken.includes(number);
  const found = await boundsOf(sgt, steps, made, async (some) => shows(some), isTaken);
  return [...found].map(([member, bound]) => `${member} ${typeof bound === 'object' ? thresholdWords(bound) : bound}`);
}

describe('from which size on what a sequence sends matters', () => {
  it('is told of texts, numbers and lists', async () => {
    const set = { description: 'l'.repeat(4096), value: 50_000, defaultSGACLs: [{}, {}, {}, {}] };
    const shows = (steps: readonly Step[]) => {
      const { description, value, defaultSGACLs } = sent(steps);
      return description.length > 255 && value > 32_767 && defaultSGACLs.length > 2;
    };
    expect(await bounds([create('a', set), read('a')], shows)).toEqual([
      'description at least 256',
      'value at least 32768',
      'defaultSGACLs at least 3',
    ]);
  });

  it('is not told of a text if any character beyond ASCII matters', async () => {
    const lost = async (sign: RegExp) =>
      bounds([create('a', { description: 'aüb' })], (steps) => sign.test(sent(steps).description));
    expect(await lost(/[^ -~]/)).toEqual(['description beyond ASCII']);
    expect(await lost(/[ü網]/)).toEqual([]);
  });

  it('is not told of a name whose shorter ends lack a capital, digit or sign of it', async () => {
    const shows: Shows = ([step]) => /[A-Z]/.test((step as { name: { fresh: string } }).name.fresh);
    expect(await bounds([create('a', {}, { fresh: 'Aed Caseb' })], shows)).toEqual(['name undefined']);
    const difference = aDifference({ kind: 'value', operation: 'create', subject: 'record' });
    const told = clausesOf([create('a', {}, { fresh: 'AedaCase' }), read('a')], difference, []);
    expect(told).toEqual(['its name holds a capital letter']);
  });

  it('is told of texts that begin alike by what they have in common', async () => {
    const steps = ['4b', '47'].map((end, at) => create(`${at}`, { description: `w${'l'.repeat(4000)}${end}` }));
    const shows: Shows = (some) =>
      new Set(some.map((step) => String((step as Write).set['description']).slice(0, 64))).size === 1;
    expect(await bounds(steps, shows)).toEqual(['description at least 65']);
    const asked = aDifference({ kind: 'records', operation: 'list', subject: 'filter description.EQ' });
    const found = new Map([['description', { shows: 65, not: 64 }]]);
    expect(clausesOf([...steps, look(list({ criteria: [] }))], asked, [], found, '0')).toEqual([
      'description is at least 65 characters long',
      'there is another record whose description begins alike',
    ]);
  });

  it('is not told of a number that does not matter, and of one that others have next to it', async () => {
    const steps = [create('a', { value: 50_000 })];
    expect(await bounds(steps, () => true)).toEqual(['value undefined']);
    expect(await bounds(steps, (some) => sent(some).value === 50_000)).toEqual(['value undefined']);
    expect(await bounds(steps, (some) => sent(some).value > 10_000, [2, 3])).toEqual(['value at least 10001']);
    expect(await bounds(steps, (some) => sent(some).value > 10_000, [2, 3, 4, 5])).toEqual(['value undefined']);
  });
});

it('numbers that nobody asked for are those that the records were first given, and others stay', () => {
  const steps = [create('b'), update('a')];
  const first = create('a', { value: 40_000, description: 'x' });
  expect(pinned(sgt, [create('a', { description: 'x' }), ...steps], made)).toEqual([first, ...steps]);
  expect(pinned(sgt, [create('a', { value: 255 })], made)).toEqual([create('a', { value: 255 })]);
});
