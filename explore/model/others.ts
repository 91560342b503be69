import { walkList } from '../../lib/wire/list-walk.ts';
import type { RequestInput } from '../../lib/wire/request.ts';
import { viewOf, type World } from './world.ts';

type Asking = Pick<World, 'context' | 'unhurried' | 'isServed'>;

/** Ids of the records of others in the list and in the view of the family, as one text; undefined where the list cannot be walked. */
async function othersIn(world: Asking): Promise<string | undefined> {
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
  return walks.map(({ ids }) => ids.filter((id) => !own.has(id)).sort()).join();
}

/**
 * True where somebody else adds or removes records of the family, seen over the whole window: a list that is read meanwhile may
 * lack a record between two of its pages, so that an answer which comes and goes proves nothing.
 */
export async function doOthersWrite(world: Asking): Promise<boolean> {
  const before = await othersIn(world);
  const moved = await world.unhurried(() =>
    world.context.eventually(async () => ((await othersIn(world)) === before ? undefined : true)),
  );
  return moved === true;
}
