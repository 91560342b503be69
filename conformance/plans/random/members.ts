import fc from 'fast-check';
import type { Family, FamilyTable, Field } from '../../../lib/contract/types.ts';
import { isServerFilled, nameMember, rangeOf, referenceOf, sentFields } from '../../kit/fields.ts';
import type { Fields } from '../../model/history.ts';
import { INTEGERS, TEXTS } from '../pairs/values.ts';

/** One text of the corpus, or several in one: a text of many classes meets as many mistakes. */
const text = fc.oneof(
  fc.constantFrom(...TEXTS),
  fc.array(fc.constantFrom(...TEXTS), { minLength: 2, maxLength: 4 }).map((texts) => texts.join(' ')),
);

function valuesOf(field: Field): fc.Arbitrary<unknown> | undefined {
  const { type } = field;
  // An update may leave a member out.
  if (type === 'string') return fc.option(text, { freq: 20, nil: undefined });
  if (type === 'boolean') return fc.boolean();
  if (type === 'object') return fc.constantFrom({ first: { inner: 'a' }, second: 'b' }, { first: { inner: 'c' } });
  if (type === 'object[]') return fc.constantFrom([{ name: 'a' }], [{ name: 'b' }, { name: 'c' }]);
  if (typeof type === 'object' && 'oneOf' in type) return fc.constantFrom(...type.oneOf);
  const range = rangeOf(field);
  return range === undefined ? undefined : fc.constantFrom(...INTEGERS, range.low, range.high, ...range.or);
}

/** Values for some members that are free to be anything: not the name, which has to be unique, and no pointer at another record. */
export function someMembers(table: FamilyTable, family: Family): fc.Arbitrary<Fields> {
  const model: Record<string, fc.Arbitrary<unknown>> = {};
  for (const [member, field] of sentFields(family, 'create')) {
    const isFree =
      member !== nameMember(family) &&
      field.form === undefined &&
      !isServerFilled(family, member) &&
      referenceOf(table, family, member) === undefined;
    const values = isFree ? valuesOf(field) : undefined;
    if (values !== undefined) model[member] = values;
  }
  return fc.record(model, { requiredKeys: [] });
}
