import { type Family, type FieldType, fieldsOf } from '../lib/contract/types.ts';
import { vendorFacts } from '../lib/contract/vendor.ts';

/** Range of the values of a type; undefined for a type that has none. */
export const rangeOf = (type: FieldType | undefined) =>
  typeof type === 'object' && 'range' in type ? type.range : undefined;

/** Types of all members that a body of a family may hold. */
export const typesOf = (name: string, family: Family | undefined): Readonly<Record<string, FieldType>> => ({
  id: 'string',
  ...vendorFacts(name).members,
  ...Object.fromEntries(Object.entries(fieldsOf(family)).map(([field, { type }]) => [field, type])),
});
