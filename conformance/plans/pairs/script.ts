import type { Operator } from '../../../lib/contract/list.ts';
import { type Family, type FamilyTable, fieldsOf } from '../../../lib/contract/types.ts';
import { BYSTANDER } from '../../driver/session.ts';
import { nameMember, rangeOf } from '../../kit/fields.ts';
import type { Fields } from '../../model/history.ts';
import {
  type Carried,
  type Criterion,
  type Look,
  type Name,
  type Part,
  PLAIN,
  type Query,
  type Step,
  type WrongRequest,
} from '../../steps/step.ts';
import { changeable, type Row, relatives } from './factors.ts';
import { textOf } from './values.ts';

/** What a script is made for. */
export interface Setting {
  readonly table: FamilyTable;
  readonly family: Family;
  /** Values for every member that may be set; the two turns differ. */
  readonly samples: (turn: 0 | 1) => Fields;
  /** A word that no other row has, of small letters. */
  readonly word: string;
  /** Number of the row: numbers of members are unique by it. */
  readonly turn: number;
}

const CARRIED: Readonly<Record<string, Partial<Carried>>> = {
  charset: { type: 'charset' },
  'no type': { type: 'none' },
  'no accept': { accept: 'none' },
  'media type': { mediaType: true },
  csrf: { csrf: true },
  parameter: { extra: true },
};

export const carried = (level: string | undefined): Carried => ({ ...PLAIN, ...CARRIED[level ?? 'plain'] });

/** A number of a member with a range; other rows have others, as they have to differ within a family. */
function numberOf(
  level: string,
  turn: number,
  field: { readonly low: number; readonly high: number; readonly or: readonly number[] },
): number | undefined {
  if (level === 'low') return field.low;
  if (level === 'high') return field.high;
  if (level === 'generated') return field.or[0];
  return level === 'any' ? undefined : Number(level) + turn * 0;
}

/** Whose values: those of the row's levels, those of the record beside it, or plain texts beside the row's other levels. */
type Values = 'subject' | 'second' | 'plain';

