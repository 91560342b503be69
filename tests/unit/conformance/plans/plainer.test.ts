import { describe, expect, it } from 'vitest';
import { look, create as make, read, update } from '../../../../conformance/plans/make.ts';
import { list as asList } from '../../../../conformance/plans/obvious/looks.ts';
import { plainest } from '../../../../conformance/plans/plainer.ts';
import { PLAIN, type Step } from '../../../../conformance/steps/step.ts';

const create = (as: string, description: string): Step => ({
  ...{ step: 'create', as, name: { fresh: '%' }, set: { description, value: 9 }, form: 'xml' },
  carried: { ...PLAIN, csrf: true },
});
const list: Step = {
  step: 'look',
  look: {
    ...{ window: 'list', on: 'own', about: '#7', carried: { ...PLAIN, extra: true } },
    query: {
      criteria: [
        { field: 'name', operator: 'EQ', part: 'whole', of: '#3' },
        { field: 'value', operator: 'GT', part: 'zero' },
      ],
      ...{ join: 'or', sort: { field: 'name', descending: true }, size: 3, paging: 'number' },
    },
  },
  twice: true,
};
const again = (step: Step): Step =>
  step.step === 'look' && step.look.window === 'list' ? look({ ...step.look, again: true }) : step;
const bulk: Step = {
  ...{ step: 'bulk', action: 'update', form: 'json', who: ['a', 'b'] },
  sets: [{ description: 'one' }, { description: 'two' }],
};
const apply: Step = { ...{ step: 'apply', who: [5, 7], policy: 0, by: 'mac', spelled: 'plain' }, carried: PLAIN };
const described = (description: string) => ({ set: { description } });
const STEPS: readonly Step[] = [
  { step: 'together', steps: [create('record 1', 'a'), create('record 2', 'b')] },
  { step: 'delete', who: '#4', carried: PLAIN },
  list,
];

describe('a sequence that is made plain', () => {
  it.each([
    ['the signs', ' ,%4b', ['%4b'], 'a%4b'],
    ['one of two that are the same', 'a  b  c', ['b c'], 'a b c'],
    ['none of two that it needs', 'a  b  c', ['b  c'], 'a  b  c'],
    ['half of many signs at a time', 'a+*_-& "\'<,/\\(\n語😀%', ['<', '/'], 'a</'],
  ])('loses, of a text that the difference shows without, %s', async (_, fresh, signs, left) => {
    const shows = async (some: readonly Step[]) => signs.every((sign) => JSON.stringify(some).includes(sign));
    expect(await plainest([{ ...make('subject'), name: { fresh } }], shows, 20)).toMatchObject([
      { name: { fresh: left } },
    ]);
  });

  it('asks for a former value once, if that shows the difference too', async () => {
    const named = look(asList({ criteria: [{ field: 'name', operator: 'EQ', part: 'whole' }] }));
    const asked = [make('subject'), named, update('subject', {}, { fresh: 'b' }), again(named)];
    const last = { look: { query: { criteria: [{ part: 'former' }] } } };
    expect(
      await plainest(asked, async (some) => some.length > 2 && /former|again/.test(JSON.stringify(some))),
    ).toMatchObject([{}, {}, last]);
    const isKept = async (some: readonly Step[]) => some.length > 3 && JSON.stringify(some).includes('again');
    expect(await plainest(asked, isKept)).toMatchObject([{}, {}, {}, { look: { again: true } }]);
  });

  it('keeps what the difference needs and nothing else', async () => {
    const shows = async (steps: readonly Step[]) => {
      const text = JSON.stringify(steps);
      return text.includes('"description":"b"') && text.includes('"sort"');
    };
    expect(await plainest(STEPS, shows)).toEqual([
      { step: 'create', as: 'record 2', name: { fresh: '' }, set: { description: 'b' }, form: 'json', carried: PLAIN },
      {
        step: 'look',
        look: {
          ...{ window: 'list', on: 'own', about: '#0', carried: PLAIN },
          query: { criteria: [], sort: { field: 'name', descending: true }, paging: 'link' },
        },
      },
    ]);
  });

  it('stays as it is if it needs all of it', async () => {
    const whole = JSON.stringify(STEPS);
    expect(await plainest(STEPS, async (steps) => JSON.stringify(steps) === whole)).toEqual(STEPS);
  });

  it('has its requests one after the other', async () => {
    const two = [create('record 1', 'a'), create('record 2', 'b')];
    const shows = async (steps: readonly Step[]) => /record 1.*record 2/.test(JSON.stringify(steps));
    const plain = await plainest([{ step: 'together', steps: two }], shows);
    expect(plain.map(({ step }) => step)).toEqual(['create', 'create']);
  });

  it.each<[string, Step, (text: string) => boolean, object]>([
    ['one of its signs', create('a', 'lx <y|z'), (text) => text.includes('|'), described('a|b')],
    ['a code', create('a', '9 % of +%41 <&'), (text) => /%[0-9a-f]{2}/.test(text), described('a%4b')],
    ['a short text', create('a', 'l'.repeat(200)), (text) => text.includes('"l'), described('llllllll')],
    ['its beginning', create('a', `BA${'l'.repeat(40)}`), (text) => text.includes('BA'), described('BAlllll')],
    ['small letters', create('a', '0017'), (text) => /description":"\w/.test(text), described('aaaa')],
    ['letters as long', create('a', '|'.repeat(200)), (text) => text.length > 300, described('a'.repeat(200))],
    ['one item', bulk, (text) => /"bulk".*"two"/.test(text), { who: ['b'], sets: [{ description: 'two' }] }],
    ['an apply to one endpoint', apply, (text) => text.includes('7'), { who: [7] }],
  ])('has %s', async (_, step, shows, plain) => {
    const [only, ...more] = await plainest([step], async (steps) => shows(JSON.stringify(steps)));
    expect([only, more]).toEqual([expect.objectContaining(plain), []]);
  });

  it('has a record made as an update left it, and no other that nothing needs', async () => {
    const steps: readonly Step[] = [
      make('old'),
      make('a', {}, { of: 'old', as: 'same' }),
      update('a', {}, { fresh: '|' }),
      read('a'),
    ];
    const shows = async (some: readonly Step[]) => /"create","as":"a".*"fresh":"\|".*read/.test(JSON.stringify(some));
    const plain = await plainest(steps, shows);
    expect(plain).toEqual([make('a', {}, { fresh: '|' }), read('a')]);
  });
});
