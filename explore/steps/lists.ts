import { isPlain } from '../../conformance/kit/list/fragments.ts';
import { shown } from '../../conformance/kit/record/record-reads.ts';
import type { Exchange } from '../../lib/client/types.ts';
import type { Family } from '../../lib/contract/types.ts';
import { memberOf } from '../../lib/contract/vendor.ts';
import { defined } from '../../lib/defined.ts';
import { isObject, isSuccess } from '../../lib/wire/answer.ts';
import { type ListWalk, pageOf, walkList, walkOf } from '../../lib/wire/list-walk.ts';
import type { Filter, FilterTypeSpelling } from '../../lib/wire/query.ts';
import type { RequestInput } from '../../lib/wire/request.ts';
import type { StepOf } from '../draw/step.ts';
import { attempt, isExcused, refusedPlain } from '../model/attempt.ts';
import type { Difference } from '../model/difference.ts';
import { expectedOf, filterOf, misplaced } from '../model/filter.ts';
import { entryDifference, repeated } from '../model/look.ts';
import { settled } from '../model/settled.ts';
import { nameOf, raise, viewOf, type World } from '../model/world.ts';
import { theirRecords } from './reads.ts';

type ListStep = StepOf<'list'>;
type Found = Omit<Difference, 'family'>;

/** A list step with everything that is not drawn. */
interface Asked {
  readonly family: Family;
  readonly filters: readonly Filter[];
  readonly sort: string | undefined;
  readonly input: RequestInput;
  /** The criteria in words, and their kinds without the values. */
  readonly words: string;
  readonly kinds: string;
}

/** How the target spells the parameter that joins by OR; undefined where nobody found out. */
function spellingOf({ context }: World): FilterTypeSpelling | undefined {
  const answer = context.run.dialect('filter-type.spelling');
  return isObject(answer) ? (answer as unknown as FilterTypeSpelling) : undefined;
}

function asked(world: World, step: ListStep): Asked {
  const spelling = spellingOf(world);
  const { context } = world;
  const view = step.view ? viewOf(world) : undefined;
  const family = (view === undefined ? undefined : context.table[view]) ?? context.family;
  const drawn = family.filters.length === 0 ? [] : step.criteria.flatMap((each) => filterOf(world, family, each) ?? []);
  const named = family.filters.find((each) => memberOf(family.name, each) === nameOf(world));
  // Joined by AND, the list can be narrowed to the records of this run.
  const isNarrow = named !== undefined && step.join !== 'or' && !world.areTheirs;
  const prefix = { field: named ?? '', operator: 'STARTSW' as const, value: context.run.prefix };
  const filters = isNarrow ? [...drawn, prefix] : drawn;
  const sort = step.sort === undefined ? undefined : family.sorts[step.sort.field % Math.max(1, family.sorts.length)];
  const kinds =
    drawn.length > 1
      ? `${drawn.length} filters by ${step.join ?? 'and'}`
      : (drawn.map(({ field, operator }) => `${field}.${operator}`)[0] ?? 'whole');
  const words = drawn.map(({ field, operator, value }) => `${field}.${operator}.${value}`);
  return {
    family,
    filters,
    sort,
    input: {
      ...(step.join === 'or' && spelling !== undefined ? { filterType: spelling } : {}),
      list: {
        filters,
        size: step.size,
        ...defined({ join: step.join }),
        ...(sort === undefined ? {} : step.sort?.descending ? { sortDsc: sort } : { sortAsc: sort }),
      },
    },
    words: `list ${words.join(` ${step.join ?? 'and'} `)}`.slice(0, 120),
    kinds: `${kinds}${sort === undefined ? '' : `, sorted by ${sort}`}${view === undefined ? '' : `, in ${view}`}`,
  };
}

/** Pages that are asked for by number at most. */
const MOST_PAGES = 60;

/** Reads the list by its links, or by numbers until a page is empty, refused or the last. */
async function walked(world: World, { family, input }: Asked, { pages, size, carried }: ListStep) {
  const { context } = world;
  let headers: RequestInput['headers'];
  const send = async (each: RequestInput): Promise<Exchange> => {
    const { exchange, sent } = await attempt(world, 'list', each, carried, { on: family.name });
    headers = sent.headers;
    return exchange;
  };
  // What the first page was taken with, the others are asked for with.
  const follow = (href: string) => context.follow(href, family.name, headers);
  const first = context.run.dialect('page.first');
  if (pages === 'links' || typeof first !== 'number') return walkList({ list: send, follow }, input);
  const read = [];
  for (let page = first; page < first + MOST_PAGES; page += 1) {
    const exchange = await send({ ...input, list: { ...input.list, page } });
    const got = pageOf(exchange);
    if (got === undefined) return walkOf(read, read.length === 0 ? { refused: exchange } : {});
    read.push(got);
    if (got.items.length === 0 || got.next === undefined) return walkOf(read);
    if (got.items.length < size) break;
  }
  return walkOf(read, { cut: 'length' });
}

