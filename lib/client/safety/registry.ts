import type { Clock } from '../../clock.ts';
import { PATH_PREFIX } from '../../contract/operations.ts';
import { runPrefix } from '../../run-name.ts';
import { holdsNothing, isNotFound, isSuccess } from '../../wire/answer.ts';
import { pageOf } from '../../wire/list-walk.ts';
import type { ClientOptions, ErsClient, Exchange, OwnRecord } from '../types.ts';
import { openEndpoints } from './endpoints.ts';
import { entryOf, homesOf, keyIn, recordInPath, recordKey, resourceOf } from './record-identity.ts';
import { openRecords } from './records.ts';
import { add } from './sent.ts';

/** How long a write may still take effect that was taken in, or that somebody on the way stopped waiting for: a gateway, or the client. */
export const LATE_MS = 20_000;

/** True for the answer to a read by which there is no such record: a status that says so and no body that shows it, or a body that holds nothing. */
export const denies = (answer: Pick<Exchange, 'status' | 'json'>, id: string): boolean =>
  (isNotFound(answer) || answer.status === 204 || (isSuccess(answer) && holdsNothing(answer.json))) &&
  resourceOf(answer.json)?.['id'] !== id;

/** How often `moves` is called for a request that was answered. */
const movesOf = ({ op, method }: Exchange['request']): number => (op === 'bulkMonitor' ? 1 : method === 'GET' ? 0 : 2);

/** How long a record may take to show after its create was answered, and how many may not show before none is waited for. */
const SHOWS_WITHIN_MS = 3000;
const MOST_NEVER_SHOWN = 3;

/** Names of others are remembered that any program may think of, such as `true`, and so many of them. */
const SHORT = 12;
const MOST_SHORT = 20_000;

