import pLimit from 'p-limit';
import type { Clock } from '../../clock.ts';
import { OPS } from '../../contract/operations.ts';
import type { Op } from '../../contract/types.ts';
import { FINAL_CODES, TargetError, UsageError } from '../../errors.ts';
import { entriesOf, holdsNothing, isSuccess, recordOf } from '../../wire/answer.ts';
import type { ErsClient, Exchange, ViewOptions } from '../types.ts';

const READ_TRIES = 4;

async function steadily(send: () => Promise<Exchange>): Promise<Exchange> {
  for (let tries = 1; ; tries += 1) {
    const answer = await send();
    if (answer.status < 500 || tries === READ_TRIES) return answer;
  }
}

/** A client that repeats a GET after a server fault, to look at what is on the target; never to judge the answers themselves. */
export const steadyReads = (client: ErsClient): ErsClient => ({
  ...client,
  send: (family, op, input) =>
    OPS[op].mutates ? client.send(family, op, input) : steadily(() => client.send(family, op, input)),
  follow: (family, href, headers) => steadily(() => client.follow(family, href, headers)),
  view: (options) => steadyReads(client.view(options)),
});

/** What was sent once more in vain: how often, by family and by what requests have in common; and families that refuse with 500 again. */
export type Vain = Readonly<{ times: Map<string, number>; refusing: Set<string> }>;

/** Requests of a family, and such of them that differ in values alone, that are sent again in vain, after which no further one is. */
const MOST_VAIN = { family: 40, alike: 2 } as const;
/** What does more if it is sent twice, or is known to be done in spite of such an answer. */
const NOT_AGAIN: ReadonlySet<Op> = new Set(['bulkSubmit', 'apply', 'clear']);
/** Refusals that are about a request: not about login, load, another request, or what is on the target. A target may refuse with 500. */
const ABOUT_REQUEST: readonly number[] = [400, 405, 406, 415, 500];
const CONTENTS: Partial<Record<Op, (answer: Exchange) => unknown>> = { list: entriesOf, read: recordOf };

/**
 * True for an answer that nothing on the target, and no late write, is a reason for: not what shows nothing, the refusal of a record, or of
 * a filter that may name one, nor that of a page behind the first, for the list may be shorter now. `refusesSo`: a 500 is such a refusal.
 */
function isUnexplained(answer: Exchange, refusesSo: boolean): boolean {
  const { status, request, body, json, cut } = answer;
  const { op, path, headers = {} } = request;
  if (status === 500 && !refusesSo) return true;
  if (!isSuccess(answer)) return op === 'list' && ABOUT_REQUEST.includes(status) && !/filter=|page=(?!1\b)/.test(path);
  const isText = body.trim() !== '' && cut !== true && !/xml/i.test(headers['Accept'] ?? '');
  return isText && !holdsNothing(json) && CONTENTS[op]?.(answer) === undefined && op in CONTENTS;
}

/** What requests that differ in values alone have in common. */
const shapeOf = ({ family, op, path }: Exchange['request']): string => {
  const [, query = ''] = path.split('?');
  return `${family} ${op} ${query.replace(/=(\w+\.\w+\.)?[^&]*/g, '=$1')}`;
};

/**
 * Sends once more what got such an answer, if no other write of the view was under way, and tells of what is taken then: for whoever
 * asked, a fault that passes would be a refusal or a late write, and for the next try nothing at all.
 */
export function onceMore({ times, refusing }: Vain, { onFailedOnce }: ViewOptions) {
  let begun = 0;
  let ended = 0;
  return async (send: () => Promise<Exchange>, op: Op): Promise<Exchange> => {
    if (onFailedOnce === undefined) return send();
    const isWrite = OPS[op].mutates;
    const isBeside = begun > ended;
    if (isWrite) begun += 1;
    const turn = begun;
    try {
      const failed = await send();
      const isAlone = !isBeside && begun === turn;
      const { family } = failed.request;
      const shape = shapeOf(failed.request);
      const count = (key: string) => times.get(key) ?? 0;
      const refusesSo = refusing.has(family);
      if (!isAlone || NOT_AGAIN.has(op) || !isUnexplained(failed, refusesSo)) return failed;
      if (count(family) >= MOST_VAIN.family || count(shape) >= MOST_VAIN.alike) return failed;
      const again = await send().catch((fault: unknown) => {
        if (fault instanceof UsageError) return failed;
        throw fault;
      });
      if (isSuccess(again) && !isUnexplained(again, refusesSo)) {
        onFailedOnce(failed);
        return again;
      }
      for (const key of [family, shape]) times.set(key, count(key) + 1);
      if (again.status === 500) refusing.add(family);
      return failed;
    } finally {
      if (isWrite) ended += 1;
    }
  };
}

const TRIES = 4;
/** Twice and four times as long before the next tries: 3.5 s in all, as a cache or a replica may show what was removed. */
const BACKOFF_MS = 500;
/** Pieces of work in a row that got no answer, after which the target counts as gone. */
const PATIENCE = 3;
/** Repeats in a row of one family that failed, after which the rest of the family is not repeated. */
const FUTILE = 5;
/** Faults that cost a whole time limit each: trying again at once would cost another. */
const SLOW: ReadonlySet<string> = new Set(['timeout', 'unreachable']);

interface Rounds<T> {
  readonly items: readonly T[];
  readonly work: (item: T) => Promise<boolean>;
  /** Things worked on at one time; 1 unless set, which keeps their order. */
  readonly atOnce?: number;
}

/** Tries everything once, waits, tries what is left again, and so on: all failures share each wait. Returns what is left. */
export type InRounds = <T extends { readonly family: string }>(rounds: Rounds<T>) => Promise<readonly T[]>;

/** How one clean-up tries again. A target that is gone, or has refused the login, is not asked any more. `note` is told what kept work from its end. */
export function persistence(clock: Clock, note: (item: { readonly family: string }, why: string) => void): InRounds {
  let misses = 0;
  const gone = () => misses >= PATIENCE;
  const attempt = async <T extends { readonly family: string }>(item: T, work: Rounds<T>['work']) => {
    if (gone()) return 'slow' as const;
    try {
      const done = await work(item);
      misses = 0;
      return done;
    } catch (fault) {
      // An answer that cannot be made sense of proves nothing: what it was about is reported as left.
      if (!(fault instanceof TargetError)) return false;
      note(item, fault.message);
      if (FINAL_CODES.has(fault.code)) misses = PATIENCE;
      else misses += SLOW.has(fault.code) ? 1 : 1 / TRIES;
      return SLOW.has(fault.code) ? ('slow' as const) : false;
    }
  };
  return async ({ items: all, work, atOnce = 1 }) => {
    const lost: (typeof all)[number][] = [];
    let items = all;
    for (let tries = 1; items.length > 0; tries += 1) {
      const vain = new Map<string, number>();
      const left: typeof lost = [];
      await pLimit(atOnce).map(items, async (item) => {
        const failed = vain.get(item.family) ?? 0;
        // A target that keeps what it says it removed does so for hundreds of records: each is asked for once.
        const outcome = tries > 1 && failed >= FUTILE ? false : await attempt(item, work);
        if (outcome === 'slow') lost.push(item);
        if (outcome === false) left.push(item);
        vain.set(item.family, outcome === true ? 0 : failed + 1);
      });
      items = left;
      if (tries === TRIES || gone() || items.length === 0) break;
      await clock.sleep(BACKOFF_MS * 2 ** (tries - 1));
    }
    return [...items, ...lost];
  };
}
