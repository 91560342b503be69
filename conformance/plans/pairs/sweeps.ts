import { COMPARING, OPERATOR_NAMES, type Operator } from '../../../lib/contract/list.ts';
import type { Family } from '../../../lib/contract/types.ts';
import { defined } from '../../../lib/defined.ts';
import type { Depth } from '../../../lib/records/vocabulary.ts';
import { BYSTANDER } from '../../driver/session.ts';
import { kindOf } from '../../kit/list/value.ts';
import { type Criterion, flat, type Part, type Step, type Steps } from '../../steps/step.ts';
import { look, together } from '../make.ts';
import { coveringArray, eachLevel } from './coverage.ts';
import { type Constraint, type Factor, type Model, plainRow, type Row, rule } from './factors.ts';
import { other } from './row-looks.ts';
import { listLook } from './row-values.ts';
import { DENSE, isDotted, signsOf, WILD } from './values.ts';

/** Factors whose levels make a state in which every operator of every field is asked: triples with field and operator. */
const STATES = ['meaning', 'write', 'before', 'refused', 'why refused', 'population', 'look request'];

const WHOLE_SIZE = '100';

/** Rows with each level of the states, the plain row first, alone in a quick run; in a deep run, every two with each sign and length. */
export async function sweepRows(whole: Model, depth: Depth, seed: number): Promise<readonly Row[]> {
  const { factors, constraints } = whole;
  const plain: Row = { ...plainRow(whole), size: WHOLE_SIZE };
  const isSigned = factors.some(({ name }) => name === 'sign');
  if (depth === 'quick') return [plain, ...(isSigned ? [{ ...plain, sign: DENSE, 'second record': 'one sign' }] : [])];
  const states = factors.flatMap(({ name, levels }): Factor[] => {
    // All signs in one text, and a long one: an operator that takes one of them for something else shows, in most states.
    if (name === 'sign') {
      const wild = WILD.filter((sign) => levels.some((level) => signsOf(level).includes(sign)));
      const others = depth === 'deep' ? levels : ['letters', ...levels.filter(isDotted)];
      return [{ name, levels: [DENSE, ...others, ...wild], isCostly: true }];
    }
    if (name === 'length') return [{ name, levels: depth === 'deep' ? levels : ['plain', '1024'] }];
    if (name === 'size') return [{ name, levels: [WHOLE_SIZE, '2'], isCostly: true }];
    if (name === 'sort') return [{ name, levels: depth === 'deep' ? levels : levels.slice(0, 2) }];
    return STATES.includes(name) ? [{ name, levels, isCostly: true }] : [];
  });
  const levelsOf = (name: string) => states.find((state) => state.name === name)?.levels ?? [];
  // A text is asked for while its record is there.
  const gone = levelsOf('write').filter((level) => level.endsWith('delete'));
  const textless = ['meaning', 'sign', 'length'].flatMap((name) => {
    const plainest = plain[name];
    if (plainest === undefined || gone.length === 0) return [];
    return [rule('write', gone, name, [plainest])];
  });
  // A text with a meaning has no other length; signs are in the name then, if the family has two texts.
  const short = rule('meaning', levelsOf('meaning').slice(1), 'length', [plain['length'] ?? 'plain']);
  const isOfStates = ({ factor, levels }: Constraint['when']) =>
    levels.some((level) => levelsOf(factor).includes(level));
  const model: Model = {
    factors: states,
    fixed: {},
    constraints: [...textless, short, ...constraints].filter(({ when, only }) => [when, only].every(isOfStates)),
  };
  const rows = await (depth === 'deep' ? coveringArray(model, seed) : eachLevel(model, seed));
  // What a sign is taken for shows beside a record that differs in it alone.
  const beside = ({ sign = 'letters' }: Row): Row => (sign === 'letters' ? {} : { 'second record': 'one sign' });
  // Several criteria hide from each other what a single one shows: they have rows of their own.
  const joined = factors.find(({ name }) => name === 'criteria')?.levels.slice(1) ?? [];
  const seconds = factors.find(({ name }) => name === 'field')?.levels ?? [];
  return [
    plain,
    ...rows.map((row) => ({ ...plain, ...row, ...beside(row) })),
    ...joined.map((criteria) => ({ ...plain, criteria })),
    ...(joined.includes('two') ? seconds.map((field) => ({ ...plain, criteria: 'two', 'second field': field })) : []),
  ];
}

/** What an operator is asked for: values that tell wrong readings of it from the right one. */
function partsOf(kind: ReturnType<typeof kindOf>, operator: Operator, isWhole: boolean): readonly Part[] {
  // What a record held before its last write shows an index that was not told of it.
  if (kind === 'integer')
    return COMPARING.includes(operator) ? ['whole', 'former', 'wrapped', 'beyond', 'octal'] : ['end'];
  if (kind === 'boolean' || COMPARING.includes(operator)) return ['whole', 'former'];
  return [isWhole ? 'whole' : operator.includes('START') ? 'start' : 'end'];
}

/** Looks of a family at one time: they go over several connections. */
const AT_ONCE = 3;

/** Every operator on every field, asked in the state that the row made. */
export function sweep(family: Family, row: Row, turn: number): Steps {
  const { criteria = 'one', sign = 'letters' } = row;
  const isWhole = turn % 2 === 0 || [DENSE, ...WILD].includes(sign);
  const looks = family.filters.flatMap((field) =>
    OPERATOR_NAMES.flatMap((operator) =>
      partsOf(kindOf(family, field), operator, isWhole).map((part): Step => {
        const first: Criterion = { field, operator, part };
        const second = criteria === 'two values' ? { ...first, of: BYSTANDER } : other(field, row['second field']);
        const all = criteria === 'one' ? [first] : [first, second];
        // Mistakes of every second time need the same question twice.
        return look(listLook(row, { on: 'own', about: 'subject', criteria: all }), criteria !== 'one');
      }),
    ),
  );
  const groups: Step[] = [];
  for (let from = 0; from < looks.length; from += AT_ONCE) groups.push(together(...looks.slice(from, from + AT_ONCE)));
  return groups;
}

/** The rows that the looks of a sweep amount to: one for each question, and for each sign if all are in one text. */
export function rowsAsked({ factors }: Model, row: Row, looks: Steps): readonly Row[] {
  const levels = factors.find(({ name }) => name === 'sign')?.levels ?? [];
  const signs = row['sign'] === DENSE ? levels.filter((level) => !isDotted(level)) : [row['sign']];
  return flat(looks)
    .flatMap((step) =>
      step.step === 'look' && step.look.window === 'list' ? step.look.query.criteria.slice(0, 1) : [],
    )
    .flatMap(({ field, operator, part }) =>
      signs.map((sign): Row => ({ ...row, ...defined({ sign }), field, operator, operand: part })),
    );
}
