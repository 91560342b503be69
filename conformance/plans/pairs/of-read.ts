import { opRequirementId } from '../../../lib/contract/requirements.ts';
import type { Difference } from '../../model/difference.ts';
import { PLAIN, type Step } from '../../steps/step.ts';
import { isSame } from '../plainer.ts';

/**
 * The difference as the fault of the read that shows it, if that shows it by its form alone: an apply or a clear, or a write to another record, is
 * not to blame for what a plain read shows as it should be.
 */
export function ofRead(difference: Difference, steps: readonly Step[]): Difference {
  const { unlessWritten: told = difference } = difference;
  const last = steps.at(-1);
  const look =
    last?.step === 'look' && (last.look.window === 'read' || last.look.window === 'view') ? last.look : undefined;
  const isPlain = look === undefined || (look.form === 'json' && isSame(look.carried, PLAIN));
  const isLaid = ['apply', 'clear'].includes(difference.about.operation) || difference.unlessWritten !== undefined;
  if (isPlain || !isLaid) return difference;
  const about = { ...told.about, operation: 'read' } as const;
  return { ...told, about, requirement: opRequirementId(told.family, 'read') };
}
