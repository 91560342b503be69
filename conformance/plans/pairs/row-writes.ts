import { BYSTANDER } from '../../driver/session.ts';
import type { Fields } from '../../model/history.ts';
import type { Likeness, Name, Step, StepOf, Steps } from '../../steps/step.ts';
import { create, read, remove, together, update } from '../make.ts';
import type { Row } from './factors.ts';
import { pointers, relatives, textIn } from './family-facts.ts';
import { asked, sorted, WHOLE } from './row-looks.ts';
import { bulkName, carried, isElder, nameOf, onlyTexts, ownName, type Setting, valuesOf } from './row-values.ts';

/** A write that changes what texts hold, and nothing else. */
export const UPDATE_OF_TEXTS = 'update of texts';

/** One update that changes the name, and each other member. */
export const RENAME_WITH_CHANGES = 'rename with other changes';

/** The record beside the subject, which is made before it if the row says so. */
export function second(setting: Setting, row: Row): Steps {
  const { 'second record': level = 'none' } = row;
  if (level === 'none') return [];
  const name: Name = isElder(row) ? ownName(row) : { of: 'subject', as: level as Likeness };
  const set = valuesOf(setting, row, 'second', 1);
  return [create('second', set, name)];
}

/** Labels of the records of other families that are there for all rows begin so. */
export const RELATIVE = 'relative ';

/** What is done to another record, and whose: made ready first, done where the row says. */
export function others(setting: Setting, row: Row): { readonly ready: Steps; readonly act: Steps } {
  const { others: level = 'nothing', whose = 'same family' } = row;
  if (level === 'nothing') return { ready: [], act: [] };
  const family =
    whose === 'same family' ? {} : { family: relatives(setting.table, setting.family)[whose] ?? setting.family.name };
  // A record that others point at may not be removed.
  const points = whose === 'refers' && !(row['write'] ?? '').endsWith('delete');
  const make: Step = { ...create('other'), ...family, ...(points ? { refersTo: 'subject' } : {}) };
  if (level === 'created') return { ready: [], act: [make] };
  if (level === 'deleted') return { ready: [make], act: [remove('other')] };
  const text = whose === 'same family' ? textIn(setting.table, setting.family, `${setting.word}other`) : {};
  const who = otherOf(row);
  return {
    ready: who === 'other' ? [make] : [],
    act: [update(who, level === 'updated' ? text : {}, level === 'renamed' ? { fresh: '' } : undefined)],
  };
}

export function writeOf(setting: Setting, row: Row): Steps {
  const { write = 'create', form = 'json' } = row;
  const values = valuesOf(setting, row, 'subject', 1);
  const by = { form: form as 'json' | 'xml', carried: carried(row['request']) };
  const change = (set: Fields, name?: Name): StepOf<'update'> => ({ ...update('subject', set, name), ...by });
  // The subject is there already: what comes beside other requests is one more record like it.
  if (write === 'create')
    return (row['beside'] ?? 'nothing') === 'nothing'
      ? []
      : [{ ...create('made', valuesOf(setting, row, 'second', 0), bulkName(row)), ...by }];
  if (write === 'update' || write === UPDATE_OF_TEXTS) return [change(onlyTexts(values))];
  if (write === 'rename') return [change({}, nameOf(row))];
  if (write === RENAME_WITH_CHANGES) return [change(values, nameOf(row))];
  if (write === 'rename in case') return [change({}, { of: 'subject', as: 'other case' })];
  if (write === 'delete') return [remove('subject', by.carried)];
  const bulk = { step: 'bulk', form: 'json', carried: by.carried } as const;
  const beside = (row['second record'] ?? 'none') === 'none' ? [] : ['second'];
  if (write === 'bulk create') {
    const two = { who: ['made', 'made too'], names: [bulkName(row), bulkName(row)] };
    return [{ ...bulk, action: 'create', ...two, sets: [values, valuesOf(setting, row, 'second', 0)] }];
  }
  if (write === 'bulk update') {
    // Each item changes something: one that is left out shows.
    const sets = [values, onlyTexts(valuesOf(setting, row, 'plain', 0))];
    return [{ ...bulk, action: 'update', who: ['subject', beside[0] ?? BYSTANDER], sets }];
  }
  if (write === 'bulk delete') return [{ ...bulk, action: 'delete', who: ['subject', ...beside], sets: [] }];
  const member = write.replace('update ', '');
  if (pointers(setting.table, setting.family).includes(member))
    return [{ ...change({}), refersTo: `${RELATIVE}referred` }];
  return member === write || values[member] === undefined ? [] : [change({ [member]: values[member] })];
}

/** Requests that are sent at the same time as the write. */
export function beside(row: Row, write: Steps, act: Steps): Steps {
  const { beside: level = 'nothing' } = row;
  const looks: Readonly<Record<string, Steps>> = {
    reads: [read(BYSTANDER), WHOLE, ...sorted(row)],
    lists: asked(row, BYSTANDER),
  };
  const [rest, with_] = level === 'a write' ? [[], act] : [act, looks[level] ?? []];
  const isAlone = with_.length === 0 || write.length === 0;
  return [...rest, ...(isAlone ? [...with_, ...write] : [together(...write, ...with_)])];
}

/** Label of the record that was written to beside the subject. All rows share one of each family, unless it has to be new. */
export function otherOf({ others: level = 'nothing', whose = 'same family', write = '' }: Row): string {
  if (level !== 'updated' && level !== 'renamed') return 'other';
  if (whose === 'same family') return BYSTANDER;
  return whose === 'refers' && !write.endsWith('delete') ? 'other' : `${RELATIVE}${whose}`;
}
