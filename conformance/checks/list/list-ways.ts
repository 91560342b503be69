import type { Check } from '../../kit/check.ts';
import { compareTurnedLists, compareXmlLists } from '../../plans/obvious/list-ways.ts';
import { isListed, onLists } from './decide.ts';

/** What is wrong of a list as it is usually asked for is told by that. */
const otherwise = {
  ...onLists,
  appliesTo: isListed,
  dependsOn: ['list/envelope', 'list/complete', 'sort/field', 'filter/operator', 'paging/next'],
} as const satisfies Partial<Check>;

/** Lists in XML: their form is not shown, and what they are asked for holds for them as for any list. */
export const xmlLists: Check = {
  ...otherwise,
  id: 'xml/list-queries',
  title: 'a list in XML has the records, the order and the pages of the same list in JSON',
  requirement: 'OP-{family}-L',
  async run(context) {
    await compareXmlLists(context);
    return undefined;
  },
};

/** The parameters of a query have no order. */
export const turnedLists: Check = {
  ...otherwise,
  id: 'query/order',
  title: 'the parameters of a list mean the same in any order',
  requirement: 'LST-FILT',
  async run(context) {
    await compareTurnedLists(context);
    return undefined;
  },
};
