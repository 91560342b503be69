import { OPERATOR_NAMES } from '../../../lib/contract/list.ts';
import { type Family, type FamilyTable, fieldsOf, hasOp, type Op } from '../../../lib/contract/types.ts';
import { isCreatable, isServerFilled, isTold } from '../../kit/fields.ts';
import { kindOf } from '../../kit/list/value.ts';
import { changeable, pointers, refusalsOf, relatives } from './family-facts.ts';
import { pastsOf } from './pasts.ts';
import { observersOf } from './row-looks.ts';
import { BETWEEN, REQUESTS } from './row-values.ts';
import { RENAME_WITH_CHANGES, UPDATE_OF_TEXTS } from './row-writes.ts';
import { ADDED } from './script.ts';
import {
  hasText,
  LEFT_OUT,
  LENGTHS,
  listedLevels,
  listedMembers,
  MEANINGS,
  markOf,
  NUMBERS,
  nestedLevels,
  signLevels,
} from './values.ts';

/** Something that may matter for what a deployment does, with its levels, the plainest one first. */
export interface Factor {
  readonly name: string;
  readonly levels: readonly string[];
  /** True if every level but the plainest takes requests of its own. */
  readonly isCostly?: true;
}

const costly = (name: string, levels: readonly string[]): Factor => ({ isCostly: true, name, levels });

/** One level of each factor. */
export type Row = Readonly<Record<string, string>>;

/** A combination that makes no sense: if the one factor has one of these levels, the other must have one of those. */
export interface Constraint {
  readonly when: { readonly factor: string; readonly levels: readonly string[] };
  readonly only: { readonly factor: string; readonly levels: readonly string[] };
}

type Levels = readonly string[];

export const rule = (factor: string, levels: Levels, other: string, allowed: Levels): Constraint => ({
  ...{ when: { factor, levels }, only: { factor: other, levels: allowed } },
});

export interface Model {
  readonly factors: readonly Factor[];
  /** Factors with one level only, which are part of every row. */
  readonly fixed: Row;
  readonly constraints: readonly Constraint[];
}

/** Levels of a factor that has several; none of any other. */
const levelsIn = (all: readonly Factor[]) => (name: string) =>
  all.find((factor) => factor.name === name && factor.levels.length > 1)?.levels ?? [];

/** The model of the factors, with the constraints that are about levels of theirs. */
export function modelWith(all: readonly Factor[], constraints: readonly Constraint[]): Model {
  const levelsOf = levelsIn(all);
  const has = ({ factor, levels }: Constraint['when']) => levels.some((level) => levelsOf(factor).includes(level));
  return {
    factors: all.filter(({ levels }) => levels.length > 1),
    fixed: Object.fromEntries(
      all.flatMap(({ name, levels: [one, ...more] }) => (one === undefined || more.length > 0 ? [] : [[name, one]])),
    ),
    constraints: constraints.filter((each) => has(each.when) && levelsOf(each.only.factor).length > 0),
  };
}

/** The plainest level of each factor. */
export const plainRow = ({ factors, fixed }: Model): Row => ({
  ...fixed,
  ...Object.fromEntries(factors.map(({ name, levels }) => [name, levels[0] as string])),
});

const TEXT_WRITES = [UPDATE_OF_TEXTS, RENAME_WITH_CHANGES];
const NUMERIC = ['zero', 'negative', 'beyond', 'octal'];

const OPERANDS = ['whole', 'start', 'middle', 'end', 'other case', 'other form', 'former', 'of nobody'];
/** The address of an endpoint has no other written form that is sure to be taken. */
const ADDRESSES = OPERANDS.filter((level) => level !== 'other form');

const betweenIn = (family: Family) => Object.keys(BETWEEN).filter((level) => hasOp(family, BETWEEN[level] as Op));

