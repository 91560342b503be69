import { type Check, checkOfEach } from '../../../kit/check.ts';
import { kindOf } from '../../../kit/list/value.ts';
import { isReadable, sortCase, unreadable } from './sort-checks.ts';
import { expectOrderOfFilter, expectReverse, expectSameRecords } from './sort-relations.ts';

/** Sorted lists held against each other and against filters. */
export const sortRelationChecks: readonly Check[] = [
  checkOfEach<string>({
    id: 'sort/relations',
    title: 'the sorted lists of one query agree with each other and with GT',
    requirement: 'LST-SORT',
    level: 'stated',
    appliesTo: (family) => family.ops.includes('list') && family.sorts.length > 0,
    variants: (family) => family.sorts.map((field) => ({ name: field, data: field })),
    // Not sort/field: this one sees the same mistakes by another way.
    dependsOn: ['list/envelope', 'list/complete'],
    exercises: ['list'],
    needs: 'read',
    async run(context, field) {
      const { family } = context;
      const on = await sortCase(context, field);
      await expectSameRecords(context, on, family.sorts);
      if (!isReadable(on)) throw unreadable(context, on);
      await expectReverse(context, on);
      if (kindOf(family, field) === 'integer' && family.filters.includes(field)) await expectOrderOfFilter(context, on);
      return undefined;
    },
  }),
];
