import { ancFamily } from '../../wire/anc.ts';
import type { ErsClient } from '../types.ts';

/** Name of the family that applies and clears. Throws where the table has none. */
export function ancFamilyOf(client: ErsClient): string {
  const family = ancFamily(client.options.table);
  if (family === undefined) throw new Error('no family of the table has an apply operation');
  return family;
}
