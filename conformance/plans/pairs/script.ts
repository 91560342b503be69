import type { Step, WrongRequest } from '../../steps/step.ts';
import { withAdded } from './added.ts';
import type { Row } from './factors.ts';
import { looks, read, WHOLE } from './row-looks.ts';
import type { Setting } from './row-values.ts';
import { beside, otherOf, others, past, second, writeOf } from './row-writes.ts';

/** A step of a row, with the factors whose levels it brings about: they count as exercised only if it was done. */
export interface Planned {
  readonly step: Step;
  readonly carries: readonly string[];
}

/** Steps that bring about the same factors. */
export const carrying = (carries: readonly string[], steps: readonly Step[]): readonly Planned[] =>
  steps.map((step) => ({ step, carries }));

/** Factors that the row's own question to a list brings about. */
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
  const elsewhere: readonly Step[] =
    (row['others'] ?? 'nothing') !== 'nothing' && (row['whose'] ?? 'same family') !== 'same family'
      ? [read(otherOf(row))]
      : [];
  const script = [
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
  return withAdded(script, row, setting);
}
