import { TargetError } from '../../errors.ts';
import { answerWords, MAY_NOT_WRITE } from '../../said.ts';

/** The end of a run whose first apply is refused and stores nothing: the policy may be one that is not there. `said`: the words of the target. */
export const policyRefused = (policy: string, macAddress: string, status: number, said: string): TargetError =>
  new TargetError('anc-refused', `applying "${policy}" to ${macAddress} was answered ${answerWords(status, said)}`, {
    hint: 'name a policy of this deployment with --policy, and endpoints that it may be applied to with --endpoints',
    ...(status === 401 || status === 403 ? { hint: MAY_NOT_WRITE } : {}),
  });
