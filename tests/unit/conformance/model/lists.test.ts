import { describe, expect, it } from 'vitest';
import type { Write } from '../../../../conformance/model/history.ts';
import type { ListFacts } from '../../../../conformance/model/list.ts';
import type { Observation } from '../../../../conformance/model/observation.ts';
import { by, create, list, told, update } from '../../../helpers/histories.ts';

type Row = readonly [rule: string, seen: Observation, expected: string | undefined, facts?: Partial<ListFacts>];

const sgt = (id: string, name: string, value: number) => create({ name, value }, { id });
/** Five groups; `e` was made last, `b` was renamed before. */
const FIVE: readonly Write[] = [
  ...[sgt('a', 'alpha', 9), sgt('b', 'beta', 10), sgt('c', 'gamma', 100), sgt('d', 'delta', 1000)],
  update({ name: 'zeta', value: 10 }, { id: 'b' }),
  sgt('e', 'eta', 20),
];
const BY_NAME = { sort: { field: 'name', descending: false } } as const;
const BY_DESCRIPTION = { sort: { field: 'description', descending: false } } as const;
const BY_VALUE = { sort: { field: 'value', descending: true } } as const;

/** "The list response", "page", "size": what a list shows of its records. */
const WHOLE: readonly Row[] = [
  ['all records once', list({}, 'abcde'), undefined],
  ['records of others too', list({}, 'xabcdey'), undefined],
  ['in any order', list({}, 'edcba'), undefined],
  ['not the one that was made last', list({}, 'abcd'), 'SVC-1 records list'],
  ['not one that was made before', list({}, 'abde'), 'OP-sgt-L records list'],
  ['not one, over several pages', list({}, 'ab de', { total: 5 }), 'LST-NEXT records list'],
  ['not one, over pages that show as many as there are', list({}, 'ab de', { total: 4 }), 'OP-sgt-L records list'],
  ['one twice on one page', list({}, 'aabcde'), 'LST-PAGE records pages'],
  ['one twice, over a filter', list(by('name.NCONTAINS.alpha'), 'bbcde'), 'LST-PAGE records pages'],
  ['one on two pages', list({}, 'abc cde'), 'LST-PAGE records pages'],
  [
    'one again on a later page, while records are made',
    list({ size: 3 }, 'abc cde'),
    'LST-PAGE records pages',
    { mayLack: 0 },
  ],
  [
    'the first page again in place of the next, while records are made',
    list({ size: 3 }, 'abc abc e'),
    'LST-NEXT records list, lost',
    { mayLack: 0 },
  ],
  ['not one, while the last was changed', list({ size: 2 }, 'ab de'), 'LST-NEXT records list', { mayLack: 1 }],
  [
    'no second page, while the last was changed',
    list({ size: 2 }, 'ab'),
    'LST-NEXT records list, lost',
    { mayLack: 1 },
  ],
  ['not to its end', list({}, 'ab', { end: 'length' }), undefined],
  ['not to its end, and one twice', list({}, 'a b a', { end: 'length' }), 'LST-PAGE records pages'],
  ['not one, over pages by number', list({ paging: 'number' }, 'ab de'), 'LST-PAGE records list'],
  ['not one, on a full page', list({ size: 4 }, 'abde'), 'LST-NEXT records list'],
  [
    'one under an id of nobody',
    list({}, [[{ id: 'x', record: { name: 'eta' } }, 'a', 'b', 'c', 'd']]),
    'OP-sgt-L records list',
  ],
  ['the same page without end', list({}, 'x x', { end: 'length' }), 'LST-PAGE value pages'],
  [
    'a record that only the run can have made',
    list({}, 'abcdex'),
    'OP-sgt-C records other records',
    { isOurs: ({ id }) => id === 'x' },
  ],
  ['in a circle', list({}, 'ab', { end: 'loop' }), 'LST-NEXT value pages'],
  ['a refused list', list({}, [], { end: 'refused', status: 400 }), undefined],
  ['a link that is refused', list({}, 'a', { end: 'refused', status: 404 }), 'LST-NEXT refused pages'],
  ['a link that is refused in passing', list({}, 'a', { end: 'refused', status: 503 }), undefined],
];

/** "size: number of objects returned per page". Not shown: the maximum. */
const SIZES: readonly Row[] = [
  ['pages of the size', list({ size: 2 }, 'ab cd e'), undefined],
  ['an empty last page', list({ size: 5 }, 'abcde '), undefined],
  ['larger pages', list({ size: 2 }, 'abc de'), 'LST-SIZE value pages'],
  ['a larger last page', list({ size: 2 }, 'ab cde'), 'LST-NEXT value pages'],
  ['a larger page by number', list({ size: 2, paging: 'number' }, 'ab cde'), 'LST-SIZE value pages'],
  ['smaller pages, and the largest not seen', list({ size: 3 }, 'ab cd e'), undefined],
  ['smaller pages than were seen', list({ size: 3 }, 'ab cd e'), 'LST-SIZE value pages', { largestPage: 9 }],
  ['pages as large as the largest', list({ size: 9 }, 'ab cd e'), undefined, { largestPage: 2 }],
  ['pages of different sizes', list({ size: 9 }, 'abc d e'), 'LST-NEXT value pages'],
  ['no size', list({}, 'abc d e'), undefined],
];

