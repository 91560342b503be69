import type { Exchange } from '../../../../lib/client/types.ts';
import { counted } from '../../../../lib/numbers.ts';
import { isForbidden, isOverloaded, totalOf } from '../../../../lib/wire/answer.ts';
import { type ListWalk, walkList } from '../../../../lib/wire/list-walk.ts';
import type { FilterTypeSpelling, ListQuery } from '../../../../lib/wire/query.ts';
import type { RequestInput } from '../../../../lib/wire/request.ts';
import { answerText, mustDecide } from '../../../kit/answer.ts';
import type { About } from '../../../kit/fault.ts';
import { requesterOf } from '../../../kit/list/list-reader.ts';
import type { Subject } from '../../../kit/subject.ts';
import type { World } from '../world/world.ts';
import { ladenInput, type Round } from './rounds.ts';

/** An answer to a list query, read to its end. */
export interface Asked extends Pick<ListWalk<Exchange>, 'ids' | 'items' | 'pages'> {
  readonly exchanges: readonly Exchange[];
  /** What is wrong with it whatever it is asked for: refused, without an end, a record twice, a page of another size. */
  readonly fault: string | undefined;
  readonly requirement: string | undefined;
  readonly about: About | undefined;
  /** True where records came or went between its pages, so that the answer proves nothing. */
  readonly isMoved: () => Promise<boolean>;
}

/** Spelling that joins by OR, as the probe of the dialect found it. */
export function orSpelling({ context }: World): FilterTypeSpelling | undefined {
  const found = context.run.dialect('filter-type.spelling');
  return typeof found === 'object' && found !== null && 'or' in found ? (found as FilterTypeSpelling) : undefined;
}

/** Exchanges of one answer that are kept to show it. */
const KEPT = 4;

const about = (kind: About['kind'], subject: Subject): About => ({ kind, operation: 'list', subject });

function faultOf(world: World, walk: ListWalk<Exchange>, { size, filters }: ListQuery) {
  const { refused, cut, pages, ids } = walk;
  const known = new Set(world.records.map(({ id }) => id));
  if (refused !== undefined) {
    const isLater = pages.length > 0;
    const asked = (filters?.length ?? 0) > 0 ? 'LST-FILT' : `OP-${world.family.name}-L`;
    const [filter] = filters ?? [];
    const subject = isLater
      ? 'pages'
      : filter === undefined
        ? 'list'
        : (`filter ${filter.field}.${filter.operator}` as const);
    return [answerText(refused), isLater ? 'LST-NEXT' : asked, about('refused', subject)] as const;
  }
  if (cut === 'loop') return ['the pages do not end: a link leads back', 'LST-NEXT', about('value', 'pages')] as const;
  const twice = ids.find((id, index) => known.has(id) && ids.indexOf(id) !== index);
  if (twice !== undefined) return [`${twice} is in the list twice`, 'LST-NEXT', about('records', 'pages')] as const;
  const wrong = pages.findIndex(({ items }, at) =>
    size === undefined ? false : at < pages.length - 1 ? items.length !== size : items.length > size,
  );
  if (wrong >= 0)
    return [
      `page ${wrong + 1} holds ${counted(pages[wrong]?.items.length ?? 0, 'record')}`,
      'LST-SIZE',
      about('value', 'pages'),
    ] as const;
  return undefined;
}

/** Records of others that whole lists showed so far, each time. */
const SEEN = new WeakMap<World, Set<string>>();

/** Notes who else has records in the list. */
export function noteOthers(world: World, ids: readonly string[]): number {
  const own = new Set(world.context.ledger.owned().map(({ id }) => id));
  const others = [...new Set(ids)].filter((id) => !own.has(id) && !world.records.some((each) => each.id === id));
  const seen = SEEN.get(world) ?? new Set<string>();
  SEEN.set(world, seen.add(others.sort().join()));
  return seen.size;
}

/** True where somebody else added or removed records since the survey began. */
async function hasMoved(world: World): Promise<boolean> {
  const look = async () => noteOthers(world, (await walkList(requesterOf(world.scope), { list: { size: 50 } })).ids);
  return (await look()) > 1 || (await look()) > 1;
}

/** Records that a page of default size may hold beside those of others. */
const SMALL = 8;

/** The size that an answer of so many records is asked with, so that it comes on one page. */
export const roomFor = (count: number): Pick<ListQuery, 'size'> => (count > SMALL ? { size: 50 } : {});

/** How many records this run has made and removed in what the list shows: its other checks write at the same time. */
function ownWrites({ context, family }: World): string {
  const shown = (record: { readonly family: string }) =>
    record.family === family.name || family.viewOf?.includes(record.family) === true;
  return [context.ledger.owned(), context.ledger.created()].map((records) => records.filter(shown).length).join();
}

/** Page size that both rules allow where a target cuts larger ones. */
const largest = ({ context }: World): number => {
  const found = Number(context.run.dialect('page.largest-size'));
  return Number.isFinite(found) && found > 0 ? found : 50;
};

/** Reads a list to its end with what the round's requests carry besides. Throws where the answer decides nothing. */
export async function askList(world: World, query: ListQuery, round: Round, input: RequestInput = {}): Promise<Asked> {
  const spelling = orSpelling(world);
  const size = query.size === undefined ? undefined : Math.min(query.size, largest(world));
  const list = size === undefined ? query : { ...query, size };
  const before = ownWrites(world);
  const asked = {
    ...ladenInput(round, world),
    ...input,
    list,
    ...(query.join === 'or' && spelling !== undefined ? { filterType: spelling } : {}),
  };
  const walk = await walkList(requesterOf(world.scope), asked);
  const { refused } = walk;
  if (refused !== undefined && (isForbidden(refused) || isOverloaded(refused))) mustDecide(refused);
  const [fault, requirement, aboutIt] = faultOf(world, walk, list) ?? [];
  // An answer on one page cannot be torn apart by a write between two pages.
  const isWhole = walk.exchanges.length < 2;
  // Somebody's record may come and be gone again before the next look: then the totals differ, and the next walk is whole.
  const wasTorn = async () =>
    fault !== undefined &&
    new Set(walk.exchanges.map(totalOf)).size > 1 &&
    faultOf(world, await walkList(requesterOf(world.scope), asked), list) === undefined;
  return {
    ...walk,
    exchanges: walk.exchanges.slice(0, KEPT),
    fault,
    requirement,
    about: aboutIt,
    // A list that is longer than is read proves nothing either: a target may hold any number of records.
    isMoved: async () =>
      walk.cut === 'length' ||
      (!isWhole && (ownWrites(world) !== before || (await hasMoved(world)) || (await wasTorn()))),
  };
}
