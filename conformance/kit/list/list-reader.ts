import type { Exchange } from '../../../lib/client/types.ts';
import { type ListRequester, type ListWalk, type ListPage as PageOf, walkList } from '../../../lib/wire/list-walk.ts';
import type { RequestInput } from '../../../lib/wire/request.ts';
import type { SharedScope } from '../check.ts';

export type ListPage = PageOf<Exchange>;
export type ListResult = ListWalk<Exchange>;
export type Requester = ListRequester<Exchange>;

/** A requester that sends as a check does; `on` names another family than the check's own. */
export function requesterOf({ send, follow }: Pick<SharedScope, 'send' | 'follow'>, on?: string): Requester {
  return { list: (input) => send('list', input, on), follow: (href, headers) => follow(href, on, headers) };
}

/** A reader that asks each question once: same query, same answer, one request. */
export function memoized(requester: Requester): (input: RequestInput) => Promise<ListResult> {
  const answers = new Map<string, Promise<ListResult>>();
  return (input) => {
    const key = JSON.stringify(input);
    const known = answers.get(key) ?? walkList(requester, input);
    answers.set(key, known);
    return known;
  };
}
