import fc from 'fast-check';
import { kindOf } from '../../conformance/kit/list/value.ts';
import { bookOf, type Fields, type Form, type Known, type Write } from '../../conformance/model/history.ts';
import type { ListQuestion, ReadQuestion } from '../../conformance/model/observation.ts';
import { FAMILIES } from '../../lib/contract/families.ts';
import { COMPARING, OPERATOR_NAMES } from '../../lib/contract/list.ts';
import type { Family } from '../../lib/contract/types.ts';
import { isSuccess } from '../../lib/wire/answer.ts';
import { created, type InProcess } from './in-process.ts';

/** Texts and numbers that a program is drawn from. */
export interface Pool {
  readonly names: readonly string[];
  readonly texts: readonly string[];
  readonly operands: readonly string[];
  readonly numbers: readonly number[];
  /** Every write sends every member, and every filter asks what is decided. */
  readonly isPlain: boolean;
}

/** A family that programs write to. */
export interface Subject {
  readonly family: keyof typeof FAMILIES & string;
  readonly view?: 'portal';
  readonly member: (pool: Pool) => fc.Arbitrary<Fields>;
}

const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined, freq: 4 });
const of = (texts: readonly string[]) => fc.constantFrom(...texts);

export const SUBJECTS: readonly Subject[] = [
  {
    family: 'sgt',
    member: ({ texts, numbers }) =>
      fc.record({ description: of(texts), value: fc.constantFrom(...numbers), propogateToApic: fc.boolean() }),
  },
  {
    family: 'mydeviceportal',
    view: 'portal',
    member: ({ texts }) =>
      fc.record({
        description: of(texts),
        portalType: fc.constantFrom('MYDEVICE', 'BYOD'),
        settings: fc.constantFrom({ a: { b: true } }, { a: { b: false }, c: 'x' }, {}),
      }),
  },
  {
    family: 'sgtvnvlan',
    member: ({ texts }) =>
      fc.record({
        description: of(texts),
        sgtId: of(['one', 'two', 'onetwo']),
        virtualnetworklist: fc.constantFrom([], [{ name: 'v' }, { name: 'w', vlans: [] }], [{ name: 'v' }]),
      }),
  },
];

type Act =
  | { readonly kind: 'create'; readonly fields: Fields; readonly form: Form }
  | { readonly kind: 'update'; readonly who: number; readonly fields: Fields; readonly form: Form }
  | { readonly kind: 'delete'; readonly who: number };

interface DrawnQuery {
  readonly inView: boolean;
  readonly criteria: readonly { field: number; operator: number; of: number; cut: number; text: string | undefined }[];
  readonly join: 'and' | 'or' | undefined;
  readonly sort: { readonly field: number; readonly descending: boolean } | undefined;
  readonly size: number | undefined;
}

/** Writes to one family, and questions to its lists. */
export interface Program {
  readonly isPlain: boolean;
  readonly subject: Subject;
  readonly acts: readonly Act[];
  readonly queries: readonly DrawnQuery[];
}

const form = fc.constantFrom<Form>('json', 'json', 'xml');

function actsOf(subject: Subject, pool: Pool): fc.Arbitrary<readonly Act[]> {
  const members = subject.member(pool);
  const some = pool.isPlain
    ? members
    : fc
        .tuple(members, fc.array(fc.boolean(), { minLength: 4, maxLength: 4 }))
        .map(([fields, kept]) =>
          Object.fromEntries(Object.entries(fields).filter((_, at) => kept[at] === true || at === 1)),
        );
  const named = fc.tuple(of(pool.names), some).map(([name, fields]): Fields => ({ name, ...fields }));
  const create = fc.record({ kind: fc.constant('create' as const), fields: named, form });
  const later = fc.oneof(
    { arbitrary: create, weight: 2 },
    { arbitrary: fc.record({ kind: fc.constant('update' as const), who: fc.nat(20), fields: named, form }), weight: 3 },
    { arbitrary: fc.record({ kind: fc.constant('delete' as const), who: fc.nat(20) }), weight: 1 },
  );
  return fc
    .tuple(fc.array(create, { minLength: 3, maxLength: 8 }), fc.array(later, { maxLength: 6 }))
    .map(([first, then]): readonly Act[] => [...first, ...then]);
}

const queryOf = (pool: Pool): fc.Arbitrary<DrawnQuery> =>
  fc.record({
    inView: fc.boolean(),
    criteria: fc.array(
      fc.record({
        ...{ field: fc.nat(9), operator: fc.nat(9), of: fc.nat(20), cut: fc.nat(3) },
        text: fc.option(of(pool.operands), { nil: undefined, freq: 2 }),
      }),
      { maxLength: 3 },
    ),
    join: optional(fc.constantFrom('and' as const, 'or' as const)),
    sort: optional(fc.record({ field: fc.nat(9), descending: fc.boolean() })),
    size: optional(fc.integer({ min: 1, max: 5 })),
  });