/** A page that is larger than was asked for. */
function largePage({ pages }: ListWalk<Exchange>, size: number): Found | undefined {
  const large = pages.slice(0, -1).find(({ items }) => items.length > size);
  if (large === undefined) return undefined;
  return {
    requirement: 'LST-SIZE',
    what: 'size of a page',
    expected: `at most ${size} records`,
    observed: `${large.items.length}`,
  };
}

const LISTED = { name: 'list', requirement: 'LIST-GET' } as const;

/** Holds a list against the model: members, order, size of pages, each record once. */
function listDifference(world: World, step: ListStep, list: Asked, walk: ListWalk<Exchange>): Found | undefined {
  const { family, filters, sort, words, kinds } = list;
  const view = family.name === world.context.family.name ? undefined : 'VIEW-PORTAL';
  const [filter] = filters;
  const rule =
    step.criteria.length > 1 ? 'LST-FTYPE' : filter === undefined ? (view ?? 'LST-NEXT') : `FOP-${filter.operator}`;
  const large = largePage(walk, step.size);
  if (large !== undefined) return large;
  for (const each of world.held) {
    const wanted = expectedOf(family, each, filters, step.join, world.context.run.prefix);
    const items = walk.items.filter(({ id }) => id === each.id);
    if (wanted === undefined || items.length === (wanted ? 1 : 0)) {
      const [item] = items;
      const window = view === undefined ? LISTED : { name: 'view' as const, requirement: view };
      const spoiled = item === undefined ? undefined : entryDifference(world, each, item.record, window);
      if (spoiled !== undefined) return spoiled;
      continue;
    }
    const isLate = items.length > (wanted ? 1 : 0) && walk.pages[0]?.items.some(({ id }) => id === each.id) !== true;
    return {
      // Right on the first page and wrong on a later one: the link to it lost something.
      requirement: isLate ? 'LST-NEXT' : rule,
      what: kinds,
      expected: `${words} ${wanted ? 'to hold' : 'not to hold'} ${each.id} with ${shown(each.fields)}`,
      observed: `${items.length} times among ${walk.ids.length}`,
    };
  }
  const ghost = world.gone.find(({ id }) => walk.ids.includes(id));
  if (ghost !== undefined)
    return {
      requirement: 'SVC-1',
      what: `${kinds} after a delete`,
      expected: 'no removed record',
      observed: ghost.id,
    };
  const wrong =
    sort === undefined ? undefined : misplaced(world, family, sort, step.sort?.descending === true, walk.ids);
  return wrong === undefined
    ? undefined
    : { requirement: 'LST-SORT', what: kinds, expected: `${sort} in order`, observed: wrong };
}

/** A list that was refused: only where nothing in it could be the reason. */
async function refused(world: World, list: Asked, exchange: Exchange): Promise<void> {
  // How AND is spelled is not shown, and it need not be said.
  if (isExcused(exchange) || list.input.list?.join === 'and') return;
  const isOpen = list.filters.some(({ operator, value }) => operator === 'GT' || operator === 'LT' || !isPlain(value));
  if (isOpen) return;
  const again = await world.context.send('list', list.input, list.family.name);
  if (!isSuccess(again) && world.lessons.accepted.has('list')) refusedPlain(world, 'list', again);
}

/** Asks for a list and holds it against the model. */
export async function listStep(world: World, drawn: ListStep): Promise<void> {
  const isOpen = drawn.join === 'or' && spellingOf(world) === undefined;
  const step: ListStep = isOpen ? { ...drawn, join: undefined } : drawn;
  const list = asked(world, step);
  const look = async (): Promise<Found | undefined> => {
    const walk = await walked(world, list, step);
    if (walk.refused !== undefined) {
      await refused(world, list, walk.refused);
      return undefined;
    }
    world.lessons.accepted.add('list');
    return walk.cut === 'length' ? repeated(world, walk) : listDifference(world, step, list, walk);
  };
  const found = (await settled(world, look)) ?? (step.twice ? await settled(world, look) : undefined);
  if (found === undefined) return;
  if (world.areTheirs) {
    // Others may have written meanwhile: the model is taken anew.
    world.lessons.theirs = await theirRecords(world);
    world.held.splice(0, world.held.length, ...world.lessons.theirs);
    if ((await settled(world, look)) === undefined) return;
  }
  raise(world, found);
}
