import pLimit from 'p-limit';
import { namesOfRun } from '../../run-name.ts';
import { isNotFound, isSuccess } from '../../wire/answer.ts';
import { type ListedEntries, readEntries } from '../http/read-entries.ts';
import type { ErsClient } from '../types.ts';
import { findByName, MAX_PAGES, type Names } from './find-by-name.ts';

/**
 * Finds the records of creates whose id never became known by their names, or takes the names off the books: by the list as far as it was
 * read, so that hundreds of refused creates cost no request each, and by a filter where that does not tell.
 */
async function resolveNames(
  client: ErsClient,
  names: Names,
  family: string,
  { entries, complete, status }: ListedEntries,
  isOfRun: (name: string) => boolean,
): Promise<void> {
  const open = () => client.unresolved().flatMap((one) => (one.family === family ? [one.name] : []));
  const asked = open();
  if (asked.length === 0) return;
  const mayBe = (name: string) => (shown: { readonly id: string }) => client.mayBeNew(family, shown.id, name);
  const listed = new Set(entries.map(({ id }) => id));
  const known = client.owned().filter((record) => record.family === family && listed.has(record.id));
  const { named, unknown } = await names(
    family,
    entries.filter(({ id, name: shown }) => {
      const standing = client.standing(family, id);
      // A name of ours under an id that is not: nobody can tell where our record is.
      if (shown !== undefined) return standing === undefined || standing === 'foreign';
      return standing === undefined && asked.some((name) => mayBe(name)({ id }));
    }),
  );
  const texts = named.map(({ name }) => name?.toLowerCase()).join('\n');
  /** Adopts what bears the name; true where nothing that is shown may be of it. */
  const isDenied = (name: string): boolean => {
    const part = name.trim().toLowerCase();
    const like = texts.includes(part) ? named.filter((record) => record.name?.toLowerCase().includes(part)) : [];
    const own = [...like, ...known].filter((record) => record.name === name);
    for (const { id } of own) client.adopt({ family, id, name });
    // What bears a name that others may have too and was there before it was sent is somebody else's: it is not on the books.
    const isOurs = own.some(({ id }) => isOfRun(name) || client.standing(family, id) !== undefined);
    // A new record that shows the name with more around it, or no name at all, may be it.
    return !isOurs && ![...like, ...unknown].some(mayBe(name));
  };
  const denied = asked.filter(isDenied);
  // A family in which nothing was ever answered is not served: nothing can be in it.
  const isWhole = complete || (entries.length === 0 && isNotFound({ status }) && !client.isServed(family));
  if (isWhole) for (const name of denied) client.dismiss(family, name);
  if (isWhole && unknown.length === 0) return;
  const twin = entries.find(({ name }) => name !== undefined)?.name;
  const ask = async (name: string) => {
    const { ids, isNone } = await findByName(client, family, name, { names, twin });
    for (const id of ids) client.adopt({ family, id, name });
    if (isNone && denied.includes(name)) client.dismiss(family, name);
  };
  await pLimit(client.options.target.connections).map(open(), ask);
}

/**
 * Reads the list of a family for what it shows of the run. Removed records that it shows all the same, and what bears a name of the run, are
 * put back among those to remove; removed ones of which no read told count as gone where the whole list does not show them. False where the
 * list could not be read and creates are still open.
 */
export async function lookInList(client: ErsClient, names: Names, family: string): Promise<boolean> {
  const walk = await readEntries(client, family, { size: 100 }, MAX_PAGES);
  const listed = new Set(walk.entries.map(({ id }) => id));
  const unproven = new Set(client.unproven());
  for (const record of client.owned()) {
    if (record.family !== family || client.standing(family, record.id) !== 'gone') continue;
    if (listed.has(record.id)) client.adopt(record);
    else if (walk.complete && unproven.has(record)) client.gone(family, record.id);
  }
  // A create that seemed to have made nothing did, if any list showed its name: this one may hide it.
  // One that was removed since had the name before.
  for (const one of client.unresolved().filter((each) => each.family === family))
    for (const id of one.ids) if (client.standing(family, id) !== 'gone') client.adopt({ family, id, name: one.name });
  const isOfRun = namesOfRun(client.options.runId);
  for (const { id, name = '' } of walk.entries) if (isOfRun(name)) client.adopt({ family, id, name });
  await resolveNames(client, names, family, walk, isOfRun);
  return isSuccess(walk) || !client.unresolved().some((one) => one.family === family);
}