/** Members with values; `but` is one that a later write gives its level. */
function valuesOf(
  { table, family, samples, word, turn }: Setting,
  row: Row,
  which: Values,
  sampleTurn: 0 | 1,
  but?: string,
): Fields {
  const name = nameMember(family);
  const base = samples(sampleTurn);
  const mark = textOf('', { sign: row['sign'] ?? 'letters' }).slice(0, -1);
  const text = which === 'plain' ? `${word}${sampleTurn === 0 ? 'p' : 'u'}` : textOf(word, row);
  // The second record differs in the sign alone.
  const shown = which !== 'second' ? text : mark === '' ? `${text.slice(0, -1)}c` : text.replaceAll(mark, '7');
  const entries = changeable(table, family).flatMap((member): [string, unknown][] => {
    const { type } = fieldsOf(family)[member] ?? { type: 'string' };
    const range = rangeOf({ type });
    if (type === 'string' && member !== name) return [[member, shown]];
    if (which === 'second' || member === but) return range !== undefined ? [] : [[member, base[member]]];
    if (type === 'boolean') return [[member, row['flag'] !== 'false']];
    if (range !== undefined) {
      const value = numberOf(row['number'] ?? 'any', turn, range);
      return value === undefined ? [] : [[member, value]];
    }
    if (type === 'object' || type === 'object[]')
      return [
        [member, nested(row['nested'] ?? 'sample', base[member], samples(sampleTurn === 0 ? 1 : 0)[member], type)],
      ];
    return [[member, base[member]]];
  });
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

function nested(level: string, sample: unknown, other: unknown, type: 'object' | 'object[]'): unknown {
  if (level === 'left out' || sample === undefined) return undefined;
  if (level === 'empty') return type === 'object[]' ? [] : {};
  if (level === 'another') return other ?? sample;
  if (level === 'many' && Array.isArray(sample) && Array.isArray(other)) return [...sample, ...other];
  return sample;
}

const SECOND: Readonly<Record<string, Exclude<Name, { readonly fresh: string }>['as']>> = {
  'one sign': 'one sign',
  'other case': 'other case',
  'goes on': 'goes on',
  'long beginning': 'long beginning',
  'one word': 'one word',
  elsewhere: 'same',
};

/** The ending that gives a name the row's text. */
const ending = (row: Row): string => {
  const { sign = 'letters', length = 'plain' } = row;
  const mark = sign === 'letters' ? '' : `${textOf('', { sign }).slice(0, -1)}b`;
  return length === '60' || length === '255' ? mark.padEnd(length === '60' ? 30 : 200, 'z') : mark;
};

function queryOf(row: Row): Query | undefined {
  const {
    field,
    operator,
    operand = 'whole',
    criteria = 'one',
    join = 'left out',
    sort = 'none',
    size = '20',
    paging = 'link',
  } = row;
  if (field === undefined || operator === undefined) return undefined;
  const first: Criterion = { field, operator: operator as Operator, part: operand as Part };
  // What further criteria ask for is chosen by the records there are.
  const more =
    criteria === 'one'
      ? []
      : criteria === 'three'
        ? [other(field), other(field)]
        : [criteria === 'two' ? other(field) : first];
  const [by, direction] = sort.split(' ');
  return {
    criteria: [first, ...more],
    ...(join === 'left out' ? {} : { join: join === 'OR' ? ('or' as const) : ('and' as const) }),
    ...(sort === 'none' || by === undefined ? {} : { sort: { field: by, descending: direction === 'desc' } }),
    ...(size === 'left out' ? {} : { size: Number(size) }),
    paging: paging as 'link' | 'number',
  };
}

const other = (field: string): Criterion => ({ field: `not ${field}`, operator: 'EQ', part: 'whole' });

const look = (each: Look, twice = false): Step => ({
  step: 'look',
  look: each,
  ...(twice ? { twice: true as const } : {}),
});
const read = (who: string, form: 'json' | 'xml' = 'json', by?: string): Step =>
  look({ window: 'read', who, form, carried: carried(by) });

/** The steps that make the subject and give it its past. */
function past(setting: Setting, row: Row): readonly Step[] {
  const { before = 'nothing', write = 'create', form = 'json' } = row;
  const isCreate = write === 'create';
  // What a later write changes is plain at first; everything else has the row's level from the beginning.
  const isTextLater = ['update', 'rename', 'rename in case', 'bulk update'].includes(write);
  const made = valuesOf(setting, row, isTextLater ? 'plain' : 'subject', 0, write.replace('update ', ''));
  const name: Name = { fresh: write === 'rename' ? '' : ending(row) };
  const make = (as: string, over: Partial<Extract<Step, { readonly step: 'create' }>> = {}): Step => ({
    ...{ step: 'create', as, name, set: made, form: 'json', carried: PLAIN },
    ...over,
  });
  const last = isCreate ? { form: form as 'json' | 'xml', carried: carried(row['request']) } : {};
  const plain: Fields = onlyTexts(valuesOf(setting, row, 'plain', 1));
  const change = (over: { readonly name?: Name; readonly set: Fields }): Step => ({
    step: 'update',
    who: 'subject',
    ...over,
    form: 'json',
    carried: PLAIN,
  });
  switch (before) {
    case 'updated':
      return [make('subject', last), change({ set: plain })];
    case 'updated twice':
      return [
        make('subject', last),
        change({ set: plain }),
        change({ set: onlyTexts(valuesOf(setting, row, 'plain', 0)) }),
      ];
    case 'renamed':
      return [make('subject', last), change({ name: { fresh: '' }, set: {} })];
    case 'renamed in case':
      return [make('subject', last), change({ name: { of: 'subject', as: 'other case' }, set: {} })];
    case 'made in bulk':
      return [{ step: 'bulk', action: 'create', form: 'json', who: ['subject'], sets: [made] }];
    case 'made by XML':
      return [make('subject', { ...last, form: 'xml' })];
    case 'name used before':
      return [
        make('old'),
        { step: 'delete', who: 'old', carried: PLAIN },
        make('subject', { ...last, name: { of: 'old', as: 'same' } }),
      ];
    default:
      return [make('subject', last)];
  }
}

/** The record beside the subject. */
function second(setting: Setting, row: Row): readonly Step[] {
  const { 'second record': level = 'none' } = row;
  const as = SECOND[level];
  if (as === undefined) return [];
  const elsewhere = level === 'elsewhere' ? relatives(setting.table, setting.family)['unrelated'] : undefined;
  const set = elsewhere === undefined ? valuesOf(setting, row, 'second', 1) : {};
  return [
    {
      step: 'create',
      as: 'second',
      ...(elsewhere === undefined ? {} : { family: elsewhere }),
      name: { of: 'subject', as },
      set,
      form: 'json',
      carried: PLAIN,
    },
  ];
}

/** What is done to another record, and whose: made ready first, done where the row says. */
function others(setting: Setting, row: Row): { readonly ready: readonly Step[]; readonly act: readonly Step[] } {
  const { others: level = 'nothing', whose = 'same family' } = row;
  if (level === 'nothing') return { ready: [], act: [] };
  const family =
    whose === 'same family' ? {} : { family: relatives(setting.table, setting.family)[whose] ?? setting.family.name };
  const make: Step = {
    step: 'create',
    as: 'other',
    ...family,
    name: { fresh: '' },
    set: {},
    form: 'json',
    carried: PLAIN,
  };
  if (level === 'created') return { ready: [], act: [make] };
  if (level === 'deleted') return { ready: [make], act: [{ step: 'delete', who: 'other', carried: PLAIN }] };
  const name = level === 'renamed' ? { name: { fresh: '' } as const } : {};
  const text = whose === 'same family' ? { description: `${setting.word}other` } : {};
  return {
    ready: [make],
    act: [
      { step: 'update', who: 'other', ...name, set: level === 'updated' ? text : {}, form: 'json', carried: PLAIN },
    ],
  };
}

const onlyTexts = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => typeof value === 'string'));

