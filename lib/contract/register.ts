import { FAMILIES } from './families.ts';
import type { Family, Field } from './types.ts';
import { VENDOR, type VendorFacts } from './vendor.ts';

/** A family that is no row of the specification, with what its published definition adds. */
export interface ImportedFamily {
  readonly family: Family & { readonly imported: string };
  readonly facts: VendorFacts;
}

/** Puts imported families beside the twelve. It is called once, before anything asks the table. Throws for a name that is taken. */
export function registerFamilies(imported: readonly ImportedFamily[]): void {
  const table: Record<string, Family> = FAMILIES;
  for (const { family, facts } of imported) {
    if (Object.hasOwn(table, family.name)) throw new Error(`the family ${family.name} is there already`);
    table[family.name] = family;
    VENDOR[family.name] = facts;
  }
}

/** Names of the members of a table that hold secrets, at any depth. */
export const secretNames = (fields: Readonly<Record<string, Field>>): readonly string[] =>
  Object.entries(fields).flatMap(([name, { secret, members = {} }]) => [
    ...(secret === true ? [name] : []),
    ...secretNames(members),
  ]);
