import { basename } from 'node:path';
import { FAMILIES } from '../../contract/families.ts';
import type { FamilyTable } from '../../contract/types.ts';
import { UsageError } from '../../errors.ts';
import { FamilyName } from '../file.ts';
import { readDefinition } from './document.ts';
import { familyOf, type Taken } from './family.ts';
import { pathsOf } from './operations.ts';

/** A whole product publishes a tenth. */
const MOST_FAMILIES = 1000;

/** Reads definitions. Nothing is sent or fetched. Throws `UsageError` that names the file and what is wrong with it. */
export function importDefinitions(files: readonly string[]) {
  const taken = new Map<string, Taken>();
  const left: string[] = [];
  for (const file of files) {
    const definition = readDefinition(file);
    const found = pathsOf(definition);
    if (found.length + taken.size > MOST_FAMILIES)
      throw new UsageError('bad-definition', `${file}: more than ${MOST_FAMILIES} families`);
    if (found.length === 0) left.push(`${file}: no path is below /ers/config`);
    for (const paths of found) {
      const { name } = paths;
      if (Object.hasOwn(FAMILIES, name)) left.push(`${name} of ${file}: it is one of the twelve, which are built in`);
      else if (taken.has(name)) left.push(`${name} of ${file}: ${taken.get(name)?.family.definition} has it already`);
      else if (!FamilyName.safeParse(name).success)
        left.push(`${name.slice(0, 80)} of ${file}: no path segment of a family`);
      else if (paths.taken.length === 0)
        left.push(`${name} of ${file}: no operation of the specification is published`);
      else if (!paths.taken.some(({ op }) => op === 'list'))
        left.push(`${name} of ${file}: it has no list, and the checks look at lists`);
      else taken.set(name, familyOf(definition, paths, { label: basename(file), isAlone: found.length === 1 }));
    }
  }
  if (taken.size === 0)
    throw new UsageError('nothing-imported', left.join('; '), {
      hint: 'a definition names paths such as /ers/config/FAMILY/{id}; the twelve families need no import',
    });
  for (const each of taken.values()) refer(each, taken);
  return { taken: [...taken.values()], left };
}

/** Marks members that hold the id or the name of a record of another family: by its name at their end, or one that begins like their own. */
function refer({ name: own, family, guesses }: Taken, all: ReadonlyMap<string, Taken>): void {
  const table: FamilyTable = FAMILIES;
  const isMade = (name: string) => (all.get(name)?.family.operations ?? table[name]?.ops ?? []).includes('create');
  for (const [member, field] of Object.entries(family.fields)) {
    const [, stem = '', ending = ''] = /^(.+?)_?(u?u?id|name)?$/i.exec(member) ?? [];
    // `sourceGadgetId` may tell two records of one family apart.
    const ends = ending === '' ? [] : [...stem.matchAll(/[A-Z]/g)].map(({ index }) => stem.slice(index));
    const stems = [stem, ...ends].map((each) => each.toLowerCase());
    const target = stems
      .flatMap((each) => [each, `${each}s`, `${own}${each}`])
      .find((name) => name !== own && isMade(name));
    if (field.type !== 'string' || field.oneOf !== undefined || target === undefined) continue;
    const isId = /id$/i.test(ending) || field.form === 'uuid';
    field.refersTo = target;
    if (!isId) field.refersBy = 'name';
    guesses.push(`${member} holds the ${isId ? 'id' : 'name'} of a record of ${target}`);
  }
}
