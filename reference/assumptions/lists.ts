import type { Assumption } from './assumption.ts';

/** Lists: pages, filters and sorting. */
export const LIST_ASSUMPTIONS: readonly Assumption[] = [
  {
    id: 'A-20',
    text: 'the first page is 1, a page holds 20 records unless told otherwise and at most 100; page 0, size 0 and a larger size are refused',
    reason: 'documented defaults; a refusal is clearer than a silent change',
    source: 'vendor documentation',
  },
  {
    id: 'A-21',
    text: 'a page past the end is refused with 400; the first page of an empty result is an empty list',
    reason: 'recorded answer of the newest version',
    source: 'recorded answers',
  },
  {
    id: 'A-22',
    text: 'the value of a filter is everything after the second dot; an empty value is a malformed filter',
    reason: 'values with dots are in the documented examples',
    source: 'vendor documentation',
  },
  {
    id: 'A-23',
    text: 'texts are compared by code units and with regard to case; booleans are compared as the texts true and false; integers by size, and as texts by the operators that look at parts',
    reason: 'not documented anywhere; the simplest consistent rule',
    source: 'our choice',
  },
  {
    id: 'A-24',
    text: 'MAC addresses are compared without regard to case',
    reason: 'they are stored in capitals, and clients send both',
    source: 'recorded answers',
  },
  {
    id: 'A-25',
    text: 'the operators that say not keep records that lack the field',
    reason: 'not equal is the negation of equal',
    source: 'our choice',
  },
  {
    id: 'A-26',
    text: 'GT and LT order texts by code units',
    reason: 'the operators are listed for text fields too',
    source: 'our choice',
  },
  {
    id: 'A-27',
    text: 'a filter on an unlisted field, an unknown operator and a sort on an unlisted field are refused with 400, families without sort fields included',
    reason: 'documented class of errors',
    source: 'vendor documentation',
  },
  {
    id: 'A-28',
    text: 'operators are spelled in capitals; the key filterType is taken in any case, its value is AND or OR in capitals or small letters',
    reason: 'a deployed version honors filtertype only',
    source: 'recorded answers',
  },
  {
    id: 'A-29',
    text: 'records without the sort field come last in both directions, equal ones keep the order of creation, and so do lists without sort; sortasc and sortdsc exclude each other',
    reason: 'a stable order lets a client page',
    source: 'our choice',
  },
  {
    id: 'A-35',
    text: 'nextPage is absent on the last page and previousPage on the first; a link repeats filters and sort and ends with size and page',
    reason: 'clients read the page number off the end',
    source: 'recorded answers, real clients (C9)',
  },
  {
    id: 'A-36',
    text: 'entries of a list are id and link, with name and description where recorded lists have them',
    reason: 'recorded form',
    source: 'recorded answers (C7)',
  },
  {
    id: 'A-37',
    text: 'filtering or sorting name reads sxpVpnName of an SXP VPN and the MAC address of an ANC endpoint',
    reason: 'the field the specification lists is not among those of the record',
    source: 'published definitions, real clients (C19)',
  },
];
