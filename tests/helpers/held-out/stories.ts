import { OPERATOR_NAMES } from '../../../lib/contract/list.ts';
import { links, QUERIES, WHO } from './asking.ts';
import { owners, type Story, type Talk } from './talk.ts';

/** After each step of a record's life: all looks, an update, the looks again, a delete, and once more. */
async function ending(talk: Talk, family: string, source: string, id: string, values: readonly string[]) {
  await talk.look(family, [id], values);
  await talk.send(source, 'update', { id, fields: { ...talk.body(source, `end-${id}`, 'end') } });
  await talk.look(family, [id], [...values, `end-${id}`, 'end']);
  await talk.send(source, 'delete', { id });
  await talk.look(family, [id], values);
}

const history: Story = async (talk, { family }) => {
  for (const source of owners(family)) {
    const made = (name: string) => talk.make(source, talk.body(source, name));
    const update = (id: string, name: string, text: string) =>
      talk.send(source, 'update', { id, fields: talk.body(source, name, text) });
    const kept = await made('kept');
    await update(kept, 'kept-new', 'one');
    await update(kept, 'kept-new', 'two');
    const recased = await made('recased');
    await update(recased, 'Recased', 'three');
    const mended = await made('mended');
    await talk.send(source, 'update', { id: mended, fields: { nonsense: 1 } });
    await update(mended, 'mended-well', 'four');
    const wanted = await made('wanted');
    await talk.make(source, talk.body(source, 'wanted'));
    await talk.bulk(source, [talk.body(source, 'bulk')]);
    const bulk = talk.recordsOf(source).at(-1)?.id ?? '';
    const generated = await talk.make(source, { ...talk.body(source, 'generated'), value: -1 });
    const own = await talk.make(source, { ...talk.body(source, 'own'), id: 'abcdef01-0000-4000-8000-000000000001' });
    const names = ['kept', 'kept-new', 'one', 'two', 'recased', 'Recased', 'three', 'mended', 'mended-well', 'four'];
    for (const id of [kept, recased, mended, wanted, bulk, generated, own])
      await ending(talk, family, source, id, names);
  }
};

const texts = (talk: Talk, family: string, values: readonly string[], input: object = {}) =>
  values.reduce<Promise<unknown>>(async (before, text, index) => {
    await before;
    const id = await talk.make(family, talk.body(family, `text-${index}`, text), input);
    await talk.send(family, 'read', { id });
    const other = await talk.make(family, talk.body(family, `other-${index}`, 'before'));
    await talk.send(family, 'update', { id: other, fields: talk.body(family, `other-${index}`, text), ...input });
    await talk.send(family, 'read', { id: other });
  }, Promise.resolve());