/** The write that the row is about. */
function writeOf(setting: Setting, row: Row): readonly Step[] {
  const { write = 'create', form = 'json' } = row;
  const values = valuesOf(setting, row, 'subject', 1);
  const by = { form: form as 'json' | 'xml', carried: carried(row['request']) };
  const update = (set: Fields, name?: Name): Step => ({
    step: 'update',
    who: 'subject',
    set,
    ...(name === undefined ? {} : { name }),
    ...by,
  });
  if (write === 'update') return [update(onlyTexts(values))];
  if (write === 'rename') return [update({}, { fresh: ending(row) })];
  if (write === 'rename in case') return [update({}, { of: 'subject', as: 'other case' })];
  if (write === 'delete') return [{ step: 'delete', who: 'subject', carried: carried(row['request']) }];
  if (write === 'bulk create')
    return [
      {
        step: 'bulk',
        action: 'create',
        form: 'json',
        who: ['made', 'made too'],
        sets: [values, valuesOf(setting, row, 'second', 0)],
      },
    ];
  if (write === 'bulk update')
    return [{ step: 'bulk', action: 'update', form: 'json', who: ['subject', 'second'], sets: [values, {}] }];
  if (write === 'bulk delete') return [{ step: 'bulk', action: 'delete', form: 'json', who: ['subject'], sets: [] }];
  const member = write.replace('update ', '');
  return member === write || values[member] === undefined ? [] : [update({ [member]: values[member] })];
}

/** Requests that are sent at the same time as the write. */
function beside(row: Row, write: readonly Step[], act: readonly Step[]): readonly Step[] {
  const { beside: level = 'nothing' } = row;
  const whole: Look = {
    window: 'list',
    on: 'own',
    about: BYSTANDER,
    query: { criteria: [], paging: 'link', size: 100 },
    carried: PLAIN,
  };
  const with_ =
    level === 'a write' ? act : level === 'reads' ? [read(BYSTANDER)] : level === 'lists' ? [look(whole)] : [];
  const rest = level === 'a write' ? [] : act;
  const together: readonly Step[] =
    with_.length === 0 || write.length === 0
      ? [...with_, ...write]
      : [{ step: 'together', steps: [...write, ...with_] }];
  return [...rest, ...together];
}

