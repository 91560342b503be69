import { type Family, type FamilyTable, hasOp } from '../../../lib/contract/types.ts';
import type { Step } from '../../steps/step.ts';
import { create, read, remove, update } from '../make.ts';
import type { Row } from './factors.ts';
import { relatives, siblingsOf, textIn } from './relations.ts';
import type { Setting } from './row-values.ts';
import type { Planned } from './script.ts';

/** A factor with what its levels do to the sequence of a row: one entry, and nothing elsewhere. */
interface Added {
  readonly name: string;
  readonly levels: (table: FamilyTable, family: Family) => readonly string[];
  readonly change: (script: readonly Planned[], level: string, setting: Setting) => readonly Planned[];
}

/** Families in which a record of the same name is made: those beside it in a view, or those that it has to do with and one that it has not. */
function namesakes(table: FamilyTable, family: Family): readonly string[] {
  const all = siblingsOf(table, family);
  return all.length > 0 ? all : [...new Set(Object.values(relatives(table, family)))];
}

/** What is done to the namesakes before the write that the row is about. */
const TO_NAMESAKES: Readonly<Record<string, (who: string) => readonly Step[]>> = {
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
      const made = names.map(
        (family): Step => ({ ...create(labelOf(family), {}, { of: 'subject', as: 'same' }), family }),
      );
      const carry = (steps: readonly Step[]) => steps.map((step): Planned => ({ step, carries: ['elsewhere'] }));
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
      const step = (who: string): readonly Step[] => [
        update(who, textIn(table, family, `${word}last`), { fresh: '' }),
        read(who),
      ];
      const hasSecond = script.some(({ step }) => step.step === 'create' && step.as === 'second');
      const steps = ['subject', ...(hasSecond ? ['second'] : [])].flatMap(step);
      return [...script, ...steps.map((each): Planned => ({ step: each, carries: ['afterwards'] }))];
    },
  },
];

export const withAdded = (script: readonly Planned[], row: Row, setting: Setting): readonly Planned[] =>
  ADDED.reduce((each, { name, change }) => {
    const level = row[name] ?? 'none';
    return level === 'none' ? each : change(each, level, setting);
  }, script);
