import { lookBeforeAnc } from '../../lib/client/anc/free-pool.ts';
import type { ErsClient, Exchange } from '../../lib/client/types.ts';
import type { Clock } from '../../lib/clock.ts';
import { OPS } from '../../lib/contract/operations.ts';
import { type FamilyTable, hasOp, type Op } from '../../lib/contract/types.ts';
import { TargetError } from '../../lib/errors.ts';
import type { Depth } from '../../lib/records/vocabulary.ts';
import { runPrefix } from '../../lib/run-name.ts';
import { isSuccess } from '../../lib/wire/answer.ts';
import { answerText } from '../kit/answer.ts';
import type { CheckContext, Fixture, RunFacts, SharedScope } from '../kit/check.ts';
import { Blocked, LostRecord, UnreadableRecord } from '../kit/fault.ts';
import { poller } from '../kit/poller.ts';
import { makeFixture } from '../kit/record/fixture.ts';
import { isServerFault, unreadable } from '../kit/record/record-reads.ts';
import { creatingRefused, type Learned } from '../kit/values/learned.ts';
import { payloadMaker } from '../kit/values/payload.ts';
import { valuesOf } from '../kit/values/values.ts';
import type { CreateLock } from './concurrency.ts';
import { answerCollector, type FailedOnceCollector, type WriteCollector } from './evidence/logs.ts';
import type { References } from './references.ts';
import { tearDown } from './teardown.ts';
import { addTo, emptyTrace, type Trace } from './trace.ts';

export interface RunScope {
  readonly client: ErsClient;
  readonly table: FamilyTable;
  readonly clock: Clock;
  readonly depth: Depth;
  readonly seed: number;
  readonly dialect: (question: string) => unknown;
  readonly visibilityMs: number;
  /** Why nothing may be written to a family; undefined if it may. */
  readonly unwritable: (family: string) => string | undefined;
  /** False for a family that the target is known not to serve. */
  readonly isServed: (family: string) => boolean;
  readonly exclusive: RunFacts['exclusive'];
  readonly forget: (ids: readonly string[]) => void;
  readonly sequences: (family: string, done: number, planned: number) => void;
  /** Told what the run does before its checks and after them, in words. */
  readonly phase: (doing: string) => void;
  readonly creates: CreateLock;
  readonly references: References;
  readonly learned: Learned;
  readonly signal: AbortSignal;
  /** Outcome of the writes of preparation and teardown that were answered well. */
  readonly writes: WriteCollector;
  readonly failedOnce: FailedOnceCollector;
}

/** First turn of each maker of records in a run. Each record takes a turn, and no maker needs so many: no two share a name or number. */
export const TURNS = { dialect: 0, checks: 1000, retries: 2000, references: 3000, first: 4000, explore: 5000 } as const;

export type FamilyScope = ReturnType<typeof familyScope>;

/** After this many failed creates in a row, no further one is tried for the family. */
const FUTILE_FIXTURES = 8;
/** How much a create counts whose record nothing shows: it costs the whole visibility window, or leaves what nobody can name. */
const FUTILE_WAIT = 4;

/** Why no record of the family can be made, as its first writes showed; undefined if one can. */
function obstacleOf({ learned, client }: RunScope, family: string): string | undefined {
  const refused = creatingRefused(learned.families.get(family));
  if (refused !== undefined) return `no form of a create is taken: ${answerText(refused)}`;
  return client.closed(family);
}

