import {
  COMPARING,
  type Operator as FilterOperator,
  NEGATIONS,
  OPERATOR_NAMES,
} from '../../../../lib/contract/list.ts';
import { type FamilyTable, type FieldType, fieldsOf, isNumber, offers } from '../../../../lib/contract/types.ts';
import { memberOf } from '../../../../lib/contract/vendor.ts';
import { type Criterion, HOLDS, textOf } from '../../../query/plan.ts';
import type { StoredRecord } from '../../../store/store.ts';
import { grows, type Operator, operators } from '../line.ts';
import { isHeld, isText } from '../members.ts';
import { decided } from '../watch.ts';

interface Asked {
  readonly value: unknown;
  readonly record: StoredRecord;
  readonly criterion: Criterion;
  /** True if the record is on the first page of the whole list. */
  readonly isEarly: () => boolean;
}

interface Mistake {
  readonly title: string;
  readonly fits: (operator: FilterOperator, type: FieldType, isFormed: boolean) => boolean;
  readonly classes?: readonly string[];
  /** Changes the operand and not the comparison. */
  readonly isOperand?: true;
  readonly holds: (asked: Asked) => boolean;
}

const onText = (_: FilterOperator, type: FieldType, isFormed: boolean) => isText(type) && !isFormed;

const operand = (title: string, classes: readonly string[], change: (filter: string) => string): Mistake => ({
  title,
  fits: onText,
  classes,
  isOperand: true,
  holds: ({ value, criterion }) => HOLDS[criterion.operator](value, change(criterion.value)),
});

/** The same question about an integer that wraps around. */
const wrapped = (bits: number): Mistake => ({
  title: `takes its operand modulo 2^${bits}`,
  fits: (operator, type) => isNumber(type) && COMPARING.includes(operator),
  holds: ({ value, criterion }) => {
    const [size, given] = [2 ** bits, Number(criterion.value)];
    const low = ((given % size) + size) % size;
    return HOLDS[criterion.operator](
      value,
      String(bits === 15 ? Math.min(given, size - 1) : low >= size / 2 && bits === 31 ? low - size : low),
    );
  },
});

const ONE_OFF: Readonly<Partial<Record<FilterOperator, (value: unknown, filter: string) => boolean>>> = {
  GT: (value, filter) => HOLDS.GT(value, filter) || HOLDS.EQ(value, filter),
  LT: (value, filter) => HOLDS.LT(value, filter) || HOLDS.EQ(value, filter),
  STARTSW: (value, filter) => HOLDS.STARTSW(value, filter) && textOf(value) !== filter,
  NSTARTSW: (value, filter) => HOLDS.NSTARTSW(value, filter) || textOf(value) === filter,
  ENDSW: (value, filter) => HOLDS.ENDSW(value, filter) && textOf(value) !== filter,
  NENDSW: (value, filter) => HOLDS.NENDSW(value, filter) || textOf(value) === filter,
  CONTAINS: (value, filter) => textOf(value).indexOf(filter) > 0,
  NCONTAINS: (value, filter) => textOf(value).indexOf(filter) < 1,
};

const LOOSER: Readonly<Partial<Record<FilterOperator, FilterOperator>>> = {
  EQ: 'STARTSW',
  NEQ: 'NSTARTSW',
  STARTSW: 'CONTAINS',
  NSTARTSW: 'NCONTAINS',
  ENDSW: 'CONTAINS',
  NENDSW: 'NCONTAINS',
  CONTAINS: 'STARTSW',
  NCONTAINS: 'NSTARTSW',
};

const NEGATED: Readonly<Record<string, FilterOperator>> = {
  ...NEGATIONS,
  ...Object.fromEntries(Object.entries(NEGATIONS).map(([positive, negative]) => [negative, positive])),
  GT: 'LT',
  LT: 'GT',
};

const turned = (filter: string) =>
  [...filter].map((sign) => (sign === sign.toLowerCase() ? sign.toUpperCase() : sign.toLowerCase())).join('');

function decodedTwice(filter: string): string {
  try {
    return decodeURIComponent(filter.replaceAll('+', ' '));
  } catch {
    return filter;
  }
}

const WILD = /[\\^$+?()[\]{}|*.]/g;
function like(filter: string, value: string): boolean {
  const source = filter.replace(WILD, '\\$&').replaceAll('%', '.*').replaceAll('_', '.');
  return new RegExp(`^${source}$`, 's').test(value);
}

