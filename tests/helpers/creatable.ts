import { FAMILIES } from '../../lib/contract/families.ts';
import { fieldsOf } from '../../lib/contract/types.ts';

export const creatable = Object.entries(FAMILIES).flatMap(([name, { ops }]) =>
  (ops as readonly string[]).includes('create') ? [name as keyof typeof FAMILIES] : [],
);

/** Members that a create of the family takes, by the field tables. */
export function fieldsOfCreate(name: keyof typeof FAMILIES): readonly string[] {
  return Object.entries(fieldsOf(FAMILIES[name])).flatMap(([member, { sentOn }]) =>
    sentOn === undefined && member !== 'id' ? [member] : [],
  );
}
