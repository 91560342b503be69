import { COMPARING, OPERATOR_NAMES } from '../../../lib/contract/list.ts';
import { type Family, type FamilyTable, type FieldType, fieldsOf, isNumber } from '../../../lib/contract/types.ts';
import { memberOf, vendorFacts } from '../../../lib/contract/vendor.ts';
import { type Criterion, HOLDS, textOf } from '../../query/plan.ts';
import type { Fields } from '../../seams.ts';
import { nameMember, nameOf } from '../../store/store.ts';
import { cross, has, type Levels } from '../generated/line.ts';
import { isText } from '../generated/members.ts';
import { grows, type Mistake, QUOTES } from './effects.ts';

/** Places in fields of a type that a family filters by, if its lists grow. */
const inFields = (table: FamilyTable, isType: (type: FieldType) => boolean, levels: Levels) =>
  Object.values(table).flatMap((row) =>
    cross(table, ({ name }) => name === row.name && grows(row), {
      field: row.filters.filter((field) => {
        const member = fieldsOf(row)[memberOf(row.name, field)];
        return member === undefined ? row.viewOf !== undefined && isType('string') : isType(member.type);
      }),
      ...levels,
    }),
  );

function operandMistake(
  about: Pick<Mistake, 'id' | 'title' | 'places'>,
  isIt: (value: string) => boolean,
  holds: (value: unknown, criterion: Criterion, effect: unknown) => boolean,
): Mistake {
  return {
    ...about,
    sentence: QUOTES.filter,
    violates: ({ family, operator }) => [`FLD-${family}`, 'LST-FILT', `FOP-${operator}`],
    install: ({ family, field, operator, effect }, _kit, watch) => ({
      query: (inner) => ({
        holds: (record, criterion) => {
          const right = inner.holds(record, criterion);
          const isMine = watch.now()?.family === family && criterion.field === field && criterion.operator === operator;
          if (!isMine || !watch.meets(isIt(criterion.value))) return right;
          return watch.instead(right, holds(record[criterion.member] ?? '', criterion, effect));
        },
      }),
    }),
  };
}

const IN_DOTS = new RegExp(`\\.(${OPERATOR_NAMES.join('|')})(?:\\.|$)`);

const OPERANDS: readonly Mistake[] = [
  operandMistake(
    {
      id: 'values-number-form',
      title: 'this filter reads a number with leading zeros so',
      places: (table) => inFields(table, isNumber, { operator: COMPARING, effect: ['octal', 'text', 'zero'] }),
    },
    (value) => /^-?0\d+$/.test(value),
    (value, { operator, value: asked }, effect) => {
      if (effect === 'text') return HOLDS[operator](textOf(value), asked);
      return HOLDS[operator](value, effect === 'zero' ? '0' : String(Number.parseInt(asked, 8)));
    },
  ),
  operandMistake(
    {
      id: 'values-minus-one',
      title: 'this filter takes -1 for no operand, and says the opposite',
      places: (table) => inFields(table, isNumber, { operator: COMPARING }),
    },
    (value) => value === '-1',
    (value, { operator, value: asked }) => !HOLDS[operator](value, asked),
  ),
  operandMistake(
    {
      id: 'values-operator-in-dots',
      title: "this filter, with an operator's name between dots in its value, does this",
      places: (table) =>
        inFields(table, isText, {
          operator: OPERATOR_NAMES,
          effect: ['takes-that-operator', 'ends-before', 'begins-after', 'keeps-all'],
        }),
    },
    (value) => IN_DOTS.test(value),
    (value, { operator, value: asked }, effect) => {
      const [head = '', inner = operator, tail = ''] = asked.split(IN_DOTS);
      if (effect === 'keeps-all') return true;
      return HOLDS[effect === 'takes-that-operator' ? (inner as typeof operator) : operator](
        value,
        effect === 'ends-before' ? head : tail,
      );
    },
  ),
];

/** Names that read like a value of another type, and that value. */
const LIKE: Readonly<Record<string, readonly [RegExp, (name: string) => unknown]>> = {
  number: [/^-?(0|[1-9]\d*)(\.\d+)?$/, Number],
  'zero-led': [/^0\d+$/, Number],
  exponent: [/^\d+[eE][+-]?\d+$/, Number],
  boolean: [/^(true|false)$/i, (name) => name.toLowerCase() === 'true'],
  null: [/^(null|undefined|nan|none)$/i, () => null],
  list: [/^(\[.*\]|\{.*\})$/, () => []],
};

const namedBy = (kind: 'filters' | 'sorts') => (row: Family) =>
  grows(row) && row[kind].some((field) => memberOf(row.name, field) === nameMember(row.name));
const EFFECTS: Readonly<
  Record<string, { readonly fits: (row: Family) => boolean; readonly violates: (family: string) => readonly string[] }>
> = {
  'read-as-one': {
    fits: (row) => grows(row) && has('read')(row),
    violates: (family) => ['RES-TYPE', `OP-${family}-R`, 'PAY-C', 'LIST-GET'],
  },
  'listed-as-one': {
    fits: (row) => grows(row) && vendorFacts(row.name).listMembers.includes('name'),
    violates: (family) => ['RES-TYPE', `OP-${family}-L`, 'LIST-GET'],
  },
  'found-by-no-EQ': { fits: namedBy('filters'), violates: (family) => ['FOP-EQ', 'LST-FILT', `FLD-${family}`] },
  'sorted-first': { fits: namedBy('sorts'), violates: () => ['LST-SORT'] },
};

const LIKE_VALUES: Mistake = {
  id: 'values-name-like',
  title: 'a name that reads like this is that',
  sentence: `| name | string | resource name | … ${QUOTES.filter} … field to sort ascending`,
  places: (table) =>
    Object.entries(EFFECTS).flatMap(([effect, { fits }]) =>
      cross(table, fits, { like: Object.keys(LIKE), effect: [effect] }),
    ),
  violates: ({ family, effect }) => EFFECTS[String(effect)]?.violates(family) ?? [],
  install: ({ family, like, effect }, _kit, watch) => {
    const member = nameMember(family);
    const [pattern, read] = LIKE[String(like)] ?? [/$^/, String];
    const isIt = (name: unknown) => watch.meets(pattern.test(String(name)));
    const retyped = (name: string, shown: Fields, as: string) =>
      name === family && effect === as && isIt(shown[member])
        ? watch.changes({ ...shown, [member]: read(String(shown[member])) })
        : shown;
    return {
      present: (inner) => ({
        read: (name, record) => retyped(name, inner.read(name, record), 'read-as-one'),
        entry: (name, record, at) => retyped(name, inner.entry(name, record, at), 'listed-as-one'),
      }),
      query: (inner) => ({
        holds: (record, criterion) => {
          const right = inner.holds(record, criterion);
          const isMine = effect === 'found-by-no-EQ' && watch.now()?.family === family && criterion.operator === 'EQ';
          return isMine && criterion.member === member && right && isIt(criterion.value) ? watch.changes(false) : right;
        },
        order: (plan) => {
          const order = inner.order(plan);
          if (plan.family !== family || effect !== 'sorted-first' || plan.sort?.member !== member) return order;
          const rank = (record: Fields) => (isIt(nameOf(family, record)) ? 0 : 1);
          return (a, b) => (rank(a) === rank(b) ? (order?.(a, b) ?? 0) : watch.changes(rank(a) - rank(b)));
        },
      }),
    };
  },
};

export const ASKED_VALUES: readonly Mistake[] = [...OPERANDS, LIKE_VALUES];
