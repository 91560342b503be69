import { OPERATOR_NAMES, type Operator } from '../../../lib/contract/list.ts';
import type { Family } from '../../../lib/contract/types.ts';
import type { Depth } from '../../../lib/records/vocabulary.ts';
import { kindOf } from '../../kit/list/value.ts';
import type { Criterion, Look, Part, Step } from '../../steps/step.ts';
import type { Model, Row } from './factors.ts';
import { carried } from './row-values.ts';
import { DENSE } from './values.ts';

/** Factors whose levels make a state in which every operator of every field is asked: triples with field and operator. */
const STATES = ['meaning', 'write', 'refused', 'population', 'look request', 'criteria'] as const;
/** The same for a deep run, with each sign by itself. */
const DEEP_STATES = [...STATES, 'sign', 'length', 'sort', 'size'] as const;

/** Rows that are plain but for one level of a state. In a quick run the plain row alone. */
export function sweepRows({ factors, fixed }: Model, depth: Depth): readonly Row[] {
  const plain: Row = {
    ...fixed,
    ...Object.fromEntries(factors.map(({ name, levels }) => [name, levels[0] as string])),
  };
  if (depth === 'quick') return [plain];
  const states: readonly string[] = depth === 'deep' ? DEEP_STATES : STATES;
  const rows = factors
    .filter(({ name }) => states.includes(name))
    .flatMap(({ name, levels }) => levels.slice(1).map((level): Row => ({ ...plain, [name]: level })));
  const withReason = (row: Row): Row =>
    row['refused'] === undefined || row['refused'] === 'nothing'
      ? row
      : { ...row, 'why refused': whyOf(row['refused']) };
  // All signs in one text, and a long one: an operator that takes one of them for something else shows.
  const dense: readonly Row[] =
    'sign' in plain
      ? [
          { ...plain, sign: DENSE },
          { ...plain, length: '1024' },
        ]
      : [];
  const [, sorted] = factors.find(({ name }) => name === 'sort')?.levels ?? [];
  const paged: Row = { ...plain, size: '2', ...(sorted === undefined ? {} : { sort: sorted }) };
  return [plain, ...dense, paged, ...rows.map(withReason)];
}

/** A reason that each kind of refused request can have in every family. */
const whyOf = (refused: string): string =>
  ({ create: 'broken', update: 'broken', delete: 'gone', read: 'unknown', list: 'unknown field' })[refused] ?? 'gone';

const COMPARING: readonly Operator[] = ['EQ', 'NEQ', 'GT', 'LT'];

/** What an operator is asked for: values that tell wrong readings of it from the right one. */
function partsOf(kind: ReturnType<typeof kindOf>, operator: Operator, turn: number): readonly Part[] {
  if (kind === 'integer') return COMPARING.includes(operator) ? ['whole', 'wrapped', 'beyond'] : ['end'];
  if (kind === 'boolean') return ['whole'];
  return COMPARING.includes(operator)
    ? ['whole']
    : [turn % 2 === 0 ? 'whole' : operator.includes('START') ? 'start' : 'end'];
}

/** Looks of a family at one time: they go over several connections. */
const AT_ONCE = 3;

/** Every operator on every field, asked in the state that the row made. */
export function sweep(family: Family, row: Row, turn: number): readonly Step[] {
  const { sort = 'none', size = '20', criteria = 'one' } = row;
  const [by, direction] = sort.split(' ');
  const order = sort === 'none' || by === undefined ? {} : { sort: { field: by, descending: direction === 'desc' } };
  const looks = family.filters.flatMap((field) =>
    OPERATOR_NAMES.flatMap((operator) =>
      partsOf(kindOf(family, field), operator, turn).map((part): Step => {
        const first: Criterion = { field, operator, part };
        const more: readonly Criterion[] =
          criteria === 'one' ? [] : [{ field: `not ${field}`, operator: 'EQ', part: 'whole' }];
        const look: Look = {
          ...{ window: 'list', on: 'own', about: 'subject', carried: carried(row['look request'] ?? 'plain') },
          query: {
            criteria: [first, ...more],
            ...order,
            ...(size === 'left out' ? {} : { size: Number(size) }),
            paging: 'link',
          },
        };
        // Mistakes of every second time need the same question twice.
        return { step: 'look', look, ...(criteria === 'one' ? {} : { twice: true as const }) };
      }),
    ),
  );
  const groups: Step[] = [];
  for (let from = 0; from < looks.length; from += AT_ONCE)
    groups.push({ step: 'together', steps: looks.slice(from, from + AT_ONCE) });
  return groups;
}
