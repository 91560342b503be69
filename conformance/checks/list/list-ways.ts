import { hasOp } from '../../../lib/contract/types.ts';
import type { Check } from '../../kit/check.ts';
import { isCreatable } from '../../kit/fields.ts';
import { compareTurnedLists, compareXmlLists } from '../../plans/obvious/list-ways.ts';
import { LONG_LIST, longLooks, longPopulation } from '../../plans/obvious/long-list.ts';
import { onLists, onRecords } from '../common.ts';
import { decide, isOfRecords } from './decide.ts';

/** What is wrong of a list as it is usually asked for is told by that. */
const otherwise = {
  ...onLists,
  dependsOn: ['list/envelope', 'list/complete', 'sort/field', 'filter/operator', 'paging/next'],
} as const satisfies Partial<Check>;

/** Lists in XML: their form is not shown, and what they are asked for holds for them as for any list. */
export const xmlLists: Check = {
  ...otherwise,
  id: 'xml/list-queries',
  title: 'a list in XML has the records, the order and the pages of the same list in JSON',
  requirement: 'OP-{family}-L',
  run: compareXmlLists,
};

export const turnedLists: Check = {
  ...otherwise,
  id: 'query/order',
  title: 'the parameters of a list mean the same in any order',
  requirement: 'LST-FILT',
  run: compareTurnedLists,
};

export const longList: Check = {
  ...onRecords,
  id: 'paging/long-list',
  title: 'a list of more than 100 records is whole, however it is filtered, sorted and cut into pages',
  requirement: 'LST-NEXT',
  depth: 'normal',
  appliesTo: (family) => isCreatable(family) && hasOp(family, 'list') && hasOp(family, 'delete'),
  // What is wrong of a short list too is told by it.
  dependsOn: [
    ...(['record/create', 'list/envelope', 'paging/size', 'paging/next', 'sort/field'] as const),
    ...(['filter/operator', 'filter/dotted-value', 'filter/encoded-value', 'filter/literal-value'] as const),
    ...(['paging/next-keeps-sort', 'paging/next-keeps-filters'] as const),
  ],
  async run(context) {
    const on = await longPopulation(context);
    return decide(context, on, { looks: longLooks(context), isAbout: isOfRecords }, { shown: LONG_LIST });
  },
};