/** Factors of a query: section "List query parameters". */
export function queryFactors(family: Family): readonly Factor[] {
  const { filters, sorts } = family;
  const isNumeric = filters.some((field) => kindOf(family, field) === 'integer');
  const criteria: readonly Factor[] = [
    { name: 'field', levels: filters },
    { name: 'operator', levels: OPERATOR_NAMES },
    { name: 'operand', levels: [...(hasOp(family, 'apply') ? ADDRESSES : OPERANDS), ...(isNumeric ? NUMERIC : [])] },
    {
      name: 'criteria',
      levels: ['one', 'two on one field', 'two values', ...(filters.length > 1 ? ['two', 'three'] : [])],
    },
    { name: 'join', levels: ['left out', 'AND', 'OR'] },
  ];
  return [
    ...(filters.length === 0 ? [] : criteria),
    { name: 'sort', levels: ['none', ...sorts.flatMap((field) => [`${field} asc`, `${field} desc`])] },
    // Without filters each page holds records of all rows, and small ones cost a walk through them.
    costly('size', filters.length === 0 ? ['20', '5'] : ['20', 'left out', '1', '2', '3', '5', '100']),
    { name: 'paging', levels: ['link', 'number'] },
    { name: 'look request', levels: ['plain', 'media type', 'csrf', 'parameter', 'everything', 'no accept'] },
    costly('looks', ['once', 'twice', 'before too', 'other connection', ...betweenIn(family)]),
  ];
}

export interface Target {
  readonly isFull: boolean;
  /** Whether some text of the family may hold the sign. */
  readonly isTaken: (sign: string) => boolean;
  /** Whether the target takes each of the listed values of the member. */
  readonly isListed: (member: string) => boolean;
}

/** Factors of what is written: section "Special paths", and the field tables. */
function writeFactors(table: FamilyTable, family: Family, { isFull, isTaken, isListed }: Target): readonly Factor[] {
  const listed = listedMembers(family).filter(({ member }) => isListed(member));
  const fixed = listedMembers(family).flatMap(({ member }) => (isListed(member) ? [] : member));
  const members = changeable(table, family).filter((each) => !fixed.includes(each));
  const types = Object.entries(fieldsOf(family)).filter(([member]) => members.includes(member));
  const isUpdated = hasOp(family, 'update');
  const isBulk = isFull && hasOp(family, 'bulkSubmit');
  const isTyped = (what: (type: unknown) => boolean) => types.some(([, { type }]) => what(type));
  const isOf = (kind: 'object' | 'object[]') => isTyped((type) => type === kind);
  const refusals = refusalsOf(table, family);
  const each = [...members, ...pointers(table, family)]
    .filter((member) => member !== 'description' && !isServerFilled(family, member))
    .map((member) => `update ${member}`);
  // The text holds the row's sign and length, and not what it looks like.
  const renames = ['rename', ...(members.length > 0 ? [RENAME_WITH_CHANGES] : []), 'rename in case'];
  const updates = ['update', ...(hasText(family) ? [UPDATE_OF_TEXTS] : []), ...renames, ...each];
  return [
    costly('write', [
      'create',
      ...(isUpdated ? updates : []),
      ...(hasOp(family, 'delete') ? ['delete'] : []),
      ...(isBulk ? ['bulk create', ...(isUpdated ? ['bulk update'] : []), 'bulk delete'] : []),
    ]),
    costly('before', pastsOf(family, isBulk)),
    costly('refused', ['nothing', ...Object.keys(refusals)]),
    { name: 'why refused', levels: ['-', ...new Set(Object.values(refusals).flat())] },
    costly('second record', ['none', 'one sign', 'other case', 'goes on', 'long beginning', 'one word']),
    { name: 'older', levels: ['subject', 'second'] },
    costly('others', ['nothing', 'created', 'deleted', ...(isUpdated ? ['updated', 'renamed'] : [])]),
    { name: 'whose', levels: ['same family', ...Object.keys(relatives(table, family))] },
    { name: 'form', levels: ['json', 'xml'] },
    { name: 'request', levels: REQUESTS },
    { name: 'beside', levels: ['nothing', 'a write', 'reads', 'lists'] },
    { name: 'sign', levels: signLevels(isTaken) },
    { name: 'length', levels: LENGTHS },
    // A text with a meaning has no other length: often enough there is none.
    costly(
      'meaning',
      Object.keys(MEANINGS).filter((like) => isTold(family, like)),
    ),
    ...(isTyped((type) => typeof type === 'object' && type !== null && 'range' in type)
      ? [{ name: 'number', levels: NUMBERS }]
      : []),
    ...(isTyped((type) => type === 'boolean') ? [{ name: 'flag', levels: ['true', 'false'] }] : []),
    ...(listed[0] === undefined ? [] : [{ name: 'listed value', levels: listedLevels(listed[0].values) }]),
    ...(isOf('object') || isOf('object[]') ? [{ name: 'nested', levels: nestedLevels(isOf) }] : []),
    { name: 'population', levels: ['few', 'many'] },
    ...ADDED.map(({ name, levels }) => costly(name, levels(table, family))),
  ];
}

