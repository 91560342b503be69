import { walkList } from '../../lib/wire/list-walk.ts';
import type { RequestInput } from '../../lib/wire/request.ts';
import { viewOf, type World } from './world.ts';

type Asking = Pick<World, 'context' | 'unhurried' | 'isServed'>;

/** Ids of the records of others in the list and in the view of the family; undefined where the list cannot be walked. */
async function othersIn(world: Asking): Promise<ReadonlySet<string> | undefined> {
  const { context } = world;
  const own = new Set(context.ledger.created().map(({ id }) => id));
  const view = viewOf(world);
  const walks = await Promise.all(
    [context.family.name, ...(view === undefined ? [] : [view])].map((on) => {
      const list = (input: RequestInput) => context.send('list', input, on);
      return walkList({ list, follow: (href) => context.follow(href, on) }, { list: { size: 50 } }, { anySize: true });
    }),
  );
  if (walks.some(({ refused, cut }) => refused !== undefined || cut !== undefined)) return undefined;
  return new Set(walks.flatMap(({ ids }) => ids).filter((id) => !own.has(id)));
}

/**
 * True where somebody else adds or removes records of the family, seen over the whole window: a list that is read meanwhile may
 * lack a record between two of its pages, so that an answer which comes and goes proves nothing. A record that comes and goes
 * more than once was not written by anybody: ids are not given twice.
 */
export async function doOthersWrite(world: Asking): Promise<boolean> {
  const seen: ReadonlySet<string>[] = [];
  await world.unhurried(() =>
    world.context.eventually(async () => {
      const ids = await othersIn(world);
      if (ids !== undefined) seen.push(ids);
      return undefined;
    }),
  );
  const turns = (id: string) => seen.filter((ids, at) => at > 0 && ids.has(id) !== seen[at - 1]?.has(id)).length;
  return [...new Set(seen.flatMap((ids) => [...ids]))].some((id) => turns(id) === 1);
}
