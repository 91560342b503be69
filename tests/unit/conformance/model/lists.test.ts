import { describe, expect, it } from 'vitest';
import type { Write } from '../../../../conformance/model/history.ts';
import type { ListFacts } from '../../../../conformance/model/list.ts';
import type { Observation } from '../../../../conformance/model/observation.ts';
import { endpoint as anc, by, create, judged, learn, list, remove, told, update } from '../../../helpers/histories.ts';

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

/** One record was made, or changed, while the list was read. */
const [MADE, CHANGED] = [{ mayLack: 0 }, { mayLack: 1 }];
const NOBODY = { id: 'x', record: { name: 'eta' } };
const OURS: Partial<ListFacts> = { isOurs: ({ id }) => id === 'x' };
/** "The list response", "page", "size": what a list shows of its records. */
const WHOLE: readonly Row[] = [
  ['all records once', list({}, 'abcde'), undefined],
  ['records of others too', list({}, 'xabcdey'), undefined],
  ['in any order', list({}, 'edcba'), undefined],
  ['not the one that was made last', list({}, 'abcd'), 'SVC-1 records list'],
  ['not one that was made before', list({}, 'abde'), 'OP-sgt-L records list'],
  ['not one, over several pages', list({}, 'ab de', { total: 5 }), 'LST-NEXT records list'],
  ['not one that its total counts', list({}, 'abde', { total: 5 }), 'LST-NEXT records list'],
  ['not one, over pages that show as many as there are', list({}, 'ab de', { total: 4 }), 'OP-sgt-L records list'],
  ['one twice on one page', list({}, 'aabcde'), 'LST-PAGE records pages'],
  ['one twice, over a filter', list(by('name.NCONTAINS.alpha'), 'bbcde'), 'LST-PAGE records pages'],
  ['one on two pages', list({}, 'abc cde'), 'LST-PAGE records pages'],
  ['one on two pages meanwhile', list({ size: 3 }, 'abc cde'), 'LST-PAGE records pages', MADE],
  ['the first page twice meanwhile', list({ size: 3 }, 'abc abc e'), 'LST-NEXT records list, lost', MADE],
  ['not one, while the last was changed', list({ size: 2 }, 'ab de'), 'LST-NEXT records list', CHANGED],
  ['no second page, while the last was changed', list({ size: 2 }, 'ab'), 'LST-NEXT records list, lost', CHANGED],
  ['not to its end', list({}, 'ab', { end: 'length' }), undefined],
  ['not to its end, and one twice', list({}, 'a b a', { end: 'length' }), 'LST-PAGE records pages'],
  ['not one, over pages by number', list({ paging: 'number' }, 'ab de'), 'LST-PAGE records list'],
  ['not one, on a full page', list({ size: 4 }, 'abde'), 'LST-NEXT records list'],
  ['one under an id of nobody', list({}, [[NOBODY, ...'abcd']]), 'OP-sgt-L records list'],
  ['the same page without end', list({}, 'x x', { end: 'length' }), 'LST-PAGE value pages'],
  ['one that only the run can have made', list({}, 'abcdex'), 'OP-sgt-C records other records', OURS],
  ['in a circle', list({}, 'ab', { end: 'loop' }), 'LST-NEXT value pages'],
  ['a refused list', list({}, [], { end: 'refused', status: 400 }), undefined],
  ['a link that is refused', list({}, 'a', { end: 'refused', status: 404 }), 'LST-NEXT refused pages'],
  ['a link that is refused in passing', list({}, 'a', { end: 'refused', status: 503 }), undefined],
];

