import { OPERATOR_NAMES } from '../../../lib/contract/list.ts';
import { hasOp } from '../../../lib/contract/types.ts';
import type { Check, CheckContext } from '../../kit/check.ts';
import { CheckFailure, NotTestable } from '../../kit/fault.ts';
import { isCreatable, nameFilter } from '../../kit/fields.ts';
import { create, look } from '../../plans/make.ts';
import { list } from '../../plans/obvious/looks.ts';
import { judgeSteps } from '../../plans/obvious/steps.ts';
import { onRecords } from '../common.ts';

/** Letters that two names share beside what begins each name of a run. */
const SHARED = [2, 20, 50, 200] as const;

/** No order of texts is stated. */
const OPERATORS = OPERATOR_NAMES.filter((operator) => operator !== 'GT' && operator !== 'LT');

/** Two records whose names differ at their ends alone, and filters for the one. Gives why nothing was asked. */
function judgeShared(context: CheckContext, length: number): Promise<string | undefined> {
  const field = nameFilter(context.family) ?? '';
  const looks = OPERATORS.map((operator) =>
    look({ ...list({ criteria: [{ field, operator, part: 'whole' }], size: 100 }), about: 'subject' }),
  );
  return judgeSteps(context, {
    steps: [
      create('subject', {}, { fresh: 'z'.repeat(length) }),
      create('second', {}, { of: 'subject', as: 'long beginning' }),
      ...looks,
    ],
    isAbout: ({ subject, kind }) => kind === 'records' && subject.startsWith('filter'),
  });
}

export const longOperands: Check = {
  ...onRecords,
  id: 'filter/long-operand',
  title: 'a filter compares a long value to its end',
  requirement: 'FOP-EQ',
  appliesTo: (family) => isCreatable(family) && hasOp(family, 'list') && nameFilter(family) !== undefined,
  dependsOn: ['record/create', 'filter/operator'],
  exercises: ['list'],
  async run(context) {
    let right = 0;
    for (const length of SHARED) {
      try {
        const why = await judgeShared(context, length);
        // No limit and no alphabet is stated: a target may refuse a name for either.
        if (why !== undefined && right === 0)
          throw new NotTestable(why, 'a target that takes two names that begin alike');
        if (why !== undefined) return;
      } catch (fault) {
        if (!(fault instanceof CheckFailure) || right === 0) throw fault;
        throw new CheckFailure({ ...fault.facts, onlyIf: `the operand is more than ${right} characters long` });
      }
      right = context.run.prefix.length + length;
    }
  },
};