/** Opens the one place that knows what this run has on the target. `onJournal` has to be back from the disk before it returns. */
export function openRegistry(options: ClientOptions, clock: Clock) {
  const { runId, table, inherits } = options;
  const changes = new Map<string, { readonly count: number; readonly atMs: number }>();
  const served = new Set<string>();
  const [inBulk, running, again] = [new Set<string>(), new Set<string>(), new Set<string>()];
  const open = new Map<string, number>();
  const theirs = new Set<string>();
  const plain = (family: string, name: string) => keyIn(family, name.trim().toLowerCase());
  const acknowledged = new Map<string, number>();
  const vanished = new Map<string, number>();
  const failedInBulk = new Map<string, number>();
  /** Milliseconds in which it may still come, by family, and by name as well. */
  const lateIn = (key: string) => (open.get(key) ?? Number.NEGATIVE_INFINITY) + LATE_MS - clock.monotonicMs();
  const note: ErsClient['note'] = (event, entry) => {
    try {
      options.onJournal({ at: clock.now().toISOString(), event, runId, ...entry });
    } catch (fault) {
      // Nothing is sent without its intent on the disk. Its outcome is still known here.
      if (event === 'intent') throw fault;
    }
  };
  let [neverShown, unsettled] = [0, 0];
  const records = openRecords({ table, inherits, prefix: runPrefix(runId), nowMs: clock.monotonicMs, note });
  const endpoints = openEndpoints(options, clock.monotonicMs);
  const namesInBulk = (of: string) =>
    records
      .unresolved()
      .map(({ family, name }) => (family === of ? keyIn(of, name) : ''))
      .filter((key) => inBulk.has(key));
  /** As `lateIn`, of a create by name; one of a bulk request comes no more if at least as many failed as are not found. */
  const lateFor = (family: string, name: string) => {
    const key = keyIn(family, name);
    const isFailed = inBulk.has(key) && namesInBulk(family).length <= (failedInBulk.get(family) ?? 0);
    return isFailed ? Number.NEGATIVE_INFINITY : lateIn(key);
  };
  return {
    note,
    records,
    endpoints,
    /** Counts a moment at which a write of the family may begin or end to show. */
    moves(family: string) {
      const { count } = changes.get(family) ?? { count: 0 };
      changes.set(family, { count: count + 1, atMs: clock.monotonicMs() });
    },
    /** When `moves` counted last for what the family shows; `-Infinity` if it never did. */
    movedMs: (family: string) =>
      Math.max(...homesOf(table, family).map((home) => changes.get(home)?.atMs ?? Number.NEGATIVE_INFINITY)),
    serves: (family: string) => void served.add(family),
    isServed: (family: string) => served.has(family),
    /** Says that a write of the family may still take effect. `name`: of a create, or the id of a delete; a look at it settles that. */
    givesUp: (family: string, name?: string) =>
      void open.set(name === undefined ? family : keyIn(family, name), clock.monotonicMs()),
    /** A create was answered with its record. An earlier one of the name that was given up may still make another. */
    answers(family: string, name: string) {
      const atMs = open.get(keyIn(family, name));
      if (atMs === undefined) return;
      open.set(family, Math.max(open.get(family) ?? 0, atMs));
      again.add(keyIn(family, name));
    },
    /** Takes in what a look showed: a create of the name that was open has made it. */
    adopt(record: OwnRecord): boolean {
      const isOurs = records.adopt(record);
      if (isOurs && record.name !== undefined) open.delete(keyIn(record.family, record.name));
      return isOurs;
    },
    /** Says that a bulk request that was taken in is to make the record of a name. */
    takesIn(family: string, name: string) {
      inBulk.add(keyIn(family, name));
      open.set(keyIn(family, name), clock.monotonicMs());
    },
    /** Takes in how many items of a bulk request failed; undefined if it was still under way: nobody knows when what it was to make will come. */
    endsBulk(family: string, failed: number | undefined) {
      add(failedInBulk, family, failed ?? 0);
      for (const name of failed === undefined ? namesInBulk(family) : []) running.add(name);
    },
    /** A look did not find the record. One that none ever showed may come into view later. */
    gone(family: string, id: string) {
      const { standing, record } = records.own(family, id) ?? {};
      if (standing === 'claimed' && record?.name !== undefined)
        open.set(keyIn(family, record.name), clock.monotonicMs());
      records.gone(family, id);
    },
    /** True if a record that no look showed yet is worth another look, `sinceMs` the first one: a target may show late what it stored. */
    mayShowYet(sinceMs: number): boolean {
      const isInTime = clock.monotonicMs() - sinceMs < SHOWS_WITHIN_MS;
      if (!isInTime) neverShown += 1;
      return isInTime && neverShown < MOST_NEVER_SHOWN;
    },
    /** Waits for writes that may still take effect, and says if it did; not beyond the bound of the clean-up. */
    async waitsForLate(bound: AbortSignal): Promise<boolean> {
      const unresolved = records.unresolved().map(({ family, name }) => lateFor(family, name));
      const late = [...Object.keys(table), ...records.created().map(recordKey)].map(lateIn);
      const ms = Math.max(endpoints.awaitedSinceMs() + LATE_MS - clock.monotonicMs(), ...late, ...unresolved);
      if (ms <= 0) return false;
      options.onWait?.('late', ms);
      await clock.sleep(ms, bound).catch(() => undefined);
      return true;
    },
    /** A create was done, or may have been if it had no name, and no answer tells an id: whatever it made is of this run. */
    acknowledges: (family: string, name: string | undefined) =>
      name === undefined ? add(vanished, family) : add(acknowledged, keyIn(family, name)),
    vanished: (family: string) => vanished.get(family) ?? 0,
    unsettled() {
      const made = records.owned().map(({ family, name = '' }) => keyIn(family, name));
      const once = [...again].filter((key) => made.indexOf(key) === made.lastIndexOf(key));
      return unsettled + once.length;
    },
    /** A look for the name found no record; one that may still come stays on the books. */
    dismiss(family: string, name: string) {
      const isRunning = running.has(keyIn(family, name));
      if (isRunning || Math.max(lateIn(family), lateFor(family, name)) > 0) return;
      records.dismiss(family, name);
      // Items of a bulk request that has ended come no more.
      if (inBulk.delete(keyIn(family, name))) add(failedInBulk, family, -1);
      else if (open.has(keyIn(family, name))) unsettled += 1;
      add(vanished, family, acknowledged.get(keyIn(family, name)) ?? 0);
      acknowledged.delete(keyIn(family, name));
    },
    /** Takes in the answer to a GET: what it shows of records and endpoints. */
    sees(exchange: Exchange) {
      const { request, json } = exchange;
      const record = recordInPath(request.path);
      if (record !== undefined && denies(exchange, record.id)) records.reads(record.family, record.id, null);
      if (!isSuccess(exchange) || !request.path.startsWith(`${PATH_PREFIX}/`)) return;
      endpoints.sees(exchange);
      const page = pageOf(exchange);
      for (const { id, name } of page?.items.map(entryOf) ?? []) {
        records.lists(request.family, id, name);
        const isShort = name !== undefined && name.length <= SHORT && theirs.size < MOST_SHORT;
        if (isShort && records.standing(request.family, id) === undefined) theirs.add(plain(request.family, name));
      }
      const members = page === undefined && !holdsNothing(json) ? resourceOf(json) : undefined;
      const isOf = members?.['id'] === undefined || String(members['id']) === record?.id;
      if (record !== undefined && members !== undefined && isOf) records.reads(record.family, record.id, members);
    },
    isTheirs: (family: string, name: string) => theirs.has(plain(family, name)),
    writes(family: string, besides: readonly Pick<Exchange, 'request'>[] = []): number {
      const homes = homesOf(table, family);
      const all = homes.reduce((sum, home) => sum + (changes.get(home)?.count ?? 0), 0);
      return besides.reduce((sum, { request }) => sum - (homes.includes(request.family) ? movesOf(request) : 0), all);
    },
    totals() {
      const { taken, returned } = endpoints.tally();
      const created = records.owned().length + taken;
      // An apply that was not taken and is still cleared counts as neither.
      return { created, removed: Math.min(records.owned().length - records.created().length + returned, created) };
    },
  };
}

export type Registry = ReturnType<typeof openRegistry>;
