import { TargetError } from '../../errors.ts';
import { answerWords } from '../../said.ts';

/**
 * The end of a run whose first apply is refused and stores nothing: nobody can tell a wrong name from a target that refuses every apply,
 * and neither its speed nor its behavior can be tested. `said`: the words of the target.
 */
export const policyRefused = (policy: string, macAddress: string, status: number, said: string): TargetError =>
  new TargetError('anc-refused', `applying "${policy}" to ${macAddress} was answered ${answerWords(status, said)}`, {
    hint: 'name a policy of this deployment with --policy, and endpoints that it may be applied to with --endpoints',
  });
