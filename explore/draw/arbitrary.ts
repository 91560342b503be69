import fc from 'fast-check';
import { isServerFilled, rangeOf, referenceOf, sentFields } from '../../conformance/kit/fields.ts';
import { OPERATOR_NAMES } from '../../lib/contract/list.ts';
import { type Family, type FamilyTable, type Field, hasOp, type Op } from '../../lib/contract/types.ts';
import { type Carried, type Criterion, type Step, type StepOf, type Values, WRONGS } from './step.ts';
import { INTEGERS, OPERANDS, SUFFIXES, TEXTS } from './values.ts';

const carried: fc.Arbitrary<Carried> = fc.record({
  sent: fc.constantFrom('json', 'json', 'xml'),
  type: fc.constantFrom('plain', 'plain', 'plain', 'charset', 'none', 'text'),
  accept: fc.constantFrom('json', 'json', 'json', 'none'),
  mediaType: fc.boolean(),
  csrf: fc.boolean(),
  extra: fc.boolean(),
});

const number = fc.nat({ max: 40 });

/** One text of the pool, or several in one: a text of many classes meets as many mistakes. */
const text = fc.oneof(
  fc.constantFrom(...TEXTS),
  fc.array(fc.constantFrom(...TEXTS), { minLength: 2, maxLength: 4 }).map((texts) => texts.join(' ')),
);
const suffix = fc.oneof(
  fc.constantFrom(...SUFFIXES),
  fc.array(fc.constantFrom(...SUFFIXES), { minLength: 2, maxLength: 3 }).map((suffixes) => suffixes.join('')),
);

/** Values of a member, with null for none; undefined where none are known. */
function arbitraryOf(field: Field): fc.Arbitrary<unknown> | undefined {
  const { type } = field;
  if (type === 'string') return fc.option(text, { freq: 20 });
  if (type === 'boolean') return fc.boolean();
  if (type === 'object') return fc.constantFrom({ first: { inner: 'a' }, second: 'b' }, { first: { inner: 'c' } });
  if (type === 'object[]') return fc.constantFrom([{ name: 'a' }], [{ name: 'b' }, { name: 'c' }]);
  if (typeof type === 'object' && 'oneOf' in type) return fc.constantFrom(...type.oneOf);
  const range = rangeOf(field);
  return range === undefined ? undefined : fc.constantFrom(...INTEGERS, range.low, range.high, ...range.or);
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

type Weighted = fc.WeightedArbitrary<Step>;

const step = <K extends Step['kind']>(
  kind: K,
  parts: { readonly [P in Exclude<keyof StepOf<K>, 'kind'>]: fc.Arbitrary<StepOf<K>[P]> },
): fc.Arbitrary<Step> => fc.record({ kind: fc.constant(kind), ...parts }) as unknown as fc.Arbitrary<Step>;

const list = step('list', {
  criteria: fc.array(criterion, { maxLength: 3 }),
  join: fc.constantFrom(undefined, 'and' as const, 'or' as const),
  sort: fc.option(fc.record({ field: number, descending: fc.boolean() }), { nil: undefined }),
  size: fc.constantFrom(20, 10, 7, 3, 2, 1),
  pages: fc.constantFrom('links', 'links', 'numbers'),
  view: fc.constantFrom(false, false, true),
  twice: fc.constantFrom(false, false, true),
  carried,
});

const READS: readonly Weighted[] = [
  { weight: 6, arbitrary: list },
  {
    weight: 2,
    arbitrary: step('read', {
      who: number,
      asked: fc.constantFrom('json', 'xml'),
      view: fc.constantFrom(false, false, true),
      carried,
    }),
  },
  { weight: 1, arbitrary: step('look', {}) },
];

/** Steps that an operation of the family allows. */
function writes(table: FamilyTable, family: Family, name: string | undefined): readonly Weighted[] {
  const some = values(table, family, name);
  const one = fc.tuple(some) as fc.Arbitrary<readonly Values[]>;
  const several = fc.oneof(
    { withCrossShrink: true },
    { weight: 4, arbitrary: one },
    { weight: 1, arbitrary: fc.array(some, { minLength: 1, maxLength: 4 }) },
  );
  const isViewed = Object.values(table).some(({ viewOf }) => viewOf?.includes(family.name));
  const parts: readonly (readonly [Op, readonly Weighted[]])[] = [
    [
      'create',
      [
        { weight: 6, arbitrary: step('create', { values: several, suffix, alike: fc.boolean(), carried }) },
        { weight: 1, arbitrary: step('fill', { count: fc.constantFrom(5, 12, 24) }) },
        { weight: 1, arbitrary: step('twin', { family: number }) },
        {
          weight: 2,
          arbitrary: step('refuse', {
            who: number,
            on: fc.constantFrom('create', 'update'),
            wrong: fc.constantFrom(...WRONGS),
          }),
        },
      ],
    ],
    [
      'update',
      [
        { weight: 6, arbitrary: step('update', { who: number, values: several, carried }) },
        { weight: 2, arbitrary: step('rename', { who: number, suffix, carried }) },
        {
          weight: 1,
          arbitrary: step('race', { who: number, values: fc.array(some, { minLength: 1, maxLength: 3 }) }),
        },
      ],
    ],
    [
      'delete',
      [
        { weight: 3, arbitrary: step('delete', { who: number, carried }) },
        { weight: 1, arbitrary: step('reuse', { values: some }) },
        { weight: 1, arbitrary: step('gone', { op: fc.constantFrom('read', 'update', 'delete') }) },
        ...(isViewed
          ? [
              {
                weight: 1,
                arbitrary: step('through-view', { who: number, op: fc.constantFrom('update', 'delete') }),
              },
            ]
          : []),
      ],
    ],
    [
      'bulkSubmit',
      [
        {
          weight: 1,
          arbitrary: step('bulk', {
            action: fc.constantFrom('create', 'create', 'update'),
            sent: fc.constantFrom('json', 'xml'),
            values: fc.array(some, { minLength: 1, maxLength: 4 }),
          }),
        },
      ],
    ],
  ];
  return parts.flatMap(([op, steps]) => (hasOp(family, op) ? steps : []));
}

const endpoints = fc.uniqueArray(fc.nat({ max: 7 }), { minLength: 1, maxLength: 3 });
const ANC: readonly Weighted[] = [
  { weight: 6, arbitrary: step('apply', { endpoints, policy: number, byIp: fc.boolean() }) },
  { weight: 3, arbitrary: step('clear', { endpoints }) },
];

const LONGEST = 30;

/** Sequences of steps over one family. */
export function sequences(table: FamilyTable, family: Family, name: string | undefined): fc.Arbitrary<readonly Step[]> {
  const steps: readonly Weighted[] = [
    ...writes(table, family, name),
    ...(hasOp(family, 'apply') ? ANC : []),
    ...READS,
    ...(hasOp(family, 'readByName') ? [{ weight: 2, arbitrary: step('named', { who: number }) }] : []),
    ...(hasOp(family, 'version') ? [{ weight: 1, arbitrary: step('version', { carried }) }] : []),
  ];
  return fc.array(fc.oneof(...steps), { minLength: 1, maxLength: LONGEST, size: 'max' });
}
