import { resolve } from 'node:path';
import { addSecretMembers } from '../lib/client/redaction/redact.ts';
import { registerFamilies, secretNames } from '../lib/contract/register.ts';
import { fieldsOf } from '../lib/contract/types.ts';
import { readFamilies } from './read.ts';

/** Variable that holds the files of a run, joined by commas: programs that it starts read it, and take the same families. */
const FAMILIES_VARIABLE = 'ERS_FAMILIES';

const loaded = new Set<string>();

/** Puts the families of files beside the twelve, each file once, and gives their names. Throws `UsageError` with file and line. */
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
