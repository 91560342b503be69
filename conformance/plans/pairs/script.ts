import { type Family, type FamilyTable, hasOp } from '../../../lib/contract/types.ts';
import type { Step, Steps, WrongRequest } from '../../steps/step.ts';
import { create, look, read, remove, update } from '../make.ts';
import type { Row } from './factors.ts';
import { relatives, siblingsOf, textIn } from './family-facts.ts';
import { past } from './pasts.ts';
import { inView, looks, viewed, WHOLE } from './row-looks.ts';
import { carried, isElder, listLook, type Setting } from './row-values.ts';
import { beside, otherOf, others, second, writeOf } from './row-writes.ts';
import { ASKING, TEXTUAL } from './values.ts';

/** A step of a row, with the factors whose levels it brings about: they count as exercised only if it was done. */
export interface Planned {
  readonly step: Step;
  readonly carries: readonly string[];
}

export const carrying = (carries: readonly string[], steps: Steps): readonly Planned[] =>
  steps.map((step) => ({ step, carries }));

/** Factors that the row's own question to a list brings about. */
export const QUERY: readonly string[] = [...ASKING, 'sort', 'size', 'paging', 'look request', 'looks'];
/** Factors of what is written, if the family has them. */
const WRITTEN = ['write', 'before', 'form', 'request', ...TEXTUAL, 'number', 'flag', 'listed value', 'nested'];

/** The sequence of a row, as data. */
export function scriptOf(setting: Setting, row: Row): readonly Planned[] {
  const ROW = WRITTEN.filter((name) => name in row);
  const { before, after, first, observed } = looks(row, setting.family);
  const asked = [...carrying(QUERY, after), ...carrying(['observer'], observed)];
  if (row['write'] === undefined) return asked;
  const { ready, act } = others(setting, row);
  const { refused = 'nothing', 'why refused': why = '' } = row;
  const request = `${refused} ${why}` as WrongRequest;
  const wrong: Steps = refused === 'nothing' ? [] : [{ step: 'wrong', request, who: 'subject' }];
  // The list of everything shows what is in the family; a record elsewhere has to be read.
  const isOwn = (row['others'] ?? 'nothing') === 'nothing' || (row['whose'] ?? 'same family') === 'same family';
  const elsewhere: Steps = isOwn ? [] : [read(otherOf(row))];
  const write = writeOf(setting, row);
  // An update of a member whose value the row leaves out sends nothing, and counts for nothing.
  const isLeftOut = write.length === 0 && row['write'] !== 'create';
  // What a write makes or changes beside the subject: a list need not show what it holds.
  const written = write.flatMap((step) =>
    step.step === 'create' ? [step.as] : step.step === 'bulk' && step.action !== 'delete' ? step.who : [],
  );
  // What an update gives a member, a filter on it finds: an index that keeps the former value shows.
  const changed = write.flatMap((step) => (step.step === 'update' ? Object.keys(step.set) : []));
  const whole = (field: string) => ({ criteria: [{ field, operator: 'EQ', part: 'whole' }] as const });
  const found = setting.family.filters
    .filter((field) => changed.includes(field))
    .map((field) => look(listLook({ size: '100' }, { on: 'own', about: 'subject', ...whole(field) })));
  const ownRead = read('subject', 'json', carried(row['look request']));
  const made = carrying(ROW, past(setting, row));
  const other = carrying(['second record', 'older'], second(setting, row));
  const besides = written.filter((who) => who !== 'subject' && who !== 'second');
  const reads = [...(other.length > 0 ? ['second'] : []), ...besides].map((who) => read(who));
  const script: readonly Planned[] = [
    ...(isElder(row) ? [...other, ...made] : [...made, ...other]),
    ...carrying(['others', 'whose'], ready),
    ...carrying(['observer'], first),
    ...carrying(['looks'], before),
    // A read that is kept for those who ask again shows by the very request.
    ...carrying(['looks'], row['looks'] === 'before too' ? [ownRead, ...inView(setting, row)] : []),
    ...carrying(['refused', 'why refused'], wrong),
    ...carrying(['write'], isLeftOut ? [{ step: 'skip', why: 'no value to send' }] : []),
    ...carrying([...ROW, 'beside', 'others', 'whose'], beside(row, write, act)),
    ...carrying(ROW, [ownRead]),
    ...carrying([], [...reads, ...elsewhere, ...found, WHOLE, ...viewed(setting, row)]),
    ...asked,
  ];
  return ADDED.reduce((each, { name, change }) => {
    const level = row[name] ?? 'none';
    return level === 'none' ? each : change(each, level, setting);
  }, script);
}