/** Opens a scope of a family; `turn` keeps its names and numbers apart from those of all others. `isAgain`: for second tries. */
export function familyScope(run: RunScope, name: string, turn: number, isAgain = false) {
  const family = run.table[name];
  if (family === undefined) throw new Error(`no family ${name}`);
  const { table, seed, learned, references } = run;
  const { mode, pool, policies, runId } = run.client.options;
  const prefix = runPrefix(runId);
  const isFull = mode === 'full';
  const isGiven = pool !== undefined && pool.size > 0 && policies?.[0] !== undefined;
  const endpoints = isFull && isGiven ? { pool, policies } : undefined;
  const answers = answerCollector(table, name);
  const taken = learned.requests.get(name) ?? new Set<string>();
  learned.requests.set(name, taken);
  const values = valuesOf(learned, table, name, references);
  const all = Object.keys(table);
  const index = all.length * turn + all.indexOf(name);
  const maker = payloadMaker({ table, prefix, seed, index, of: all.length, learned, references });
  const sharedTrace = emptyTrace(name, 'shared');
  const shared = new Map<string, Promise<unknown>>();
  const releases: (() => Promise<void>)[] = [];
  const sent: string[] = [];
  const made: Fixture[] = [];
  const eventually = poller(run);
  let [futile, lastRefusal] = [0, 'no record could be created so far'];
  /** The last record that was taken and could not be found or read: it tells more than that there is none. */
  let lost: Blocked | undefined;

  const noted = (trace: Trace, exchange: Exchange, on: string) => {
    addTo(trace, exchange);
    sent.push(exchange.id);
    answers.add(on, exchange);
    return exchange;
  };
  const inTurn = <T>(op: Op, on: string, work: () => Promise<T>): Promise<T> => {
    if (op !== 'create') return work();
    return on === name ? run.creates.own(on, work) : run.creates.foreign(on, work);
  };
  const sender = (trace: Trace) => {
    const client = run.client.view({ label: trace.label });
    const send: CheckContext['send'] = async (op: Op, input = {}, on = name) => {
      const refusal = OPS[op].mutates ? run.unwritable(on) : undefined;
      if (refusal !== undefined) throw new Blocked(refusal);
      if (op === 'apply' || op === 'clear') await lookBeforeAnc(client, input.fields);
      const exchange = await inTurn(op, on, () => client.send(on, op, input));
      if ((op === 'create' || op === 'update') && isSuccess(exchange)) values.took(op, input.fields ?? {}, on);
      return noted(trace, exchange, on);
    };
    const follow: CheckContext['follow'] = async (href, on = name, headers) =>
      noted(trace, await client.follow(on, href, headers), on);
    const payload: CheckContext['payload'] = (overrides, on = name) => maker(on, overrides);
    const parts = { send, follow, payload, ledger: client, table, eventually, collided: values.collided };
    const make = async (overrides: Readonly<Record<string, unknown>>, on: string) => {
      if (futile >= FUTILE_FIXTURES) throw lost ?? new Blocked(lastRefusal);
      const obstacle = obstacleOf(run, on);
      if (obstacle !== undefined) throw new Blocked(obstacle);
      const begun = run.clock.monotonicMs();
      try {
        const { fixture, created, unlike } = await makeFixture(parts, on, overrides);
        trace.fixtures.push(fixture);
        if (on === name) made.push(fixture);
        run.writes.add(on, 'create', created, unlike);
        futile = 0;
        return fixture;
      } catch (fault) {
        const isLost = fault instanceof LostRecord || fault instanceof UnreadableRecord;
        const waited = isLost || run.clock.monotonicMs() - begun > run.visibilityMs / 2;
        if (fault instanceof LostRecord) run.writes.add(on, 'create', fault.exchange, fault.message);
        if (isLost) lost = fault;
        // Others of the family were read: then it is this one that the server fails at.
        if (fault instanceof UnreadableRecord && on === name && made.length > 0 && isServerFault(fault.exchange))
          throw unreadable(fault, on);
        // A value of the caller's may be what was refused: that says nothing of the next record.
        if (fault instanceof Blocked && (isLost || Object.keys(overrides).length === 0))
          [futile, lastRefusal] = [futile + (waited ? FUTILE_WAIT : 1), fault.message];
        // Nobody could tell what further creates leave.
        if (isLost && futile >= FUTILE_FIXTURES) run.client.refuse(on, fault.message);
        throw fault;
      }
    };
    const raw: CheckContext['raw'] = async (request) => {
      const { op, family: on } = request;
      return noted(trace, await inTurn(op, on, () => client.raw(request)), on);
    };
    return { client, send, follow, raw, payload, make };
  };
  const keeper = sender(sharedTrace);
  type Sender = ReturnType<typeof sender>;
  const scopeOf = ({ send, follow, raw, payload, make }: Sender): Omit<SharedScope, 'onRelease'> => ({
    ...{ send, follow, raw, payload },
    fixture: (overrides = {}, on = name) => make(overrides, on),
    forget: (exchanges) => run.forget(exchanges.map(({ id }) => id)),
    sequences: (done, planned) => run.sequences(name, done, planned),
    acknowledged: (op, exchange, missing) => run.writes.add(name, op, exchange, missing),
  });
  const sharing: RunFacts['shared'] = <T>(key: string, make: (scope: SharedScope) => Promise<T>) => {
    const scope = { ...scopeOf(keeper), onRelease: (release: () => Promise<void>) => void releases.unshift(release) };
    const known = shared.get(key) ?? make(scope);
    shared.set(key, known);
    // What a broken connection ended is made again for whoever asks next.
    known.catch((fault: unknown) => {
      if (fault instanceof TargetError && fault.code === 'reset') shared.delete(key);
    });
    return known as Promise<T>;
  };

  return {
    name,
    exchanges: (): readonly string[] => sent,
    /** Records of the family itself that its checks and shared resources made, removed ones among them. */
    made: (): readonly Fixture[] => made,
    context: (trace: Trace): CheckContext => {
      const own = sender(trace);
      const facts: RunFacts = {
        baseUrl: run.client.options.target.baseUrl,
        needsCsrf: own.client.needsCsrf,
        habit: (op) => run.client.habit(OPS[op].method),
        ...{ prefix, isAgain, seed, values, taken, isFull, endpoints, shared: sharing },
        ...{ depth: run.depth, dialect: run.dialect, isServed: run.isServed, exclusive: run.exclusive },
        trial: (on = name) => learned.families.get(on),
        anc: () => learned.anc,
        mayCreate: (on = name) => mode !== 'read-only' && hasOp(table[on] ?? family, 'create'),
        answers() {
          trace.usesAnswerLog = true;
          return { ...answers.log(), failedOnce: (op) => run.failedOnce.of(name, op) };
        },
        writes: (op) => run.writes.log(name, op),
      };
      return {
        family,
        table,
        run: facts,
        ...scopeOf(own),
        ledger: own.client,
        evidence: {
          add: (exchange) => addTo(trace, exchange),
          refer: (exchanges) => void trace.shown.push(...exchanges.map(({ id }) => id)),
          rest(on) {
            trace.grounds = on;
          },
        },
        witness(what, count = 1) {
          if (count > 0) trace.witness[what] = (trace.witness[what] ?? 0) + count;
        },
        observe(what, value) {
          trace.observations[what] = value;
        },
        tried(pairs) {
          trace.pairs = pairs;
        },
        failsFor(variants) {
          trace.variants = variants;
        },
        eventually,
      };
    },
    /** Removes what shared resources made, newest first. Never throws. */
    async release(): Promise<void> {
      for (const release of releases.splice(0)) await release().catch(() => undefined);
      await tearDown(run, sharedTrace);
    },
  };
}
