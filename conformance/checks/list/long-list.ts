import { hasOp } from '../../../lib/contract/types.ts';
import type { Check } from '../../kit/check.ts';
import { isCreatable } from '../../kit/fields.ts';
import { LONG_LIST, longLooks, longPopulation } from '../../plans/obvious/long-list.ts';
import { decide, isOfRecords } from './decide.ts';

/** A list that is longer than its largest page. */
export const longList: Check = {
  id: 'paging/long-list',
  title: 'a list of more than 100 records is whole, however it is filtered, sorted and cut into pages',
  requirement: 'LST-NEXT',
  level: 'stated',
  needs: 'own-data',
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
