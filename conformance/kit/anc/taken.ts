import type { Exchange } from '../../../lib/client/types.ts';
import { isSuccess } from '../../../lib/wire/answer.ts';
import type { CheckContext } from '../check.ts';

/**
 * True if an apply or clear was taken: answered with success, or as the target was seen to answer one that took effect. The
 * specification shows no status of either (gaps G-07 and G-12); what came of it is for a look to tell.
 */
export function isTaken({ run }: Pick<CheckContext, 'run'>, op: 'apply' | 'clear', answer: Exchange): boolean {
  return isSuccess(answer) || run.anc().effective[op] === answer.status;
}