/** The factors of a family's sequences, from its tables and what the target takes. */
export function modelOf(table: FamilyTable, family: Family, target: Target): Model {
  const isWritten = isCreatable(family) && hasOp(family, 'read');
  const written = isWritten ? writeFactors(table, family, target) : [];
  const observer = { name: 'observer', levels: observersOf(table, family) };
  const all = hasOp(family, 'list') ? [observer, ...written, ...queryFactors(family)] : written;
  const levelsOf = levelsIn(all);
  const numeric = family.filters.filter((field) => kindOf(family, field) === 'integer');
  const but = (name: string, ...left: readonly string[]) => levelsOf(name).filter((level) => !left.includes(level));
  const foreign = levelsOf('sign').filter((level) => /[^ -~\s]/.test(markOf(level)));
  const constraints = [
    rule('operand', NUMERIC, 'field', numeric),
    // A text that means something is that text and nothing else; a second one, the name, may hold the signs.
    ...(hasText(family)
      ? []
      : [
          rule('meaning', but('meaning', 'none'), 'sign', ['letters']),
          rule('meaning', but('meaning', 'none'), 'length', ['plain']),
          rule('sign', but('sign', 'letters'), 'length', but('length', 'empty', 'left out', 'one')),
          // Another sequence may have given that name in the other family.
          rule('meaning', but('meaning', 'none'), 'elsewhere', ['none']),
        ]),
    rule('write', [UPDATE_OF_TEXTS], 'meaning', ['none']),
    // An update of a member gives it a value, and another one than the record has.
    ...LEFT_OUT.map(([factor, level, holds]) =>
      rule(
        'write',
        Object.entries(fieldsOf(family)).flatMap(([member, { type }]) => (holds(type) ? [`update ${member}`] : [])),
        factor,
        but(factor, level),
      ),
    ),
    // A sign that may be read as a pattern shows beside a record that differs in it alone.
    rule('sign', but('sign', 'letters'), 'second record', but('second record', 'none')),
    ...(isWritten
      ? Object.entries(refusalsOf(table, family)).map(([op, why]) => rule('refused', [op], 'why refused', why))
      : []),
    rule('refused', ['nothing'], 'why refused', ['-']),
    // The name of the subject is like that of the older record, and not what the row says otherwise.
    rule('second record', ['none'], 'older', ['subject']),
    rule('older', ['second'], 'meaning', ['none']),
    rule('older', ['second'], 'before', but('before', 'renamed in case')),
    rule('older', ['second'], 'write', but('write', 'rename in case')),
    rule('population', ['many'], 'size', but('size', '1', '2')),
    rule('looks', betweenIn(family), 'size', ['1', '2', '3', '5']),
    rule('others', ['nothing'], 'whose', ['same family']),
    rule('write', ['delete', 'bulk delete', 'bulk create', 'bulk update'], 'form', ['json']),
    rule('write', ['bulk create', 'bulk update', 'bulk delete'], 'request', but('request', 'no type')),
    rule('write', ['delete'], 'request', but('request', 'charset', 'no type')),
    // How XML tells an empty text from one that was left out is not shown.
    rule('length', ['empty'], 'form', ['json']),
    // A charset says how to read what is beyond ASCII, and nothing else.
    ...(foreign.length === 0
      ? []
      : [
          rule('request', ['charset'], 'sign', foreign),
          rule('request', ['charset'], 'second record', but('second record', 'none')),
        ]),
    // A create leaves a text out; what an update leaves out may stay or go.
    rule('length', ['left out'], 'write', but('write', 'update', ...TEXT_WRITES, 'bulk update', 'bulk create')),
    // A body without a type is taken for the usual one.
    rule('request', ['no type'], 'form', ['json']),
  ];
  return modelWith(all, constraints);
}
