import type { Family } from '../../lib/contract/types.ts';
import { defined } from '../../lib/defined.ts';
import { TargetError } from '../../lib/errors.ts';
import { present } from '../../lib/present.ts';
import type { ConformanceResult } from '../../lib/records/conformance.ts';
import type { Grounds } from '../../lib/records/histories.ts';
import type { Verdict } from '../../lib/records/vocabulary.ts';
import { inert } from '../../lib/text.ts';
import { IN_PASSING } from '../../lib/wire/answer.ts';
import { answerText } from '../kit/answer.ts';
import { sideBySide } from '../kit/delay.ts';
import { CheckFailure } from '../kit/fault.ts';
import { isCreatable } from '../kit/fields.ts';
import { besideOthers } from './beside-others.ts';
import type { CircuitBreaker } from './circuit-breaker.ts';
import { inOrder } from './concurrency.ts';
import type { FamilyScope, RunScope } from './context.ts';
import { faultOf, momentOf, withCondition } from './fault-of.ts';
import type { PlanEntry } from './plan.ts';
import { type FailedResult, MOST_RETRIES, retryFailed } from './retry.ts';
import type { Service } from './service.ts';
import { leftBehind, tearDown } from './teardown.ts';
import { emptyTrace, evidenceOf, letGo, type Trace } from './trace.ts';
import { type Ended, type Ending, explained, type Judged, judge, unmetOf, waitsFor } from './verdict.ts';

export interface FamilyRun {
  readonly run: RunScope;
  readonly scope: FamilyScope;
  readonly service: Service;
  readonly breaker: CircuitBreaker;
  readonly onCheck?: (family: string, check: string) => void;
  readonly onResult: (result: ConformanceResult, grounds?: Grounds) => void;
  /** A fault of the harness itself, besides the result that tells of it. */
  readonly onFault: (fault: unknown) => void;
  /** Opens a second scope of the family, in which failures are tried again; absent: none is. */
  readonly freshScope?: () => FamilyScope;
}

const CREATE = 'OP-{family}-C';
const EXERCISED: ReadonlySet<Verdict> = new Set(['pass', 'warn', 'fail', 'info']);

/** Verdict that holds without running the check; undefined if it has to be run. */
function preVerdict(entry: PlanEntry, { service, breaker }: FamilyRun): Judged | undefined {
  if (service.state === 'absent') return { verdict: 'not-applicable', reason: service.reason ?? 'not served' };
  if (service.state === 'blocked') return { verdict: 'blocked', reason: service.reason ?? 'not served' };
  if (entry.skipReason !== undefined)
    return { verdict: 'not-testable', reason: entry.skipReason, needs: `--mode ${entry.check.needs}` };
  if (service.indistinguishable !== undefined && entry.check.needs !== 'read')
    return { verdict: 'blocked', reason: service.indistinguishable };
  const reason = breaker.reason();
  return reason === undefined ? undefined : { verdict: 'inconclusive', reason };
}

function coverage({ check, family, variant }: PlanEntry, verdict: Verdict, trace: Trace) {
  // What is found wrong has been looked at.
  const hasSeen = verdict === 'fail' || verdict === 'warn' || Object.keys(trace.witness).length > 0;
  if (!EXERCISED.has(verdict) || !hasSeen) return {};
  const operations = (check.exercises ?? []).map((op) => ({ kind: 'operation' as const, cell: `${family}.${op}` }));
  const covers = [...operations, ...(variant?.covers === undefined ? [] : [variant.covers])];
  return covers.length === 0 ? {} : { covers };
}

async function execute(
  entry: PlanEntry,
  { run, scope, service, breaker, onFault }: FamilyRun,
  trace: Trace,
): Promise<Judged> {
  let ending: Ending;
  const before = scope.exchanges().length;
  const since = momentOf(run.client);
  try {
    ending = { returned: await entry.check.run(scope.context(trace), entry.variant) };
    breaker.answered();
  } catch (fault) {
    const thrown = await faultOf(fault, run, since);
    ending = { thrown: await withCondition(thrown, scope.context(trace), trace) };
    if (thrown instanceof TargetError) trace.broke = thrown;
    // A connection that breaks beside other answers is no silence: a firewall may cut off what it does not like.
    const isCut = trace.broke?.code === 'reset' && (scope.exchanges().length > before || (await isAlive(run.client)));
    breaker.answered(isCut ? undefined : trace.broke);
  }
  await tearDown(run, trace);
  const { lost } = breaker;
  if ('thrown' in ending && ending.thrown instanceof TargetError && lost() !== undefined)
    return { verdict: 'inconclusive', reason: lost()?.message ?? '' };
  if (run.signal.aborted && 'thrown' in ending && !(ending.thrown instanceof CheckFailure))
    return { verdict: 'inconclusive', reason: breaker.reason() ?? '' };
  const judged = judge(ending, entry.level, trace.witness, entry.family);
  if (judged.verdict === 'error' && 'thrown' in ending && !(ending.thrown instanceof TargetError))
    onFault(ending.thrown);
  const closed = run.client.closed(entry.family) ?? run.client.closed(entry.family, 'update');
  // What is not there might have been made.
  if (judged.verdict === 'not-testable' && closed !== undefined && isCreatable(run.table[entry.family]))
    return { verdict: 'blocked', reason: `${judged.reason}; ${closed}` };
  const { indistinguishable: reason } = service;
  return judged.verdict === 'pass' && reason !== undefined ? { verdict: 'inconclusive', reason } : judged;
}

/** True if the target is known to answer others: then a connection broke for what was sent. */
const isAlive = (client: RunScope['client']): Promise<boolean> =>
  client.answersStill().then(
    () => true,
    () => false,
  );

