import { vendorFacts } from '../../../../lib/contract/vendor.ts';
import { isSuccess } from '../../../../lib/wire/answer.ts';
import type { RequestInput } from '../../../../lib/wire/request.ts';
import type { CheckContext, SharedScope } from '../../../kit/check.ts';

/** What requests of a survey carry besides. Whether a target has to take it is judged by checks of its own. */
export interface Carried {
  readonly headers: NonNullable<RequestInput['headers']>;
  readonly extra: NonNullable<RequestInput['extra']>;
}

const EXTRA = [['cfmExtra', '1']] as const;

/** The optional headers and the unlisted parameter that the target takes beside a list, asked for one by one. */
export async function carriedBy(context: CheckContext, scope: Pick<SharedScope, 'send'>): Promise<Carried> {
  const takes = async (input: RequestInput) => isSuccess(await scope.send('list', { list: { size: 1 }, ...input }));
  const { mediaType } = vendorFacts(context.family.name);
  const takesMedia = await takes({ headers: { ersMediaType: mediaType } });
  const takesCsrf = !context.run.needsCsrf() && (await takes({ headers: { csrfToken: 'fetch' } }));
  return {
    headers: { ...(takesMedia ? { ersMediaType: mediaType } : {}), ...(takesCsrf ? { csrfToken: 'fetch' } : {}) },
    extra: (await takes({ extra: EXTRA })) ? EXTRA : [],
  };
}
