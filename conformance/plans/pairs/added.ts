import type { Family, FamilyTable } from '../../../lib/contract/types.ts';
import type { Row } from './factors.ts';
import { read } from './row-looks.ts';
import type { Planned } from './script.ts';

/** A factor with what its levels do to the sequence of a row: one entry, and nothing elsewhere. */
interface Added {
  readonly name: string;
  readonly levels: (table: FamilyTable, family: Family) => readonly string[];
  readonly change: (script: readonly Planned[], level: string, row: Row) => readonly Planned[];
}

export const ADDED: readonly Added[] = [
  {
    name: 'first look',
    levels: () => ['none', 'json', 'xml'],
    change: (script, level) => {
      const at = script.findIndex(({ step }) => step.step === 'look');
      const first = { step: read('subject', level as 'json' | 'xml'), carries: ['first look'] };
      return level === 'none' ? script : [...script.slice(0, at), first, ...script.slice(at)];
    },
  },
];

/** The sequence with what the added factors of the row do. */
export const withAdded = (script: readonly Planned[], row: Row): readonly Planned[] =>
  ADDED.reduce((each, { name, change }) => (row[name] === undefined ? each : change(each, row[name], row)), script);
