import { PLAIN } from '../steps/step.ts';
import { askList } from './ask.ts';
import { type Session, viewOf } from './session.ts';

/** Ids of the records of others in the list and in the view of the family; undefined if a list cannot be walked. */
async function othersIn(session: Session): Promise<ReadonlySet<string> | undefined> {
  const { context } = session;
  const own = new Set(context.ledger.created().map(({ id }) => id));
  const view = viewOf(session);
  const lists = await Promise.all(
    [context.family.name, ...(view === undefined ? [] : [view])].map((family) =>
      askList(session, { window: 'list', family, filters: [], size: 50 }, { paging: 'link', carried: PLAIN }),
    ),
  );
  if (lists.some(({ shown }) => shown.end !== 'whole')) return undefined;
  return new Set(lists.flatMap(({ shown }) => shown.pages.flat().map(({ id }) => id)).filter((id) => !own.has(id)));
}

/**
 * True if somebody else adds or removes records of the family, seen over the whole visibility window: then a difference that does not
 * come again proves nothing. A record that comes and goes more than once was not written by anybody: ids are not given twice.
 */
export async function doOthersWrite(session: Session): Promise<boolean> {
  const seen: ReadonlySet<string>[] = [];
  await session.context.eventually(async () => {
    const ids = await othersIn(session);
    if (ids !== undefined) seen.push(ids);
    return undefined;
  });
  const turns = (id: string) => seen.filter((ids, at) => at > 0 && ids.has(id) !== seen[at - 1]?.has(id)).length;
  return [...new Set(seen.flatMap((ids) => [...ids]))].some((id) => turns(id) === 1);
}
