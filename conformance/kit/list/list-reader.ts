import type { Exchange } from '../../../lib/client/types.ts';
import type { ListRequester, ListPage as PageOf } from '../../../lib/wire/list-walk.ts';
import type { SharedScope } from '../check.ts';

export type ListPage = PageOf<Exchange>;
export type Requester = ListRequester<Exchange>;

/** A requester that sends as a check does; `on` names another family than the check's own. */
export function requesterOf({ send, follow }: Pick<SharedScope, 'send' | 'follow'>, on?: string): Requester {
  return { list: (input) => send('list', input, on), follow: (href, headers) => follow(href, on, headers) };
}
