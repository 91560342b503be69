import type { Family } from '../../../lib/contract/types.ts';
import { isNumbered } from '../../kit/fields.ts';
import type { Fields } from '../../model/history.ts';
import { isGenerated } from '../../model/member.ts';
import type { Step, Steps } from '../../steps/step.ts';

/** The members without numbers that were there before: they differ within a family. */
function distinct(family: Family, set: Fields, used: Set<string>): Fields {
  const isNew = ([member, value]: readonly [string, unknown]) => {
    if (!isNumbered(family, member) || isGenerated(family, member, value)) return true;
    return used.size < used.add(`${member} ${value}`).size;
  };
  return Object.fromEntries(Object.entries(set).filter(isNew));
}

/** The steps with a label of its own for each record that they make, and each number once. */
export function labeled(family: Family, steps: Steps): Steps {
  const used = new Set<string>();
  let made = 0;
  const next = () => `record ${++made}`;
  const each = (step: Step): Step => {
    if (step.step === 'together') return { ...step, steps: step.steps.map(each) };
    if (step.step === 'create') return { ...step, as: next(), set: distinct(family, step.set, used) };
    if (step.step === 'update') return { ...step, set: distinct(family, step.set, used) };
    if (step.step !== 'bulk') return step;
    const who = step.action === 'create' ? step.who.map(next) : step.who;
    return { ...step, who, sets: step.sets.map((set) => distinct(family, set, used)) };
  };
  return steps.map(each);
}
