import fc from 'fast-check';
import { OPERATOR_NAMES } from '../../../lib/contract/list.ts';
import { type Family, type FamilyTable, type Field, hasOp, type Op } from '../../../lib/contract/types.ts';
import { present } from '../../../lib/present.ts';
import { REMOVED } from '../../driver/session.ts';
import { OF_ROWS } from '../../kit/anc-places.ts';
import {
  creatable,
  isNumbered,
  isServerFilled,
  nameMember,
  rangeOf,
  referenceOf,
  sentFields,
  viewOf,
} from '../../kit/fields.ts';
import type { Fields } from '../../model/history.ts';
import { isGenerated } from '../../model/member.ts';
import {
  type Carried,
  type Criterion,
  type Likeness,
  type Look,
  type Name,
  PLAIN,
  type Query,
  type Spelling,
  type Step,
  type StepOf,
  type Steps,
  WRONG_REQUESTS,
} from '../../steps/step.ts';
import { look, create as make, together } from '../make.ts';
import { ENDINGS, INTEGERS, OPERANDS, TEXTS } from './corpus.ts';

/** One text of the corpus, or several in one: a text of many classes meets as many mistakes. */
const oneText = fc.constantFrom(...TEXTS);
const severalTexts = fc.array(oneText, { minLength: 2, maxLength: 4 }).map((texts) => texts.join(' '));
const text = fc.oneof(oneText, severalTexts);

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
function someMembers(table: FamilyTable, family: Family): fc.Arbitrary<Fields> {
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

type Weighted = fc.WeightedArbitrary<Steps>;

const weighted = <T>(weight: number, arbitrary: fc.Arbitrary<T>): fc.WeightedArbitrary<T> => ({ weight, arbitrary });

const who = fc.nat({ max: 40 }).map((number) => `#${number}`);
const form = fc.constantFrom<'json' | 'xml'>('json', 'json', 'json', 'xml');

/** At most one optional part for writes that cannot be sent twice, so that a refusal has one reason. */
const onePart: fc.Arbitrary<Carried> = fc
  .constantFrom<Partial<Carried>>(
    ...Array<Partial<Carried>>(4).fill({}),
    ...(['charset', 'none', 'text'] as const).map((type) => ({ type })),
    ...[{ accept: 'none' as const }, { mediaType: true }, { csrf: true }, { extra: true }],
  )
  .map((part) => ({ ...PLAIN, ...part }));

const someParts: fc.Arbitrary<Carried> = fc.record({
  type: fc.constantFrom('plain', 'plain', 'plain', 'charset', 'none', 'text'),
  accept: fc.constantFrom('json', 'json', 'json', 'none'),
  mediaType: fc.boolean(),
  csrf: fc.boolean(),
  extra: fc.boolean(),
});

const someEndings = fc.array(fc.constantFrom(...ENDINGS), { minLength: 2, maxLength: 3 }).map((some) => some.join(''));
const oneEnding = fc.constantFrom(...ENDINGS);
const ending = fc.oneof(weighted(3, fc.constant('')), weighted(4, oneEnding), weighted(2, someEndings));
const fresh: fc.Arbitrary<Name> = ending.map((text) => ({ fresh: text }));
const likeness = fc.constantFrom<Likeness>('other case', 'goes on', 'one sign', 'long beginning', 'one word');
const name: fc.Arbitrary<Name> = fc.oneof(weighted(3, fresh), weighted(1, fc.record({ of: who, as: likeness })));

function step<K extends Step['step']>(
  kind: K,
  parts: { readonly [P in Exclude<keyof StepOf<K>, 'step'>]: fc.Arbitrary<StepOf<K>[P]> },
): fc.Arbitrary<StepOf<K>> {
  return fc.record({ step: fc.constant(kind), ...parts }) as unknown as fc.Arbitrary<StepOf<K>>;
}

const single = (arbitrary: fc.Arbitrary<Step>): fc.Arbitrary<Steps> => arbitrary.map((each) => [each]);
const alone = (weight: number, arbitrary: fc.Arbitrary<Step>): Weighted => weighted(weight, single(arbitrary));

/** One step, or a few of its kind that are sent at the same time. */
function parallel(arbitrary: fc.Arbitrary<Step>): fc.Arbitrary<Steps> {
  const some = fc.array(arbitrary, { minLength: 2, maxLength: 4 }).map((steps): Steps => [together(...steps)]);
  return fc.oneof({ withCrossShrink: true }, weighted(4, single(arbitrary)), weighted(1, some));
}

const criterion = (family: Family): fc.Arbitrary<Criterion> =>
  fc.record(
    {
      field: fc.constantFrom(...family.filters),
      operator: fc.constantFrom(...OPERATOR_NAMES),
      part: fc.constantFrom('whole', 'whole', 'start', 'end', 'middle', 'other case', 'other form', 'former', 'beyond'),
      of: who,
      text: fc.constantFrom(...OPERANDS, ...TEXTS),
    },
    { requiredKeys: ['field', 'operator', 'part', 'of'] },
  );

function looks(family: Family, isViewed: boolean): readonly Weighted[] {
  const looked = (arbitrary: fc.Arbitrary<Look>) =>
    fc.tuple(arbitrary, fc.constantFrom(false, false, true)).map(([each, twice]) => look(each, twice));
  const on = fc.constantFrom<'own' | 'view'>('own', 'own', isViewed ? 'view' : 'own');
  const sort = () => fc.record({ field: fc.constantFrom(...family.sorts), descending: fc.boolean() });
  const query: fc.Arbitrary<Query> = fc.record(
    {
      criteria: family.filters.length === 0 ? fc.constant([]) : fc.array(criterion(family), { maxLength: 3 }),
      join: fc.constantFrom<'and' | 'or'>('and', 'or'),
      ...(family.sorts.length === 0 ? {} : { sort: sort() }),
      size: fc.constantFrom(20, 10, 7, 3, 2, 1),
      paging: fc.constantFrom<'link' | 'number'>('link', 'link', 'number'),
    },
    { requiredKeys: ['criteria', 'paging'] },
  );
  const list = fc.record({ window: fc.constant('list' as const), on, about: who, query, carried: someParts });
  const named = hasOp(family, 'readByName') && 'name';
  const windows = present<'read' | 'view' | 'name'>('read', 'read', isViewed && 'view', named, named);
  const single = fc.record({ window: fc.constantFrom(...windows), who, form, carried: someParts });
  return [
    ...(hasOp(family, 'list') ? [alone(6, looked(list))] : []),
    ...(hasOp(family, 'read') ? [alone(2, looked(single))] : []),
    ...(hasOp(family, 'version') ? [alone(1, step('version', { carried: someParts }))] : []),
  ];
}

const endpoints = fc.uniqueArray(fc.nat({ max: OF_ROWS - 1 }), { minLength: 1, maxLength: 3 });
const spelled = fc.constantFrom<Spelling>('plain', 'plain', 'plain', 'other case');

function writes(table: FamilyTable, family: Family): readonly Weighted[] {
  const some = someMembers(table, family);
  const sets = fc.array(some, { minLength: 1, maxLength: 4 });
  const as = fc.constant('');
  const create = (named: fc.Arbitrary<Name>) =>
    fc.record({ step: fc.constant('create' as const), as, name: named, set: some, form, carried: onePart });
  const plain = make('');
  const fill = fc.constantFrom(1, 3, 6).map((times): Steps => Array(times).fill(together(plain, plain, plain, plain)));
  const others = creatable(table).filter((each) => each !== family.name);
  const twin = fc
    .record({ family: fc.constantFrom(...others), of: who })
    .map(({ family: on, of }): Step => ({ ...plain, family: on, name: { of, as: 'same' } }));
  const change = (named: Partial<Record<'name', fc.Arbitrary<Name>>>, set: fc.Arbitrary<StepOf<'update'>['set']>) =>
    fc.record({ step: fc.constant('update' as const), who, set, form, carried: someParts, ...named });
  const bulk = (action: StepOf<'bulk'>['action']) =>
    fc
      .tuple(sets, fc.constantFrom<'json' | 'xml'>('json', 'xml'))
      .map(([each, by]): Step => ({ step: 'bulk', action, form: by, who: each.map((_, at) => `#${at}`), sets: each }));
  const parts: Readonly<Partial<Record<Op, readonly Weighted[]>>> = {
    create: [
      weighted(6, parallel(create(name))),
      weighted(1, fill),
      alone(1, twin),
      alone(3, step('wrong', { request: fc.constantFrom(...WRONG_REQUESTS), who })),
    ],
    update: [
      weighted(6, parallel(change({}, some))),
      alone(2, change({ name }, fc.constant({}))),
      alone(1, step('race', { who, sets })),
    ],
    delete: [
      alone(3, step('delete', { who, carried: onePart })),
      alone(1, create(fc.constant({ of: REMOVED, as: 'same' }))),
    ],
    bulkSubmit: [alone(1, fc.oneof(bulk('create'), bulk('create'), bulk('update'), bulk('delete')))],
    apply: [
      alone(
        6,
        step('apply', {
          who: endpoints,
          policy: fc.option(fc.nat({ max: 40 }), { nil: undefined, freq: 12 }),
          by: fc.constantFrom('mac', 'mac', 'ip'),
          spelled,
          carried: onePart,
        }),
      ),
      alone(3, step('clear', { who: endpoints, isNamed: fc.boolean(), spelled, carried: onePart })),
    ],
  };
  const offered = Object.entries(parts).filter(([op]) => hasOp(family, op as Op));
  return offered.flatMap(([op, steps]) => (op === 'bulkSubmit' && !hasOp(family, 'create') ? [] : steps));
}

const LONGEST = 30;

/** Sequences of steps over one family, without the looks that follow each write. */
export function sequences(table: FamilyTable, family: Family): fc.Arbitrary<Steps> {
  const isViewed = viewOf(table, family.name) !== undefined;
  const groups = [...writes(table, family), ...looks(family, isViewed)];
  return fc
    .array(fc.oneof(...groups), { minLength: 1, maxLength: LONGEST, size: 'max' })
    .map((drawn) => labeled(family, drawn.flat()));
}

/** The members without numbers that were there before: they differ within a family. */
function distinct(family: Family, set: Fields, used: Set<string>): Fields {
  const isNew = ([member, value]: readonly [string, unknown]) => {
    if (!isNumbered(family, member) || isGenerated(family, member, value)) return true;
    return used.size < used.add(`${member} ${value}`).size;
  };
  return Object.fromEntries(Object.entries(set).filter(isNew));
}

/** The steps with a label of its own for each record that they make, and each number once. */
function labeled(family: Family, steps: Steps): Steps {
  const used = new Set<string>();
  let made = 0;
  const next = () => `record ${++made}`;
  const each = (step: Step): Step => {
    if (step.step === 'together') return { ...step, steps: step.steps.map(each) };
    if (step.step === 'create') return { ...step, as: next(), set: distinct(family, step.set, used) };
    if (step.step === 'update') return { ...step, set: distinct(family, step.set, used) };
    if (step.step !== 'bulk') return step;
    const who = step.action === 'create' ? step.who.map(next) : step.who;
    return { ...step, who, sets: step.sets.map((set) => distinct(family, set, used)) };
  };
  return steps.map(each);
}
