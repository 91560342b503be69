import { choice, type Variation } from '../deviation.ts';
import { ANSWER_VARIATIONS } from './answers.ts';
import { BEHAVIOR_VARIATIONS } from './behavior.ts';
import { LIMIT_VARIATIONS } from './limits.ts';

/** Variations that only choose other values for what is not stated about lists. */
export const LIST_VARIATIONS: readonly Variation[] = [
  choice('V03', 'the first page is 0', 'G-13', { firstPage: 0 }),
  choice('V04', 'default size 10, larger sizes cut to 50', 'G-13', {
    defaultSize: 10,
    maxSize: 50,
    overMaxSize: 'clamp',
  }),
  choice('V04b', 'default size 50, sizes over 200 refused', 'G-13', { defaultSize: 50, maxSize: 200 }),
  choice('V05', 'a page past the end is an empty list', 'G-12', { pastEnd: 'empty' }),
  choice('V09', 'texts are compared without regard to case', 'not stated', { ignoreCase: true }),
  choice('V10', 'sorting disregards case', 'not stated', { sortIgnoresCase: true }),
  choice('V10b', 'records without the field sort first', 'not stated', { absentFirst: true }),
  choice('V11', 'negative operators leave out records without the field', 'not stated', { negativeKeepsAbsent: false }),
  choice('V12', 'filterType takes OR in capitals only', 'the value or', { orValues: ['OR'], andValues: ['AND'] }),
  choice('V12b', 'filterType takes or in small letters only', 'the value or', { orValues: ['or'], andValues: ['and'] }),
  choice('V12c', 'an explicit AND is refused', 'the value or', { andValues: [] }),
  choice('V13', 'GT and LT on texts are refused', 'not stated', { textOrder: 'refuse' }),
  choice('V14', 'filters and sorts on unlisted fields are ignored', 'G-12', { unlistedField: 'ignore' }),
  choice('V14b', 'filters and sorts on unlisted fields are honored', 'G-12', { unlistedField: 'honor' }),
];

export const VARIATIONS: readonly Variation[] = [
  ...LIST_VARIATIONS,
  ...ANSWER_VARIATIONS,
  ...BEHAVIOR_VARIATIONS,
  ...LIMIT_VARIATIONS,
].sort((a, b) => (a.id < b.id ? -1 : 1));