/** A factor with what its levels do to the sequence of a row: one entry, and nothing elsewhere. */
interface Added {
  readonly name: string;
  readonly levels: (table: FamilyTable, family: Family) => readonly string[];
  readonly change: (script: readonly Planned[], level: string, setting: Setting) => readonly Planned[];
}

/** Families in which a record of the same name is made: those in one view, or those that it has to do with and one unrelated. */
function namesakes(table: FamilyTable, family: Family): readonly string[] {
  const all = siblingsOf(table, family);
  return all.length > 0 ? all : [...new Set(Object.values(relatives(table, family)))];
}

/** What is done to the namesakes before the write that the row is about. */
const TO_NAMESAKES: Readonly<Record<string, (who: string) => Steps>> = {
  made: () => [],
  changed: (who) => [update(who)],
  removed: (who) => [remove(who)],
};

export const ADDED: readonly Added[] = [
  {
    name: 'first look',
    levels: () => ['none', 'json', 'xml'],
    change: (script, level) => {
      const at = script.findIndex(({ step }) => step.step === 'look');
      const first = { step: read('subject', level as 'json' | 'xml'), carries: ['first look'] };
      return [...script.slice(0, at), first, ...script.slice(at)];
    },
  },
  {
    name: 'elsewhere',
    levels: (table, family) => ['none', ...(namesakes(table, family).length > 0 ? Object.keys(TO_NAMESAKES) : [])],
    change: (script, level, { table, family }) => {
      const names = namesakes(table, family);
      const labelOf = (name: string) => `elsewhere ${name}`;
      const who = names.map(labelOf);
      const same = { of: 'subject', as: 'same' } as const;
      const made = names.map((family): Step => ({ ...create(labelOf(family), {}, same), family }));
      const carry = (steps: Steps) => steps.map((step): Planned => ({ step, carries: ['elsewhere'] }));
      const isPast = ({ carries }: Planned) => carries.includes('write') && !carries.includes('beside');
      const begun = script.findIndex(isPast);
      const from = script.findIndex((each, at) => at > begun && !isPast(each));
      return [
        ...script.slice(0, from),
        ...carry([...made, ...who.flatMap((each) => TO_NAMESAKES[level]?.(each) ?? [])]),
        ...script.slice(from),
        ...carry(who.map((each) => read(each))),
      ];
    },
  },
  {
    // Whatever a record went through, an update of it works.
    name: 'afterwards',
    levels: (_, family) => (hasOp(family, 'update') ? ['none', 'updated'] : ['none']),
    change: (script, _, { word, table, family }) => {
      const step = (who: string): Steps => [
        update(who, textIn(table, family, `${word}last`), { fresh: '' }),
        read(who),
      ];
      const all = ['subject', ...script.flatMap(({ step }) => (step.step === 'create' ? step.as : []))];
      // The one that was made last first: its name may be like that of the other, which has it still.
      const both = [...new Set(all.filter((as) => as === 'subject' || as === 'second').toReversed())];
      const steps = both.flatMap(step);
      return [...script, ...steps.map((each): Planned => ({ step: each, carries: ['afterwards'] }))];
    },
  },
];
