import { type Asked, jsonIn, type Reply, withJson } from '../exchange.ts';
import { isList, type Mutation, pick, type World } from './mutation.ts';

type Entry = Record<string, unknown>;
interface Page {
  total?: unknown;
  resources?: Entry[];
  nextPage?: unknown;
}

/** A mutation of the members of a list answer. */
function page(id: string, change: (page: Page, asked: Asked, world: World) => Page | undefined): Mutation {
  return {
    id,
    on: isList,
    answer: (given: Reply, asked, world) => {
      const root = (jsonIn(given) as { SearchResult?: Page } | undefined)?.SearchResult;
      if (given.status !== 200 || root === undefined || !Array.isArray(root.resources)) return undefined;
      const changed = change(structuredClone(root), asked, world);
      return changed === undefined ? undefined : withJson(given, { SearchResult: changed });
    },
  };
}

/** A mutation of each entry of a list, of others of somebody else if there are any. */
const entries = (id: string, change: (entry: Entry, world: World, foreign: readonly string[]) => unknown): Mutation =>
  page(id, ({ resources = [], ...rest }, { family }, world) => {
    const foreign = world.foreignIds(family);
    return { ...rest, resources: resources.map((entry) => change(entry, world, foreign) as Entry) };
  });

const link = (href: unknown) => ({ rel: 'next', href, type: 'application/json' });
const isOurs = ({ name }: Entry) => String(name ?? '').startsWith('cfm');

/** Lists that lie about what is there, how much of it, and where it goes on. */
export const LISTS: readonly Mutation[] = [
  entries('list/ids-foreign', (entry, { random }, foreign) =>
    isOurs(entry) && foreign.length > 0 ? { ...entry, id: pick(random, foreign) } : entry,
  ),
  page('list/ids-swapped', ({ resources = [], ...rest }) => {
    const ids = resources.map(({ id }) => id);
    return { ...rest, resources: resources.map((entry, at) => ({ ...entry, id: ids[(at + 1) % ids.length] })) };
  }),
  entries('list/foreign-named-as-ours', (entry, { sentNames: [...names] }) =>
    isOurs(entry) || names.length === 0 ? entry : { ...entry, name: names.at(-1) },
  ),
  page('list/foreign-added', ({ resources = [], ...rest }, { family }, world) => {
    const name = world.sentNames.at(-1);
    const foreign = world.foreignIds(family);
    if (name === undefined || foreign.length === 0) return undefined;
    const added = { id: pick(world.random, foreign), name };
    return { ...rest, total: resources.length + 1, resources: [added, ...resources] };
  }),
  page('list/total', (list, _asked, { random }) => {
    const totals = [0, -1, 1e308, '12', null, 9_007_199_254_740_991, 1_000_000, { a: 1 }, Number(list.total) + 1];
    return { ...list, total: pick<unknown>(random, totals) };
  }),
  page('list/empty', () => ({ total: 0, resources: [] })),
  page('list/filter-finds-nothing', (_list, { url }) =>
    url.includes('filter=') ? { total: 0, resources: [] } : undefined,
  ),
  page('list/filter-finds-others', ({ resources = [], ...rest }, { url }, world) => {
    if (!url.includes('filter=')) return undefined;
    const others = resources.map((entry) => ({ ...entry, name: `${world.sentNames.at(-1)}x` }));
    return { ...rest, total: resources.length, resources: others };
  }),
  page('list/ours-hidden', ({ resources = [], ...rest }) => ({
    ...rest,
    resources: resources.filter((entry) => !isOurs(entry)),
  })),
  page('list/foreign-hidden', ({ resources = [], ...rest }) => ({ ...rest, resources: resources.filter(isOurs) })),
  page('list/next-endless', (list, { url }, world) => ({
    ...list,
    nextPage: link(`${world.ownOrigin}${url}${url.includes('?') ? '&' : '?'}x=${Math.floor(world.random() * 1e9)}`),
  })),
  page('list/next-itself', (list, { url }, world) => ({ ...list, nextPage: link(`${world.ownOrigin}${url}`) })),
  page('list/next-elsewhere', (list, { url }, world) => ({
    ...list,
    nextPage: link(
      pick(world.random, [
        `${world.elsewhere}${url}`,
        `//${new URL(world.elsewhere).host}${url}`,
        `${world.ownOrigin.replace('//', `//${new URL(world.elsewhere).host}\\@`)}${url}`,
      ]),
    ),
  })),
  page('list/next-other-path', (list, { family }, world) => ({
    ...list,
    nextPage: link(
      pick(world.random, [
        ...[`${world.ownOrigin}/admin/deleteEverything`, `${world.ownOrigin}/ers/config/..;/admin`],
        `${world.ownOrigin}/ers/config/${family}/../../../x`,
        ...[`${world.ownOrigin}/ers/config/${family}/%2e%2e/%2e%2e/x`, 'javascript:alert(1)'],
        ...['file:///etc/passwd', 'http://[::1', '\u001b[2J\n::error::x\n##vso[task.setvariable]x'],
        '',
        'x'.repeat(100_000),
      ]),
    ),
  })),
  page('list/next-wrong-type', (list, _asked, world) => ({
    ...list,
    nextPage: pick(world.random, [null, 5, 'text', [], { href: 7 }, { href: null }, { href: { href: 'x' } }, true]),
  })),
  page('list/next-missing', ({ nextPage, ...rest }) => (nextPage === undefined ? undefined : rest)),
  page('list/doubled', ({ resources = [], ...rest }) => ({ ...rest, resources: [...resources, ...resources] })),
  entries('list/entries-wrong-type', (entry, { random }) =>
    pick<unknown>(random, [entry, null, 7, 'x', [], { id: 7 }, { id: null, name: {} }, { id: '\ud800' }, {}]),
  ),
  page('list/huge', (list) => ({
    ...list,
    resources: Array.from({ length: 20_000 }, (_, at) => ({
      id: `huge-${at}`,
      name: `huge ${at}`,
      description: 'x'.repeat(200),
    })),
  })),
];