/** "sortasc", "sortdsc". Not shown: collations, and the place of what is absent. */
const SORTS: readonly Row[] = [
  ['texts in order', list(BY_NAME, 'adecb'), undefined],
  ['texts the wrong way round', list(BY_NAME, 'daecb'), 'LST-SORT value sort name.asc'],
  ['numbers in order', list(BY_VALUE, 'dceba'), undefined],
  ['numbers as texts', list(BY_VALUE, 'aedcb'), 'LST-SORT value sort value.dsc'],
  ['with records of others between', list(BY_NAME, 'dxaecb'), 'LST-SORT value sort name.asc'],
  ['each page by itself', list(BY_NAME, 'cb ade'), 'LST-NEXT value sort name.asc'],
  ['a later page not', list(BY_NAME, 'ad bce'), 'LST-NEXT value sort name.asc'],
  ['a later page by number not', list({ ...BY_NAME, paging: 'number' }, 'ad bce'), 'LST-SORT value sort name.asc'],
  ['records without a value anywhere', list(BY_DESCRIPTION, 'cabde'), undefined],
  ['without a record that has no value', list(BY_DESCRIPTION, 'abde'), 'LST-SORT records sort description.asc'],
];

/** "Filter operators", "filterType". The requirement is the one that was broken. */
const FILTERS: readonly Row[] = [
  ['what it must', list(by('name.CONTAINS.ta'), 'bde'), undefined],
  ['one too few', list(by('name.CONTAINS.ta'), 'de'), 'FOP-CONTAINS records filter name.CONTAINS'],
  ['one too many', list(by('value.GT.9'), 'abcde'), 'FOP-GT records filter value.GT'],
  ['a record as it was before', list(by('name.EQ.beta'), 'b'), 'SVC-1 records filter name.EQ'],
  ['not a record as it is', list(by('name.EQ.zeta'), ''), 'SVC-1 records filter name.EQ'],
  ['as before, and wrong beside', list(by('name.STARTSW.beta'), 'ab'), 'FOP-STARTSW records filter name.STARTSW'],
  ['all on a later page', list({ ...by('value.LT.21'), size: 2 }, 'ab cd e'), 'LST-NEXT records filter value.LT'],
  ['joined by OR', list(by('name.STARTSW.a', 'value.EQ.20'), 'ae'), 'LST-FTYPE records filters and'],
  ['joined by AND', list({ ...by('name.STARTSW.a', 'value.EQ.20'), join: 'or' }, ''), 'LST-FTYPE records filters or'],
  ['the first alone', list(by('name.CONTAINS.ta', 'value.LT.21', 'value.GT.9'), 'bde'), 'LST-FILT records filters and'],
  [
    'one of them wrong',
    list(by('value.GT.20', 'name.NEQ.delta', 'name.NEQ.alpha'), 'ce'),
    'FOP-GT records filters and',
  ],
  ['fewer than all', list(by('value.GT.9', 'name.NEQ.alpha'), 'bce'), 'LST-FILT records filters and'],
  ['an open one', list(by('name.EQ.ALPHA'), 'a'), undefined],
  [
    'an open one, told apart',
    list(by('name.EQ.ALPHA'), 'a'),
    'FOP-EQ records filter name.EQ',
    { caseRule: 'sensitive' },
  ],
];

/** A list with a filter that shows one entry. */
const entry = (filter: string, id: string, record: object, href?: string) =>
  list(by(filter), [[{ id, record: { id, ...record }, href }]]);
/** "Special paths", "What the service does": what entries show is what was written. Not shown: which members they have. */
const ENTRIES: readonly Row[] = [
  ['without members', entry('name.EQ.alpha', 'a', {}), undefined],
  ['with their members', entry('name.EQ.alpha', 'a', { name: 'alpha', value: 9, more: 1 }), undefined],
  ['with another name', entry('value.EQ.9', 'a', { name: 'x' }), 'OP-sgt-L value member name'],
  ['with a name from before', entry('value.EQ.10', 'b', { name: 'beta' }), 'SVC-1 value member name'],
  ['with a number as a text', entry('value.EQ.9', 'a', { value: '9' }), 'RES-TYPE value member value'],
  ['with a link to itself', entry('value.EQ.9', 'a', {}, 'https://x/ers/config/sgt/a/?x=1'), undefined],
  ['with a link of another form', entry('value.EQ.9', 'a', {}, '/sgt/name/alpha%'), undefined],
  ['with a link to another', entry('value.EQ.9', 'a', {}, 'https://x/ers/config/sgt/b'), 'LIST-GET value links'],
];

describe('the oracle on lists', () => {
  for (const [rule, seen, expected, facts] of [...WHOLE, ...SIZES, ...SORTS, ...FILTERS, ...ENTRIES])
    it(`a list that shows: ${rule}`, () => {
      expect(told(FIVE, seen, facts)).toBe(expected);
    });
});
