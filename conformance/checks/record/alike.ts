import { hasOp } from '../../../lib/contract/types.ts';
import { checkOfEach } from '../../kit/check.ts';
import { BARE_NAMES, isCreatable, isTold, nameFilter, nameMember } from '../../kit/fields.ts';
import { create, look, read } from '../../plans/make.ts';
import { list } from '../../plans/obvious/looks.ts';
import { judgeSteps, listedByName } from '../../plans/obvious/steps.ts';
import { onRecords } from '../common.ts';
import { refusedText } from './free-texts.ts';

const WHOLE = { criteria: [], size: 100 } as const;

export const namesAlike = checkOfEach<string>({
  ...onRecords,
  id: 'record/name-alike',
  title: 'a name that reads like a number, a truth value or null is a text like any other',
  requirement: 'PAY-C',
  depth: 'normal',
  appliesTo: (family) =>
    isCreatable(family) &&
    hasOp(family, 'list') &&
    nameFilter(family) !== undefined &&
    BARE_NAMES.every((like) => isTold(family, like)),
  dependsOn: ['record/created-is-listed'],
  variants: () => BARE_NAMES,
  async run(context, like) {
    const { family } = context;
    const field = nameFilter(family) ?? '';
    const orders = family.sorts.includes(field) ? [false, true] : [];
    const why = await judgeSteps(context, {
      steps: [
        ...[create('beside', {}, { like: 'number' }), create('subject', {}, { like }), read('subject')],
        ...[
          ...listedByName(family),
          ...orders.map((descending) => list({ ...WHOLE, sort: { field, descending } })),
        ].map((each) => look(each)),
      ],
      subject: `text ${like}`,
    });
    if (why !== undefined) throw refusedText(nameMember(family) ?? 'name', why);
  },
});