/** "size: number of objects returned per page". Not shown: the maximum. */
const SIZES: readonly Row[] = [
  ['pages of the size', list({ size: 2 }, 'ab cd e'), undefined],
  ['an empty last page', list({ size: 5 }, 'abcde '), undefined],
  ['an empty page behind one that is not full', list({ size: 2 }, 'ab cd e '), undefined],
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

const OPEN = by('name.EQ.ALPHA', 'name.CONTAINS.a');

/** "Filter operators", "filterType". The requirement is the one that was broken. */
const FILTERS: readonly Row[] = [
  ['what it must', list(by('name.CONTAINS.ta'), 'bde'), undefined],
  ['one too few', list(by('name.CONTAINS.ta'), 'de'), 'FOP-CONTAINS records filter name.CONTAINS'],
  ['one too few that it counts', list(by('value.GT.9'), 'bcd', { total: 4 }), 'LST-NEXT records filter value.GT'],
  ['one too many', list(by('value.GT.9'), 'abcde'), 'FOP-GT records filter value.GT'],
  ['a record as it was before', list(by('name.EQ.beta'), 'b'), 'SVC-1 records filter name.EQ'],
  ['not a record as it is', list(by('name.EQ.zeta'), ''), 'SVC-1 records filter name.EQ'],
  ['as before, and wrong beside', list(by('name.STARTSW.beta'), 'ab'), 'FOP-STARTSW records filter name.STARTSW'],
  ['all on a later page', list({ ...by('value.LT.21'), size: 2 }, 'ab cd e'), 'LST-NEXT records filter value.LT'],
  ['joined by OR', list(by('name.STARTSW.a', 'value.EQ.20'), 'ae'), 'LST-FTYPE records filters and'],
  ['joined by AND', list({ ...by('name.STARTSW.a', 'value.EQ.20'), join: 'or' }, ''), 'LST-FTYPE records filters or'],
  ['one that OR takes away', list({ ...by('name.EQ.zeta'), join: 'or' }, 'abcde'), 'LST-FTYPE records filter name.EQ'],
  ['joined by AND, open', list({ ...OPEN, join: 'or' }, ''), 'LST-FTYPE records filters or'],
  ['the first alone', list(by('name.CONTAINS.ta', 'value.LT.21', 'value.GT.9'), 'bde'), 'LST-FILT records filters and'],
  ['one wrong', list(by('value.GT.20', 'name.NEQ.delta', 'name.NEQ.alpha'), 'ce'), 'FOP-GT records filters and'],
  ['fewer than all', list(by('value.GT.9', 'name.NEQ.alpha'), 'bce'), 'LST-FILT records filters and'],
  ['an open one', list(by('name.EQ.ALPHA'), 'a'), undefined],
  ['one told apart', list(by('name.EQ.ALPHA'), 'a'), 'FOP-EQ records filter name.EQ', { caseRule: 'sensitive' }],
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

it('a record that only the run can have made is laid to no write in another family', () => {
  const elsewhere = create({ name: 'p' }, { family: 'portaltheme', id: 'p' });
  expect(told([...FIVE, elsewhere], list({}, 'abcdex'), OURS)).toBe('SVC-1 records other records');
});

it.each([
  ['acd', 'the record was given no description'],
  ['ac', undefined],
])('a sorted list that shows %s lacks what has no value alone: %s', (ids, onlyIf) => {
  const texts = { a: 'x', b: undefined, c: 'y', d: 'z' };
  const made = Object.entries(texts).map(([id, description]) => create({ name: id, description, value: 2 }, { id }));
  expect(judged(made, list(BY_DESCRIPTION, ids))?.onlyIf).toBe(onlyIf);
});

const holding = (id: string, record: object) => ({ id, record: { id, ...record } });

describe('the oracle on records that lists may show', () => {
  const portal = { family: 'hotspotportal' } as const;
  const view = { family: 'portal' } as const;
  const pair = [sgt('a', 'alpha', 9), sgt('b', 'beta', 10)];
  const two = [create({ name: 'p' }, { ...portal, id: 'p' }), create({ name: 'q' }, { family: 'byodportal', id: 'q' })];
  const other = holding('p', { name: 'x' });
  const gone = remove({}, { id: 'b' });
  const unsureGone = remove({}, { id: 'a', end: 'unknown' });
  const unsureName = update({ name: 'x' }, { id: 'b', end: 'unknown' });
  const kind = create({ name: 'p', portalType: 'BYOD' }, { ...portal, id: 'p' });
  const cleared = remove({}, { ...anc, id: 'n' });
  const unsure = create({ name: 'x' }, { end: 'unknown' });
  const odd = [learn({ toString: 'x', constructor: 'x' }, { id: 'p' })];
  const endpoint = create({ macAddress: '0A:00:00:00:00:01', policyName: 'p' }, { ...anc, id: 'n' });

  it.each<readonly [string, readonly Write[], Observation, string | undefined]>([
    ['a record that is gone', [...pair, gone], list({}, 'ab'), 'OP-sgt-D records list'],
    ['one that is gone, by a filter', [...pair, gone], list(by('value.GT.9'), 'b'), 'OP-sgt-D records filter value.GT'],
    ['one that is gone with another', [...pair, gone], list({}, ''), 'OP-sgt-D records other records'],
    ['one of a create of unknown end', [unsure], list({}, 'a'), undefined],
    ['not one of a create of unknown end', [unsure], list({}, ''), undefined],
    ['one that may be deleted', [...pair, unsureGone], list(by('value.EQ.10'), 'ab'), 'FOP-EQ records filter value.EQ'],
    ['one whose value is not known', [...pair, unsureName], list(by('name.EQ.beta'), ''), undefined],
    ['one whose number was generated', [create({ name: 'x', value: -1 })], list(by('value.EQ.-1'), ''), undefined],
    ['a view with all kinds of portals', two, list(view, 'pq'), undefined],
    ['a view without one kind', two, list(view, 'p'), 'VIEW-PORTAL records list'],
    ['a view with a wrong filter', two, list({ ...view, ...by('name.EQ.p') }, 'pq'), 'FOP-EQ records filter name.EQ'],
    ['a view with another name', two, list(view, [[other, 'q']]), 'VIEW-PORTAL value member name'],
    ['a view with another kind', [kind], list(view, [[holding('p', { portalType: 'GUEST' })]]), undefined],
    ['a name that every object has', odd, list({}, [[holding('p', {})]]), undefined],
    ['records of another family', two, list(portal, 'p'), undefined],
    ['an endpoint that a policy was put on', [endpoint], list(anc, ''), 'SPC-ANC records list'],
    ['an endpoint that was cleared', [endpoint, cleared], list(anc, 'n'), 'SPC-ANC records list'],
  ])('%s', (_rule, history, seen, expected) => {
    expect(told(history, seen)).toBe(expected);
  });

  it('in a view is a record of the family that was written to last, if that lacks one too', () => {
    expect(judged(two, list(view, 'p'))?.family).toBe('byodportal');
    expect(judged(two.toReversed(), list(view, ''))?.family).toBe(portal.family);
  });
});

const named = (id: string, name: string) => create({ name }, { id });
const RENAMED: readonly Write[] = [
  ...[named('a', 'alpha'), named('b', 'beta'), named('c', 'gamma'), named('d', 'kappa'), named('e', 'rho')],
  update({ name: 'zeta' }, { id: 'b' }),
];
const observedIn = (shown: string, history = RENAMED, by: Parameters<typeof list>[0] = BY_NAME) => {
  const found = judged(history, list(by, shown));
  return found && [found.observed, found.onlyIf];
};

describe('a sorted list that is out of order', () => {
  it('blames the update of the one record that stands where it should not', () => {
    expect(observedIn('abcde')).toEqual(['"zeta" before "gamma"', 'an update changed name: "zeta" was "beta" before']);
    expect(observedIn('acdeb')).toBe(undefined);
  });

  it('blames the numbers from one on, if those below it are in order', () => {
    const numbers = [3, 150, 32_766, 40_001, 50_000];
    const history = numbers.map((value, at) => create({ value }, { id: 'abcde'[at] ?? '' }));
    const by = { sort: { field: 'value', descending: false } } as const;
    const above = 'a value is 40001 or more; up to 32766 they are in order';
    expect(observedIn('deabc', history, by)).toEqual(['40001 before 3', above]);
    expect(observedIn('bacde', history, by)).toEqual(['150 before 3', undefined]);
  });

  it('blames no update if records that none changed are out of order too, or if any of two may be the one', () => {
    expect(observedIn('badce')).toEqual(['"zeta" before "alpha"', undefined]);
    expect(observedIn('acdbe')).toEqual(['"zeta" before "rho"', undefined]);
  });
});
