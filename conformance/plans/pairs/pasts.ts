import { type Family, fieldsOf, hasOp } from '../../../lib/contract/types.ts';
import type { Fields } from '../../model/history.ts';
import { type Name, PLAIN, type Step, type StepOf, type Steps } from '../../steps/step.ts';
import { create, read, remove, update } from '../make.ts';
import type { Row } from './factors.ts';
import { bulkName, carried, isElder, nameOf, onlyTexts, optionalTexts, type Setting, valuesOf } from './row-values.ts';
import { RENAME_WITH_CHANGES, UPDATE_OF_TEXTS } from './row-writes.ts';

interface Hands {
  readonly row: Row;
  readonly made: Fields;
  readonly other: Fields;
  readonly make: (as: string, over?: Partial<StepOf<'create'>>) => Step;
  readonly change: (over: { readonly name?: Name; readonly set: Fields; readonly back?: true }) => Step;
  readonly plain: (turn: 0 | 1) => Fields;
  readonly texts: readonly string[];
}

/** What a record can have been through before the write of a row. */
interface Past {
  readonly fits?: (family: Family, isBulk: boolean) => boolean;
  readonly steps: (hands: Hands) => Steps;
}

const updated = (family: Family): boolean => hasOp(family, 'update');
const wrong = (request: 'update wrong member' | 'create taken'): Step => ({ step: 'wrong', request, who: 'subject' });

const PASTS: Readonly<Record<string, Past>> = {
  nothing: { steps: ({ make }) => [make('subject')] },
  updated: { fits: updated, steps: ({ make, change, plain }) => [make('subject'), change({ set: plain(1) })] },
  // The second update follows the first with no read between them.
  'updated and back': {
    fits: updated,
    steps: ({ make, change, plain }) => [
      ...[make('subject'), change({ set: plain(1) }), change({ set: {}, back: true })],
    ],
  },
  renamed: {
    fits: updated,
    steps: ({ make, change, row }) => [
      make('subject', isElder(row) ? { name: { fresh: '' } } : {}),
      change({ name: isElder(row) ? nameOf(row) : { fresh: '' }, set: {} }),
    ],
  },
  'renamed in case': {
    fits: updated,
    steps: ({ make, change }) => [make('subject'), change({ name: { of: 'subject', as: 'other case' }, set: {} })],
  },
  'renamed and updated': {
    fits: updated,
    steps: ({ make, change, plain, row }) => [
      ...[make('subject', { name: { fresh: '' } }), change({ name: nameOf(row), set: {} }), change({ set: plain(1) })],
    ],
  },
  'updated after a refusal': {
    fits: updated,
    steps: ({ make, change, plain }) => [make('subject'), wrong('update wrong member'), change({ set: plain(1) })],
  },
  'asked for by another create': { steps: ({ make }) => [make('subject'), wrong('create taken')] },
  'made in bulk': {
    fits: (_, isBulk) => isBulk,
    steps: ({ row, made }) => [
      {
        ...{ step: 'bulk', action: 'create', form: 'json', who: ['subject'], sets: [made] },
        ...{ names: [isElder(row) ? nameOf(row) : bulkName(row)], carried: carried(row['request']) },
      },
    ],
  },
  'made with an id': {
    fits: (family) => fieldsOf(family)['id']?.sentOn === 'create+update',
    steps: ({ make }) => [make('subject', { withId: true })],
  },
  'made by XML': { steps: ({ make }) => [make('subject', { form: 'xml' })] },
  'named like a deleted one': {
    steps: ({ make, other, texts }) => [
      // Other values, and then none: what is kept of a record that is gone shows.
      make('old', { set: other, form: 'json', carried: PLAIN, without: [] }),
      remove('old'),
      make('bare', { name: { of: 'old', as: 'same' }, without: texts }),
      read('bare'),
      remove('bare'),
      make('subject', { name: { of: 'old', as: 'same' } }),
    ],
  },
};

export const pastsOf = (family: Family, isBulk: boolean): readonly string[] =>
  Object.entries(PASTS).flatMap(([name, { fits }]) => (fits?.(family, isBulk) === false ? [] : [name]));

/** The steps that make the subject and give it its past. */
export function past(setting: Setting, row: Row): Steps {
  const { before = 'nothing', write = 'create', form = 'json' } = row;
  // What a later write changes is plain at first; everything else has the row's level from the beginning.
  const isTextLater = ['update', UPDATE_OF_TEXTS, RENAME_WITH_CHANGES, 'bulk update'].includes(write);
  const isLater = (member: string) => write === RENAME_WITH_CHANGES || write === `update ${member}`;
  const made = valuesOf(setting, row, isTextLater ? 'plain' : 'subject', 0, isLater);
  // What the row's requests carry, all its writes carry; its form is that of the write it is about.
  const by = carried(row['request']);
  const texts = optionalTexts(setting);
  const hands: Hands = {
    row,
    texts,
    made,
    other: valuesOf(setting, row, 'plain', 1),
    make: (as, over = {}) => ({
      ...create(as, made, ['rename', RENAME_WITH_CHANGES].includes(write) ? { fresh: '' } : nameOf(row)),
      ...{ form: write === 'create' ? (form as 'json' | 'xml') : 'json', carried: by },
      ...(row['length'] === 'left out' ? { without: texts } : {}),
      ...over,
    }),
    change: ({ set, name, ...more }) => ({ ...update('subject', set, name), ...more, carried: by }),
    plain: (turn) => onlyTexts(valuesOf(setting, row, 'plain', turn)),
  };
  const all = (PASTS[before] ?? (PASTS['nothing'] as Past)).steps(hands);
  // The write of the row hides what was wrong before.
  return all.length > 1 ? [...all, read('subject')] : all;
}