/** Programs on one subject or on any. */
export const programs = (pool: Pool, subjects = SUBJECTS): fc.Arbitrary<Program> =>
  fc.constantFrom(...subjects).chain((subject) =>
    fc.record({
      subject: fc.constant(subject),
      acts: actsOf(subject, pool),
      isPlain: fc.constant(pool.isPlain),
      queries: fc.array(queryOf(pool), { minLength: 2, maxLength: 8 }),
    }),
  );

/** What a program did, with the order in which its records were made. */
export interface Played {
  readonly history: readonly Write[];
  readonly ids: readonly string[];
}

const NOTHING: Played = { history: [], ids: [] };

/** Does one write more. */
async function act(target: InProcess, family: string, played: Played, next: Act): Promise<Played> {
  const { history, ids } = played;
  const own = next.kind === 'create' ? undefined : ids[next.who % Math.max(1, ids.length)];
  if (next.kind !== 'create' && own === undefined) return played;
  const sent = next.kind === 'delete' ? {} : next.fields;
  const form = next.kind === 'delete' ? 'json' : next.form;
  const input = { fields: sent, ...(form === 'xml' ? { format: 'xml' as const } : {}), ...(own && { id: own }) };
  const { answer, id = own } =
    next.kind === 'create'
      ? await created(target, family, input)
      : { answer: await target.send(family, next.kind, input) };
  const end = isSuccess(answer) ? 'done' : 'refused';
  if (id === undefined || (next.kind === 'create' && end === 'refused')) return played;
  return {
    ids: next.kind === 'create' ? [...ids, id] : ids,
    history: [...history, { kind: next.kind, family, id, sent, form, end }],
  };
}

/** Does the writes of a program, and gives what was done after each. */
export async function* play(target: InProcess, { subject, acts }: Program): AsyncGenerator<Played> {
  let played = NOTHING;
  for (const next of acts) {
    played = await act(target, subject.family, played, next);
    yield played;
  }
}

/** Does all writes of a program. */
export async function playAll(target: InProcess, program: Program): Promise<Played> {
  let last = NOTHING;
  for await (const played of play(target, program)) last = played;
  return last;
}

/** The questions of a program: reads of all records in every window, and its lists. Operands are parts of what records hold. */
export function questionsOf(
  { subject, queries, isPlain }: Program,
  { history, ids }: Played,
): readonly (ReadQuestion | ListQuestion)[] {
  const { family, view } = subject;
  const known = [...bookOf(history, FAMILIES).values()];
  const reads = ids.flatMap((id): ReadQuestion[] => [
    { window: 'read', family, id, form: 'json' },
    { window: 'read', family, id, form: 'xml' },
    ...(view === undefined ? [] : [{ window: 'view', family: view, id, form: 'json' } as const]),
  ]);
  const lists = queries.map((query): ListQuestion => {
    const asked: Family = FAMILIES[query.inView && view !== undefined ? view : family];
    const sort = asked.sorts[(query.sort?.field ?? 0) % Math.max(1, asked.sorts.length)];
    return {
      window: 'list',
      family: asked.name,
      filters: query.criteria.flatMap((criterion) => filtersOf(asked, criterion, known, isPlain)),
      join: query.join,
      sort:
        query.sort === undefined || sort === undefined ? undefined : { field: sort, descending: query.sort.descending },
      size: query.size,
    };
  });
  return [...reads, { window: 'list', family, filters: [] }, ...lists];
}

function filtersOf(
  asked: Family,
  { field, operator, of: who, cut, text }: DrawnQuery['criteria'][number],
  known: readonly Known[],
  isPlain: boolean,
): ListQuestion['filters'] {
  const name = asked.filters[field % asked.filters.length] as string;
  const held = String(known[who % Math.max(1, known.length)]?.fields[name] ?? 'x');
  const signs = [...held];
  const part = [held, signs.slice(1).join(''), signs.slice(0, -1).join(''), signs.slice(1, 3).join('')][cut];
  const value = text ?? part ?? '';
  const chosen = OPERATOR_NAMES[operator % OPERATOR_NAMES.length] as (typeof OPERATOR_NAMES)[number];
  const filter = { field: name, operator: chosen, value };
  if (value === '') return [];
  const isOrder = chosen === 'GT' || chosen === 'LT';
  const isSmall = known.every(({ fields }) => /^[a-z]*$/.test(String(fields[name] ?? '')));
  if (isPlain && isOrder && kindOf(asked, name) === 'text' && !(isSmall && /^[a-z]+$/.test(value))) return [];
  if (!isPlain || !COMPARING.includes(chosen) || kindOf(asked, name) === 'text') return [filter];
  // What is compared with a number or a truth value is one, and truth values have no order.
  if (kindOf(asked, name) === 'boolean') return [{ ...filter, operator: cut % 2 === 0 ? 'EQ' : 'NEQ', value: held }];
  return [/^\d+$/.test(value) ? { ...filter, value: String(Number(value)) } : { ...filter, value: held }];
}