const values: Readonly<Record<string, Story>> = {
  'values-line-break': (talk, { family }) => texts(talk, family, ['one\ntwo', 'one\r\ntwo']).then(() => undefined),
  'values-split-character': (talk, { family }) =>
    texts(
      talk,
      family,
      [64, 256, 1024, 4096].map((at) => `${'x'.repeat(at - 1)}é!`),
    ).then(() => undefined),
  'values-full-block': (talk, { family }) =>
    texts(
      talk,
      family,
      [64, 256, 1024, 4096].map((at) => `${'x'.repeat(at - 1)}y`),
    ).then(() => undefined),
  'values-empty': (talk, { family }) => texts(talk, family, ['']).then(() => undefined),
  'values-charset': async (talk, { family }) => {
    for (const format of ['json', 'xml'] as const) {
      const input = { format, headers: { contentType: `application/${format};charset=utf-8` } };
      const id = await talk.make(family, talk.body(family, `${format} Zürich 日本`), input);
      await talk.send(family, 'read', { id });
      await talk.send(family, 'update', { id, fields: talk.body(family, `${format} Köln 東京`), ...input });
      await talk.send(family, 'read', { id });
    }
    await talk.bulk(family, [talk.body(family, 'Käse 日本')], { contentType: 'application/json; charset=UTF-8' });
    for (const { id } of talk.recordsOf(family).slice(-1)) await talk.send(family, 'read', { id });
  },
  'values-number-form': async (talk, { family, field }) => {
    for (const value of [14, 16, 21, 200]) await talk.make(family, { ...talk.body(family, `n-${value}`), value });
    for (const operator of OPERATOR_NAMES)
      for (const value of ['0016', '00200']) await talk.list(family, `filter=${field}.${operator}.${value}&size=100`);
  },
  'values-minus-one': async (talk, { family, field }) => {
    for (const operator of OPERATOR_NAMES) await talk.list(family, `filter=${field}.${operator}.-1`);
  },
  'values-operator-in-dots': async (talk, { family, field }) => {
    const source = owners(family)[0] ?? family;
    const stored = ['a', 'b', 'zz'];
    for (const operator of OPERATOR_NAMES) stored.push(`a.${operator}.b`);
    for (const name of stored) await talk.make(source, talk.body(source, name));
    for (const operator of OPERATOR_NAMES) {
      await talk.list(family, `filter=${field}.${operator}.a.EQ.b&size=100`);
      await talk.list(family, `filter=${field}.${operator}.a.NEQ.b&size=100`);
    }
  },
  'values-name-like': async (talk, { family }) => {
    const source = owners(family)[0] ?? family;
    const names = ['42', '007', '1e5', 'true', 'null', '[1]', '!plain', 'zulu'];
    const ids: string[] = [];
    for (const name of names) ids.push(await talk.make(source, talk.body(source, name)));
    await talk.look(family, ids, names);
  },
};

const BASE = 'Group-one_of_a_long_beginning_x';
const ALIKE: readonly string[] = [
  `${BASE}2`,
  BASE.toUpperCase(),
  BASE.replace('-', '_'),
  `${BASE.slice(0, 28)}_y`,
  'other beginning',
];

const relations: Readonly<Record<string, Story>> = {
  'relations-other-family': async (talk, { family, by, bond, write }) => {
    const other = String(by);
    const made = async (name: string, at: string, refer: string | undefined) =>
      talk.make(at, { ...talk.body(at, name), ...(at === 'sgtvnvlan' && refer !== undefined ? { sgtId: refer } : {}) });
    const first = bond === 'referred' || bond === 'same-name' ? family : other;
    const second = first === family ? other : family;
    const one = await made('twin', first, undefined);
    const two = await made('twin', second, one);
    const [id, written] = first === family ? [one, two] : [two, one];
    if (write === 'update')
      await talk.send(other, 'update', { id: written, fields: { name: 'twin', description: 'new' } });
    if (write === 'delete') await talk.send(other, 'delete', { id: written });
    await ending(talk, family, family, id, ['twin', one]);
  },
  'relations-alike-effect': async (talk, { family }) => {
    await talk.make(family, talk.body(family, BASE));
    for (const name of ALIKE) {
      await ending(talk, family, family, await talk.make(family, talk.body(family, name)), [name, BASE]);
      await talk.send(family, 'delete', { id: await talk.make(family, talk.body(family, name)) });
      await talk.look(family, []);
    }
  },
  'relations-alike-harm': async (talk, { family }) => {
    for (const name of ALIKE) {
      const old = await talk.make(family, talk.body(family, BASE));
      const id = await talk.make(family, talk.body(family, name));
      await talk.look(family, [old, id]);
      await talk.send(family, 'update', { id, fields: { description: `about ${name}` } });
      await talk.look(family, [old, id]);
      await talk.send(family, 'delete', { id });
      await talk.look(family, [old, id]);
      await talk.send(family, 'delete', { id: old });
    }
  },
  'relations-twins': async (talk, { family, first, second }) => {
    const ids = [await talk.make(String(first), talk.body(String(first), 'twin', 'first'))];
    ids.push(await talk.make(String(second), talk.body(String(second), 'twin', 'second')));
    await talk.look(family, ids, ['twin', 'first', 'second']);
  },
};

/** A hand-made sequence of requests for the lines of each mistake. */
export const STORIES: Readonly<Record<string, Story>> = {
  'history-effect': history,
  ...values,
  ...relations,
  ...QUERIES,
  ...WHO,
  'links-next': links,
  'links-record': links,
};