/** What the row looks at besides the subject and the list of everything. */
function observers(row: Row): readonly Step[] {
  const { observer = 'entry', sort = 'none', size = '20', paging = 'link' } = row;
  const by = row['look request'];
  const [field, direction] = sort.split(' ');
  const list = (on: 'own' | 'view'): Step => {
    const order = sort === 'none' || field === undefined ? {} : { sort: { field, descending: direction === 'desc' } };
    const query: Query = {
      criteria: [],
      ...order,
      ...(size === 'left out' ? {} : { size: Number(size) }),
      paging: paging as 'link' | 'number',
    };
    return look({ window: 'list', on, about: 'subject', query, carried: carried(by) });
  };
  switch (observer) {
    case 'xml':
      return [read('subject', 'xml', by)];
    case 'pages':
      return [list('own')];
    case 'second record':
      return (row['second record'] ?? 'none') === 'none' ? [] : [read('second', 'json', by)];
    case 'view list':
      return [list('view')];
    case 'view read':
      return [look({ window: 'view', who: 'subject', form: 'json', carried: carried(by) })];
    case 'by name':
      return [look({ window: 'name', who: 'subject', form: 'json', carried: PLAIN })];
    default:
      return [];
  }
}

const WHOLE: Step = look({
  window: 'list',
  on: 'own',
  about: 'subject',
  query: { criteria: [], paging: 'link', size: 100 },
  carried: PLAIN,
});

/** The row's own question to a list, before and after the write, and what it looks at besides. */
export function looks(row: Row): {
  readonly before: readonly Step[];
  readonly after: readonly Step[];
  readonly observed: readonly Step[];
} {
  const query = queryOf(row);
  const level = row['looks'] ?? 'once';
  const asked: readonly Step[] =
    query === undefined
      ? []
      : [
          look(
            { window: 'list', on: 'own', about: 'subject', query, carried: carried(row['look request']) },
            level === 'twice',
          ),
        ];
  const isBeside = level === 'other connection' && row['write'] !== undefined && asked.length > 0;
  return {
    before: level === 'before too' ? asked : [],
    // Two requests at one time go over two connections, one of them another than that of the write.
    after: isBeside ? [{ step: 'together', steps: [read(BYSTANDER), ...asked] }] : asked,
    observed: observers(row),
  };
}

/** A step of a row, with the factors whose levels it brings about: they count as exercised only if it was done. */
export interface Planned {
  readonly step: Step;
  readonly carries: readonly string[];
}

export const carrying = (carries: readonly string[], steps: readonly Step[]): readonly Planned[] =>
  steps.map((step) => ({ step, carries }));

export const QUERY = [
  'field',
  'operator',
  'operand',
  'criteria',
  'join',
  'sort',
  'size',
  'paging',
  'look request',
  'looks',
];
const ROW = ['write', 'before', 'form', 'request', 'sign', 'length', 'meaning', 'number', 'flag', 'nested'];

/** The sequence of a row, as data. */
export function scriptOf(setting: Setting, row: Row): readonly Planned[] {
  const { before, after, observed } = looks(row);
  const asked = [...carrying(QUERY, after), ...carrying(['observer'], observed)];
  if (row['write'] === undefined) return asked;
  const { ready, act } = others(setting, row);
  const { refused = 'nothing', 'why refused': why = '' } = row;
  const wrong: readonly Step[] =
    refused === 'nothing' ? [] : [{ step: 'wrong', request: `${refused} ${why}` as WrongRequest, who: 'subject' }];
  // The list of everything shows what is in the family; a record elsewhere has to be read.
  const elsewhere: readonly Step[] = [
    ...(row['second record'] === 'elsewhere' ? [read('second')] : []),
    ...((row['others'] ?? 'nothing') !== 'nothing' && (row['whose'] ?? 'same family') !== 'same family'
      ? [read('other')]
      : []),
  ];
  return [
    ...carrying(ROW, past(setting, row)),
    ...carrying(['second record'], second(setting, row)),
    ...carrying(['others', 'whose'], ready),
    ...carrying(['looks'], before),
    ...carrying(['refused', 'why refused'], wrong),
    ...carrying([...ROW, 'beside', 'others', 'whose'], beside(row, writeOf(setting, row), act)),
    ...carrying(ROW, [read('subject', 'json', row['look request'])]),
    ...carrying([], [...elsewhere, WHOLE]),
    ...asked,
  ];
}