/** Runs a check, once more on records of its own if a connection breaks under it, or a gateway or a busy target refuses something. If that is often, `again` gives no further try. */
async function executeTwice(entry: PlanEntry, family: FamilyRun, again: () => FamilyRun | undefined) {
  const { check, variant } = entry;
  const trace = emptyTrace(entry.family, check.id, variant?.name);
  const judged = await execute(entry, family, trace);
  const broke = judged.verdict === 'error' && trace.broke?.code === 'reset' ? trace.broke.message : undefined;
  const passing =
    judged.verdict === 'pass' ? undefined : [...trace.refused.values()].find(({ status }) => IN_PASSING.has(status));
  const ended = broke ?? (passing && answerText(passing));
  const fresh = ended === undefined || family.breaker.reason() !== undefined ? undefined : again();
  if (fresh === undefined) return { judged, trace };
  const second = emptyTrace(entry.family, check.id, variant?.name, 'again');
  second.observations['first try'] = ended;
  return { judged: await execute(entry, fresh, second), trace: second };
}

/** A create that passed, unless another create of the family was answered with a record that is not its own. */
function withStrays(result: ConformanceResult, { run }: FamilyRun): ConformanceResult {
  // One that was ours was written to by somebody else since, and one that bears its name alone no answer gave.
  const stray = run.client.leftAlone().find(({ family, kind }) => family === result.family && kind === 'answered');
  if (stray === undefined) return result;
  const { covers: _, ...rest } = result;
  return {
    ...rest,
    verdict: 'fail',
    expected: 'every create to be answered with the id of the record that it made',
    observed: `${inert(stray.id, 200)}: ${stray.why}; nothing was sent to it`,
    failure: { kind: 'value', operation: 'create', subject: 'record' },
  };
}

/** Runs the checks of a family in plan order, several at one time if writes show late, retries failures if asked to, and cleans up. */
export async function runFamily(entries: readonly PlanEntry[], family: FamilyRun): Promise<void> {
  const done = new Map<string, Ended[]>();
  const failed: FailedResult[] = [];
  const creates: ConformanceResult[] = [];
  let fresh: FamilyRun | undefined;
  let broken = 0;
  const again = () => {
    if (fresh === undefined && family.freshScope !== undefined) fresh = { ...family, scope: family.freshScope() };
    return fresh;
  };
  const unbroken = () => {
    broken += 1;
    return broken > MOST_RETRIES ? undefined : again();
  };
  // Others may be seen, or a failure be found flaky, long after it was met.
  const end = async (result: ConformanceResult, grounds?: Grounds) =>
    family.onResult(await besideOthers(result, family.run), grounds);
  const runEntry = async (entry: PlanEntry): Promise<void> => {
    const { variant } = entry;
    for (const told of await runOnce(entry)) {
      const name = present(variant?.name, told.replaceAll(' ', '-')).join('-');
      await runOnce({ ...entry, variant: { ...variant, name, told } });
    }
  };
  const runOnce = async (entry: PlanEntry): Promise<readonly string[]> => {
    const begun = family.run.clock.monotonicMs();
    const { family: name, check, variant } = entry;
    family.onCheck?.(name, check.id);
    const ruled = preVerdict(entry, family) ?? waitsFor(unmetOf(entry, 'restsOn', done));
    const { trace, ...run } =
      ruled === undefined
        ? await executeTwice(entry, family, unbroken)
        : { judged: ruled, trace: emptyTrace(name, check.id, variant?.name) };
    const unmet = unmetOf(entry, 'dependsOn', done);
    const judged = ruled ?? explained(run.judged, entry, done, unmet, trace);
    // A copy: a part of a long answer would keep all of it in memory.
    const shown: ConformanceResult = structuredClone({
      ...{ checkId: check.id, family: name, ...defined({ variant: variant?.name }) },
      ...{ title: check.title, requirement: entry.requirement, level: entry.level },
      ...judged,
      ...(Object.keys(trace.witness).length === 0 ? {} : { witness: trace.witness }),
      ...(Object.keys(trace.observations).length === 0 ? {} : { observations: trace.observations }),
      ...defined({ pairs: trace.pairs }),
      ...coverage(entry, judged.verdict, trace),
      evidence: evidenceOf(trace),
      durationMs: Math.round(family.run.clock.monotonicMs() - begun),
    });
    letGo(trace);
    const result = await besideOthers(shown, family.run);
    // A check that the mode rules out says nothing of the target, so what depends on it may still be tested.
    if (entry.skipReason === undefined)
      done.set(check.id, [...(done.get(check.id) ?? []), { result, ...defined({ unmet }) }]);
    if (entry.check.requirement === CREATE && result.verdict === 'pass') {
      // Kept back: a later create may be answered with a record of somebody else.
      creates.push(result);
      return [];
    }
    // Kept back, so that a failure is written once, with what its second try showed.
    if (result.verdict === 'fail' && family.freshScope !== undefined) failed.push({ entry, result, trace });
    else family.onResult(result, trace.grounds);
    return trace.variants ?? [];
  };
  const { name } = family.scope;
  const { dialect, learned, table } = family.run;
  const atOnce = sideBySide(dialect, table[name] as Family, learned.families.get(name));
  await inOrder(entries, atOnce, runEntry);
  for (const result of creates) family.onResult(withStrays(result, family));
  // Before any second try: what the first ones made would be in its way.
  await family.scope.release();
  const second = failed.length > 0 ? again() : undefined;
  if (second !== undefined) {
    const left = await leftBehind(family.run, family.scope);
    await retryFailed(failed, {
      ...{ clock: family.run.clock, onResult: end },
      stopped: () => family.breaker.reason() ?? left,
      run: (entry, trace) => execute(entry, second, trace),
    });
  }
  await fresh?.scope.release();
}
