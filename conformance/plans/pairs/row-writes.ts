import { BYSTANDER } from '../../driver/session.ts';
import type { Fields } from '../../model/history.ts';
import { type Likeness, type Name, PLAIN, type Step } from '../../steps/step.ts';
import type { Row } from './factors.ts';
import { pointers, relatives, textIn } from './relations.ts';
import { asked, read, sorted, WHOLE } from './row-looks.ts';
import { bulkName, carried, isElder, nameOf, onlyTexts, ownName, type Setting, valuesOf } from './row-values.ts';

/** A write that changes what texts hold, and nothing else. */
export const UPDATE_OF_TEXTS = 'update of texts';

/** The record beside the subject, which is made before it if the row says so. */
export function second(setting: Setting, row: Row): readonly Step[] {
  const { 'second record': level = 'none' } = row;
  if (level === 'none') return [];
  const name: Name = isElder(row) ? ownName(row) : { of: 'subject', as: level as Likeness };
  const set = valuesOf(setting, row, 'second', 1);
  return [{ step: 'create', as: 'second', name, set, form: 'json', carried: PLAIN }];
}

/** Labels of the records of other families that are there for all rows begin so. */
export const RELATIVE = 'relative ';

/** What is done to another record, and whose: made ready first, done where the row says. */
export function others(setting: Setting, row: Row): { readonly ready: readonly Step[]; readonly act: readonly Step[] } {
  const { others: level = 'nothing', whose = 'same family' } = row;
  if (level === 'nothing') return { ready: [], act: [] };
  const family =
    whose === 'same family' ? {} : { family: relatives(setting.table, setting.family)[whose] ?? setting.family.name };
  // A record that others point at may not be removed.
  const points = whose === 'refers' && !(row['write'] ?? '').endsWith('delete');
  const make: Step = {
    ...{ step: 'create', as: 'other', ...family, name: { fresh: '' }, set: {}, form: 'json', carried: PLAIN },
    ...(points ? { refersTo: 'subject' } : {}),
  };
  if (level === 'created') return { ready: [], act: [make] };
  if (level === 'deleted') return { ready: [make], act: [{ step: 'delete', who: 'other', carried: PLAIN }] };
  const name = level === 'renamed' ? { name: { fresh: '' } as const } : {};
  const text = whose === 'same family' ? textIn(setting.table, setting.family, `${setting.word}other`) : {};
  const who = otherOf(row);
  return {
    ready: who === 'other' ? [make] : [],
    act: [{ step: 'update', who, ...name, set: level === 'updated' ? text : {}, form: 'json', carried: PLAIN }],
  };
}

/** True if the record beside the subject is of its family. */
const isBesideIn = ({ 'second record': level = 'none' }: Row): boolean => level !== 'none';

/** The write that the row is about. */
export function writeOf(setting: Setting, row: Row): readonly Step[] {
  const { write = 'create', form = 'json' } = row;
  const values = valuesOf(setting, row, 'subject', 1);
  const by = { form: form as 'json' | 'xml', carried: carried(row['request']) };
  const update = (set: Fields, name?: Name): Step => ({
    step: 'update',
    who: 'subject',
    set,
    ...(name === undefined ? {} : { name }),
    ...by,
  });
  // The subject is there already: what comes beside other requests is one more record like it.
  if (write === 'create')
    return (row['beside'] ?? 'nothing') === 'nothing'
      ? []
      : [{ step: 'create', as: 'made', name: bulkName(row), set: valuesOf(setting, row, 'second', 0), ...by }];
  if (write === 'update' || write === UPDATE_OF_TEXTS) return [update(onlyTexts(values))];
  if (write === 'rename') return [update({}, nameOf(row))];
  if (write === 'rename in case') return [update({}, { of: 'subject', as: 'other case' })];
  if (write === 'delete') return [{ step: 'delete', who: 'subject', carried: carried(row['request']) }];
  if (write === 'bulk create')
    return [
      {
        step: 'bulk',
        action: 'create',
        form: 'json',
        who: ['made', 'made too'],
        sets: [values, valuesOf(setting, row, 'second', 0)],
        names: [bulkName(row), bulkName(row)],
        carried: carried(row['request']),
      },
    ];
  if (write === 'bulk update')
    return [
      {
        step: 'bulk',
        action: 'update',
        form: 'json',
        // Each item changes something: one that is left out shows.
        who: ['subject', isBesideIn(row) ? 'second' : BYSTANDER],
        sets: [values, onlyTexts(valuesOf(setting, row, 'plain', 0))],
        carried: carried(row['request']),
      },
    ];
  if (write === 'bulk delete')
    return [
      {
        ...{ step: 'bulk', action: 'delete', form: 'json', sets: [], carried: carried(row['request']) },
        who: ['subject', ...(isBesideIn(row) ? ['second'] : [])],
      },
    ];
  const member = write.replace('update ', '');
  if (pointers(setting.table, setting.family).includes(member))
    return [{ step: 'update', who: 'subject', set: {}, refersTo: `${RELATIVE}referred`, ...by }];
  return member === write || values[member] === undefined ? [] : [update({ [member]: values[member] })];
}

/** Requests that are sent at the same time as the write. */
export function beside(row: Row, write: readonly Step[], act: readonly Step[]): readonly Step[] {
  const { beside: level = 'nothing' } = row;
  const with_ =
    level === 'a write'
      ? act
      : level === 'reads'
        ? [read(BYSTANDER), WHOLE, ...sorted(row)]
        : level === 'lists'
          ? asked(row, BYSTANDER)
          : [];
  const rest = level === 'a write' ? [] : act;
  const together: readonly Step[] =
    with_.length === 0 || write.length === 0
      ? [...with_, ...write]
      : [{ step: 'together', steps: [...write, ...with_] }];
  return [...rest, ...together];
}

/** Label of the record that was created, deleted or changed beside the subject. One of each family is there for all rows, if it need not be made anew. */
export function otherOf({ others: level = 'nothing', whose = 'same family', write = '' }: Row): string {
  if (level !== 'updated' && level !== 'renamed') return 'other';
  if (whose === 'same family') return BYSTANDER;
  return whose === 'refers' && !write.endsWith('delete') ? 'other' : `${RELATIVE}${whose}`;
}
