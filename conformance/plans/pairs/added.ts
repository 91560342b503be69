import type { Family, FamilyTable } from '../../../lib/contract/types.ts';
import { PLAIN, type Step } from '../../steps/step.ts';
import type { Row } from './factors.ts';
import { relatives, siblingsOf } from './relations.ts';
import { read } from './row-looks.ts';
import type { Setting } from './row-values.ts';
import type { Planned } from './script.ts';

/** A factor with what its levels do to the sequence of a row: one entry, and nothing elsewhere. */
interface Added {
  readonly name: string;
  readonly levels: (table: FamilyTable, family: Family) => readonly string[];
  readonly change: (script: readonly Planned[], level: string, setting: Setting) => readonly Planned[];
}

/** Families in which a record of the same name is made: those beside it in a view, or one that has nothing to do with it. */
function namesakes(table: FamilyTable, family: Family): readonly string[] {
  const all = siblingsOf(table, family);
  const { unrelated } = relatives(table, family);
  return all.length > 0 || unrelated === undefined ? all : [unrelated];
}

/** What is done to the namesakes before the write that the row is about. */
const TO_NAMESAKES: Readonly<Record<string, (who: string) => readonly Step[]>> = {
  made: () => [],
  changed: (who) => [{ step: 'update', who, set: {}, form: 'json', carried: PLAIN }],
  removed: (who) => [{ step: 'delete', who, carried: PLAIN }],
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
    levels: (table, family) => {
      if (namesakes(table, family).length === 0) return ['none'];
      // Only a view could mix up what is done to them.
      return siblingsOf(table, family).length > 0 ? ['none', ...Object.keys(TO_NAMESAKES)] : ['none', 'made'];
    },
    change: (script, level, { table, family }) => {
      const names = namesakes(table, family);
      const labelOf = (name: string) => `elsewhere ${name}`;
      const who = names.map(labelOf);
      const made = names.map(
        (name): Step => ({
          ...{ step: 'create', as: labelOf(name), family: name, name: { of: 'subject', as: 'same' } },
          ...{ set: {}, form: 'json', carried: PLAIN },
        }),
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
];

/** The sequence with what the added factors of the row do. */
export const withAdded = (script: readonly Planned[], row: Row, setting: Setting): readonly Planned[] =>
  ADDED.reduce((each, { name, change }) => {
    const level = row[name] ?? 'none';
    return level === 'none' ? each : change(each, level, setting);
  }, script);
