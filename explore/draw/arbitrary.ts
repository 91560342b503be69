import fc from 'fast-check';
import { isServerFilled, rangeOf, referenceOf, sentFields } from '../../conformance/kit/fields.ts';
import { OPERATOR_NAMES } from '../../lib/contract/list.ts';
import { type Family, type FamilyTable, type Field, hasOp } from '../../lib/contract/types.ts';
import type { Carried, Criterion, Step, Values } from './step.ts';
import { INTEGERS, OPERANDS, SUFFIXES, TEXTS } from './values.ts';

const carried: fc.Arbitrary<Carried> = fc.record({
  sent: fc.constantFrom('json', 'json', 'xml'),
  mediaType: fc.boolean(),
  csrf: fc.boolean(),
  extra: fc.boolean(),
});

const number = fc.nat({ max: 40 });

function arbitraryOf(field: Field): fc.Arbitrary<unknown> | undefined {
  const { type } = field;
  if (type === 'string') return fc.constantFrom(...TEXTS);
  if (type === 'boolean') return fc.boolean();
  if (type === 'object') return fc.constantFrom({ first: { inner: 'a' }, second: 'b' }, { first: { inner: 'c' } });
  if (type === 'object[]') return fc.constantFrom([{ name: 'a' }], [{ name: 'b' }, { name: 'c' }]);
  if (typeof type === 'object' && 'oneOf' in type) return fc.constantFrom(...type.oneOf);
  if (rangeOf(field) !== undefined) return fc.constantFrom(...INTEGERS);
  return undefined;
}

/** Members that are free to be anything: not the name, which has to be unique, and no pointer at another record. */
function freeMembers(
  table: FamilyTable,
  family: Family,
  name: string | undefined,
): readonly (readonly [string, Field])[] {
  return sentFields(family, 'create').filter(
    ([member, { form }]) =>
      member !== name &&
      form === undefined &&
      !isServerFilled(family, member) &&
      referenceOf(table, member) === undefined,
  );
}

function values(table: FamilyTable, family: Family, name: string | undefined): fc.Arbitrary<Values> {
  const model: Record<string, fc.Arbitrary<unknown>> = {};
  for (const [member, field] of freeMembers(table, family, name)) {
    const arbitrary = arbitraryOf(field);
    if (arbitrary !== undefined) model[member] = arbitrary;
  }
  return fc.record(model, { requiredKeys: [] }) as fc.Arbitrary<Values>;
}

const criterion: fc.Arbitrary<Criterion> = fc.record({
  field: number,
  operator: fc.constantFrom(...OPERATOR_NAMES),
  operand: fc.record({
    of: number,
    part: fc.constantFrom('whole', 'whole', 'start', 'end', 'middle', 'other-case', 'pool'),
    text: fc.constantFrom(...OPERANDS, ...TEXTS),
  }),
});

const list: fc.Arbitrary<Step> = fc.record({
  kind: fc.constant('list' as const),
  criteria: fc.array(criterion, { maxLength: 3 }),
  join: fc.constantFrom(undefined, 'and' as const, 'or' as const),
  sort: fc.option(fc.record({ field: number, descending: fc.boolean() }), { nil: undefined }),
  size: fc.constantFrom(1, 2, 3, 7, 10, 20),
  carried,
});

function writes(table: FamilyTable, family: Family, name: string | undefined): readonly fc.WeightedArbitrary<Step>[] {
  const some = values(table, family, name);
  const several = fc.oneof(
    { weight: 4, arbitrary: fc.tuple(some) },
    { weight: 1, arbitrary: fc.array(some, { minLength: 2, maxLength: 4 }) },
  );
  const suffix = fc.constantFrom(...SUFFIXES);
  const step = <K extends Step['kind']>(kind: K, parts: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<Step> =>
    fc.record({ kind: fc.constant(kind), ...parts }) as unknown as fc.Arbitrary<Step>;
  const updates: readonly fc.WeightedArbitrary<Step>[] = hasOp(family, 'update')
    ? [
        { weight: 6, arbitrary: step('update', { who: number, values: several, carried }) },
        { weight: 2, arbitrary: step('rename', { who: number, suffix, carried }) },
      ]
    : [];
  const deletes: readonly fc.WeightedArbitrary<Step>[] = hasOp(family, 'delete')
    ? [
        { weight: 3, arbitrary: step('delete', { who: number, carried }) },
        { weight: 1, arbitrary: step('reuse', { values: some }) },
        { weight: 1, arbitrary: step('gone', { op: fc.constantFrom('read', 'update', 'delete') }) },
      ]
    : [];
  return [
    { weight: 6, arbitrary: step('create', { values: several, suffix, carried }) },
    { weight: 1, arbitrary: step('fill', { count: fc.constantFrom(5, 12, 24) }) },
    { weight: 1, arbitrary: step('refuse', { who: number, on: fc.constantFrom('create', 'update') }) },
    ...updates,
    ...deletes,
  ];
}

const endpoints = fc.uniqueArray(fc.nat({ max: 7 }), { minLength: 1, maxLength: 3 });
const ANC: readonly fc.WeightedArbitrary<Step>[] = [
  {
    weight: 6,
    arbitrary: fc.record({ kind: fc.constant('apply' as const), endpoints, policy: number, byIp: fc.boolean() }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('clear' as const), endpoints }) },
];

const LONGEST = 30;

/** Sequences of steps over one family. */
export function sequences(table: FamilyTable, family: Family, name: string | undefined): fc.Arbitrary<readonly Step[]> {
  const isOwner = hasOp(family, 'create');
  const steps: readonly fc.WeightedArbitrary<Step>[] = [
    ...(isOwner ? writes(table, family, name) : []),
    ...(hasOp(family, 'apply') ? ANC : []),
    { weight: 5, arbitrary: list },
    {
      weight: 2,
      arbitrary: fc.record({
        kind: fc.constant('read' as const),
        who: number,
        asked: fc.constantFrom('json', 'xml'),
        carried,
      }),
    },
    { weight: 1, arbitrary: fc.constant({ kind: 'look' as const }) },
  ];
  return fc.array(fc.oneof(...steps), { minLength: 1, maxLength: LONGEST, size: 'max' });
}
