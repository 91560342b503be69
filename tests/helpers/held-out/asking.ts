import type { Op } from '../../../lib/contract/types.ts';
import { memberOf } from '../../../lib/contract/vendor.ts';
import { macOf } from '../../../lib/wire/endpoint.ts';
import { POLICIES } from '../../../reference/deployment.ts';
import { owners, rowOf, type Story, type Talk } from './talk.ts';

const grow = async (talk: Talk, family: string, count: number) => {
  for (const source of owners(family))
    for (let index = 0; index < count; index += 1)
      await talk.make(source, talk.body(source, `q-${index}`, `text ${index % 3}`));
};

/** Stories of features of queries in pairs. */
export const QUERIES: Readonly<Record<string, Story>> = {
  'queries-met': async (talk, { family }) => {
    await grow(talk, family, 4);
    const { filters, sorts } = rowOf(family);
    for (const field of filters) {
      const held = talk.recordsOf(family).flatMap((record) => record[memberOf(family, field)] ?? []);
      const [one, two, three] = [...new Set(held.map(String))];
      const pairs = [
        [`EQ.${one}`, `NEQ.${two}`],
        [`NEQ.${two}`, `EQ.${one}`],
        [`EQ.${one}`, `EQ.${two}`],
        [`NEQ.${one}`, `NEQ.${three}`],
        [`NEQ.${one}`, 'NEQ.zzz'],
      ].map((criteria) => criteria.map((criterion) => `filter=${field}.${criterion}`).join('&'));
      const orders = ['', ...sorts.flatMap((sort) => [`&sortasc=${sort}`, `&sortdsc=${sort}`])];
      for (const pair of [...pairs, `filter=${field}.NEQ.${one}`])
        for (const join of ['', '&filterType=or', '&filterType=AND'])
          for (const order of orders)
            for (const page of ['', '&size=1&page=2']) await talk.list(family, `${pair}${join}${order}${page}`);
    }
  },
  'queries-ties': async (talk, { family }) => {
    await grow(talk, family, 9);
    for (const by of ['sortasc', 'sortdsc'])
      for (const page of [1, 2, 3, 4, 5]) await talk.list(family, `${by}=description&size=2&page=${page}`);
  },
  'queries-default-size': async (talk, { family }) => {
    await grow(talk, family, 25);
    const { filters, sorts } = rowOf(family);
    for (const beside of ['', `filter=${filters[0]}.NEQ.zzz`, ...(sorts.length > 0 ? [`sortasc=${sorts[0]}`] : [])])
      await talk.list(family, beside);
  },
  'queries-while-written': async (talk, { family }) => {
    const { filters, sorts } = rowOf(family);
    for (const beside of ['', `filter=${filters[0]}.NEQ.zzz`, ...(sorts.length > 0 ? [`sortasc=${sorts[0]}`] : [])])
      await Promise.all([talk.make(family, talk.body(family, `w-${beside}`)), talk.list(family, beside)]);
  },
  'queries-between-pages': async (talk, { family }) => {
    await talk.list(family, 'size=1');
    const id = await talk.make(family, talk.body(family, 'between'));
    await talk.list(family, 'size=1&page=2');
    await talk.list(family, 'size=1');
    await talk.send(family, 'update', { id, fields: { description: 'between' } });
    await talk.list(family, 'size=1&page=2');
  },
};

const [POLICY, OTHER] = POLICIES;
const lookAtEndpoints = (talk: Talk) =>
  talk.look(
    'ancendpoint',
    talk.recordsOf('ancendpoint').map(({ id }) => id),
  );

/** Stories of who asks, and when. */
export const WHO: Readonly<Record<string, Story>> = {
  'who-later': async (talk, { family, ms }) => {
    for (const source of owners(family)) {
      const id = await talk.make(source, talk.body(source, 'later'));
      await talk.wait(Number(ms) + 15);
      await talk.look(family, [id], ['later'], 'b');
      await talk.send(source, 'update', { id, fields: talk.body(source, 'later-new') });
      await talk.wait(Number(ms) + 15);
      await talk.look(family, [id], ['later', 'later-new'], 'b');
    }
  },
  'who-reads-at-once': async (talk, { family }) => {
    const [one, two] = talk.recordsOf(family);
    await Promise.all([
      talk.send(family, 'read', { id: one?.id ?? '' }),
      talk.send(family, 'read', { id: two?.id ?? '' }, 'b'),
    ]);
    await Promise.all([talk.list(family, 'size=1'), talk.list(family, 'size=2', 'b')]);
    const byName = (record: typeof one) => talk.send(family, 'readByName', { name: String(record?.['name']) });
    await Promise.all([byName(one), byName(two)]);
  },
  'who-first': async (talk, { family, op, other, when }) => {
    const id = talk.recordsOf(family)[0]?.id ?? '';
    const use = (used: Op) => {
      if (used === 'create') return talk.make(family, talk.body(family, 'first'));
      if (used === 'update') return talk.send(family, used, { id, fields: { description: 'first' } });
      if (used === 'apply') return talk.apply('apply', { macAddress: macOf(1), policyName: POLICY });
      if (used === 'clear')
        return talk.apply('clear', { macAddress: String(talk.recordsOf(family)[0]?.['macAddress']) });
      return used === 'bulkSubmit' ? talk.bulk(family, []) : talk.send(family, used, { id });
    };
    if (when === 'after') await use(other as Op);
    await use(op as Op);
  },
  'who-applies-at-once': async (talk) => {
    const both = (work: (index: number) => Promise<unknown>) => Promise.all([work(1), work(2)]);
    const policyOf = (index: number) => (index === 1 ? POLICY : OTHER);
    await both((index) => talk.apply('apply', { macAddress: macOf(index), policyName: policyOf(index) }));
    await lookAtEndpoints(talk);
    await both((index) => talk.apply('clear', { macAddress: macOf(index) }));
    await lookAtEndpoints(talk);
    await both((index) => talk.apply('apply', { ipAddress: `10.0.0.${index}`, policyName: policyOf(index) }));
    await lookAtEndpoints(talk);
  },
  'who-applies-twice': async (talk) => {
    for (let time = 0; time < 2; time += 1) {
      await talk.apply('apply', { macAddress: macOf(1), policyName: POLICY });
      await lookAtEndpoints(talk);
    }
  },
  'who-other-case': async (talk) => {
    const mac = macOf(171);
    for (const op of ['apply', 'clear'] as const) {
      await talk.apply(op, { macAddress: mac.toLowerCase(), ...(op === 'apply' ? { policyName: POLICY } : {}) });
      await lookAtEndpoints(talk);
    }
  },
};

/** Links of every kind. */
export const links: Story = async (talk, { family }) => {
  const { filters, sorts } = rowOf(family);
  await talk.make(
    family,
    owners(family).length > 0 && rowOf(family).ops.includes('create') ? talk.body(family, 'linked') : {},
  );
  const filter = `&filter=${filters[0]}.NEQ.zzz`;
  for (const beside of ['', filter, ...(sorts.length > 0 ? [`&sortasc=${sorts[0]}`] : [])])
    for (const page of [1, 2]) await talk.list(family, `size=1&page=${page}${beside}`);
  await talk.list(family, 'size=2');
  for (const { id } of talk.recordsOf(family)) await talk.send(family, 'read', { id });
};
