import { resolve } from 'node:path';
import { addSecretMembers } from '../lib/client/redaction/redact.ts';
import { registerFamilies, secretNames } from '../lib/contract/register.ts';
import { fieldsOf } from '../lib/contract/types.ts';
import { readFamilies } from './read.ts';

/** Variable that holds the files of a run, joined by commas: programs that it starts read it, and take the same families. */
const FAMILIES_VARIABLE = 'ERS_FAMILIES';

const loaded = new Set<string>();

/**
 * Reads files of families and puts them beside the twelve, each file once. Called before anything asks the table.
 * Throws `UsageError` that names the file and the line. Gives the names that were added.
 */
export function loadFamilies(files: readonly string[], env: NodeJS.ProcessEnv = process.env): readonly string[] {
  const added = files
    .map((file) => resolve(file))
    .filter((file) => !loaded.has(file))
    .flatMap((file) => {
      const families = readFamilies(file);
      registerFamilies(families);
      addSecretMembers(families.flatMap(({ family }) => secretNames(fieldsOf(family))));
      loaded.add(file);
      return families.map(({ family }) => family.name);
    });
  if (loaded.size > 0) env[FAMILIES_VARIABLE] = [...loaded].join(',');
  return added;
}