const MISTAKES: Readonly<Record<string, Mistake>> = {
  boundary: {
    title: 'is wrong at the boundary',
    fits: (operator, type) => ONE_OFF[operator] !== undefined && (isText(type) || isNumber(type)),
    holds: ({ value, criterion }) => ONE_OFF[criterion.operator]?.(value, criterion.value) ?? false,
  },
  looser: {
    title: 'looks at another part of the value',
    fits: (operator, type) => LOOSER[operator] !== undefined && (isText(type) || isNumber(type)),
    classes: ['digits', 'dots', 'double-blank'],
    holds: ({ value, criterion }) => HOLDS[LOOSER[criterion.operator] ?? 'EQ'](value, criterion.value),
  },
  negated: {
    title: 'says the opposite',
    fits: (operator) => NEGATED[operator] !== undefined,
    classes: ['digits', 'boolean-like', 'quotes', 'percent', 'beyond-ascii', 'long'],
    holds: ({ value, criterion }) => HOLDS[NEGATED[criterion.operator] ?? 'EQ'](value, criterion.value),
  },
  none: {
    title: 'keeps nothing',
    fits: () => true,
    classes: ['markup', 'slash', 'comma', 'operator-like', 'surrogates'],
    holds: () => false,
  },
  all: { title: 'keeps everything', fits: () => true, classes: ['dots', 'quotes', 'capitals'], holds: () => true },
  'wrong-field': {
    title: 'looks at another member',
    fits: onText,
    holds: ({ record, criterion }) => {
      const other = ['description', 'name', 'sgtId'].find(
        (member) => member !== criterion.member && record[member] !== undefined,
      );
      return HOLDS[criterion.operator](other === undefined ? '' : record[other], criterion.value);
    },
  },
  'first-page': {
    title: 'looks at the first page of the records only',
    fits: () => true,
    holds: ({ value, criterion, isEarly }) => isEarly() && HOLDS[criterion.operator](value, criterion.value),
  },
  'overflow-15': wrapped(15),
  'overflow-16': wrapped(16),
  'overflow-31': wrapped(31),
  'as-text': {
    title: 'compares numbers as texts',
    fits: (operator, type) => isNumber(type) && (operator === 'GT' || operator === 'LT'),
    holds: ({ value, criterion }) => HOLDS[criterion.operator](textOf(value), criterion.value),
  },
  case: operand('compares with its operand in the other case', ['capitals', 'beyond-ascii'], turned),
  cut: operand('cuts its operand to 32 characters', ['long'], (filter) => filter.slice(0, 32)),
  squeezed: operand('makes one blank of several in its operand', ['double-blank'], (filter) =>
    filter.replace(/ {2,}/g, ' '),
  ),
  decoded: operand('decodes its operand twice', ['percent'], decodedTwice),
  dotted: operand('takes its operand from the last dot on', ['dots'], (filter) =>
    filter.slice(filter.lastIndexOf('.') + 1),
  ),
  unquoted: operand('takes quotes out of its operand', ['quotes'], (filter) => filter.replace(/["']/g, '')),
  listed: operand('ends its operand at a comma', ['comma'], (filter) => filter.split(',')[0] ?? filter),
  ascii: operand('takes accents off its operand', ['beyond-ascii'], (filter) =>
    filter.normalize('NFD').replace(/[^\u0020-\u007e]/g, ''),
  ),
  like: {
    title: 'takes % and _ of its operand for other characters',
    fits: (operator, type, isFormed) => onText(operator, type, isFormed) && operator === 'EQ',
    classes: ['percent'],
    holds: ({ value, criterion }) => like(criterion.value, textOf(value)),
  },
};

interface Cell {
  readonly family: string;
  readonly field: string;
  readonly type: FieldType;
  readonly isFormed: boolean;
}

function cells(table: FamilyTable): readonly Cell[] {
  return Object.entries(table).flatMap(([family, row]) =>
    row.filters.filter(isHeld(row)).map((field) => {
      const fields = fieldsOf(row);
      const found = fields[memberOf(family, field)] ?? fields[field];
      return { family, field, type: found?.type ?? 'string', isFormed: found?.form !== undefined };
    }),
  );
}

/** Records whose other member differs: the other member must hold a text at all. */
const hasOther = (table: FamilyTable, { family, field }: Cell) =>
  grows(table, family) && !offers(table, family, 'apply') && field !== 'sgtId';

const installFilter =
  ({ holds }: Mistake): Operator['install'] =>
  ({ family, field, operator }, kit, watch, hit) => ({
    query: (inner) => ({
      holds: (record, criterion) => {
        const right = inner.holds(record, criterion);
        const moment = watch.now();
        if (moment?.family !== family || criterion.field !== field || criterion.operator !== operator) return right;
        const { value: asked } = criterion;
        const isHit = decided(moment, asked, () => hit({ key: moment.query, value: asked }));
        const value = record[criterion.member];
        if (!isHit || value === undefined) return right;
        const isEarly = () =>
          kit.seams.store
            .list(family)
            .slice(0, kit.seams.dialect.defaultSize)
            .some(({ id }) => id === record.id);
        return watch.instead(right, holds({ value, record, criterion, isEarly }));
      },
    }),
  });

export const FILTERS = operators('filter', 'operand', MISTAKES, (mistake, id) => ({
  title: ({ family, field, operator }) => `${family}: ${operator} on ${field} ${mistake.title}`,
  places: (table) =>
    cells(table)
      .filter((cell) => id !== 'wrong-field' || hasOther(table, cell))
      // What a deployment ships with holds no blank, quote or sign that these would change.
      .filter(({ family }) => !(id === 'first-page' || mistake.isOperand === true) || grows(table, family))
      .flatMap(({ family, field, type, isFormed }) =>
        OPERATOR_NAMES.flatMap((operator) =>
          mistake.fits(operator, type, isFormed) ? [{ family, field, operator }] : [],
        ),
      ),
  violates: ({ operator }) => [`FOP-${operator}`, 'LST-FILT', 'FLD-*', 'RES-TYPE', 'FOP-*'],
  classes: ({ family, field }, table) => {
    const cell = cells(table).find((each) => each.family === family && each.field === field);
    return cell !== undefined && isText(cell.type) && !cell.isFormed && grows(table, family)
      ? (mistake.classes ?? [])
      : [];
  },
  install: installFilter(mistake),
}));
