import type { Step, WrongRequest } from '../../steps/step.ts';
import { withAdded } from './added.ts';
import type { Row } from './factors.ts';
import { ASKING, TEXTUAL } from './held.ts';
import { past } from './pasts.ts';
import { inView, looks, read, viewed, WHOLE } from './row-looks.ts';
import { isElder, type Setting } from './row-values.ts';
import { beside, otherOf, others, second, writeOf } from './row-writes.ts';

/** A step of a row, with the factors whose levels it brings about: they count as exercised only if it was done. */
export interface Planned {
  readonly step: Step;
  readonly carries: readonly string[];
}

export const carrying = (carries: readonly string[], steps: readonly Step[]): readonly Planned[] =>
  steps.map((step) => ({ step, carries }));

/** Factors that the row's own question to a list brings about. */
export const QUERY: readonly string[] = [...ASKING, 'sort', 'size', 'paging', 'look request', 'looks'];
/** Factors of what is written, if the family has them. */
const WRITTEN = ['write', 'before', 'form', 'request', ...TEXTUAL, 'number', 'flag', 'listed value', 'nested'];

/** The sequence of a row, as data. */
export function scriptOf(setting: Setting, row: Row): readonly Planned[] {
  const ROW = WRITTEN.filter((name) => name in row);
  const { before, after, observed } = looks(row, setting.family);
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
  const write = writeOf(setting, row);
  // An update of a member whose value the row leaves out sends nothing, and counts for nothing.
  const isLeftOut = write.length === 0 && row['write'] !== 'create';
  // What a write makes or changes beside the subject: a list need not show what it holds.
  const written = write.flatMap((step) =>
    step.step === 'create' ? [step.as] : step.step === 'bulk' && step.action !== 'delete' ? step.who : [],
  );
  const ownRead = read('subject', 'json', row['look request']);
  const made = carrying(ROW, past(setting, row));
  const other = carrying(['second record', 'older'], second(setting, row));
  const besides = written.filter((who) => who !== 'subject' && who !== 'second');
  const reads = [...(other.length > 0 ? ['second'] : []), ...besides].map((who) => read(who));
  const script = [
    ...(isElder(row) ? [...other, ...made] : [...made, ...other]),
    ...carrying(['others', 'whose'], ready),
    ...carrying(['looks'], before),
    // A read that is kept for those who ask again shows by the very request.
    ...carrying(['looks'], row['looks'] === 'before too' ? [ownRead, ...inView(setting, row)] : []),
    ...carrying(['refused', 'why refused'], wrong),
    ...carrying(['write'], isLeftOut ? [{ step: 'skip', why: 'no value to send' }] : []),
    ...carrying([...ROW, 'beside', 'others', 'whose'], beside(row, write, act)),
    ...carrying(ROW, [ownRead]),
    ...carrying([], [...reads, ...elsewhere, WHOLE, ...viewed(setting, row)]),
    ...asked,
  ];
  return withAdded(script, row, setting);
}
