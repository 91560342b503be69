import { OPERATOR_NAMES, type Operator } from '../../../lib/contract/list.ts';
import type { Family } from '../../../lib/contract/types.ts';
import { kindOf } from '../../kit/list/value.ts';
import type { Criterion, Look, Part, Step } from '../../steps/step.ts';
import type { Model, Row } from './factors.ts';
import { carried } from './row-values.ts';

/** Factors whose levels make a state in which every operator of every field is asked: triples with field and operator. */
const STATES = [
  'sign',
  'meaning',
  'length',
  'write',
  'refused',
  'population',
  'look request',
  'sort',
  'size',
  'criteria',
] as const;

/** Rows that are plain but for one level of a state. */
export function sweepRows({ factors, fixed }: Model): readonly Row[] {
  const plain: Row = {
    ...fixed,
    ...Object.fromEntries(factors.map(({ name, levels }) => [name, levels[0] as string])),
  };
  const isState = (name: string) => (STATES as readonly string[]).includes(name);
  const others = factors
    .filter(({ name }) => isState(name))
    .flatMap(({ name, levels }) => levels.slice(1).map((level) => ({ ...plain, [name]: level })));
  return [
    plain,
    ...others.map((row) =>
      row['refused'] === 'nothing' || row['refused'] === undefined
        ? row
        : { ...row, 'why refused': whyOf(row['refused']) },
    ),
  ];
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
        return { step: 'look', look };
      }),
    ),
  );
  const groups: Step[] = [];
  for (let from = 0; from < looks.length; from += AT_ONCE)
    groups.push({ step: 'together', steps: looks.slice(from, from + AT_ONCE) });
  return groups;
}
