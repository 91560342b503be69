import type { ErsClient } from '../../lib/client/types.ts';
import type { Clock } from '../../lib/clock.ts';
import { FAMILIES } from '../../lib/contract/families.ts';
import { defined } from '../../lib/defined.ts';
import { groupBy } from '../../lib/group-by.ts';
import { inParallel } from '../../lib/parallel.ts';
import { type ConformanceResult, resultKey } from '../../lib/records/conformance.ts';
import type { RunWriter } from '../../lib/records/folder/writer.ts';
import type { Grounds } from '../../lib/records/histories.ts';
import { checks as catalog } from '../catalog.ts';
import type { Check } from '../kit/check.ts';
import { circuitBreaker } from './circuit-breaker.ts';
import { type FamilyScope, familyScope, TURNS } from './context.ts';
import type { Evidence } from './evidence/evidence.ts';
import type { Templates } from './first-contact.ts';
import { type OpenRun, openRun } from './open-run.ts';
import { type ConformancePlan, planConformance, type Selection } from './plan.ts';
import { runFamily } from './run-family.ts';
import { nothingServed, type Service } from './service.ts';

/** Opens a sink that emits results in plan order; `emit` gets each once. */
export function orderedResults(emit: (result: ConformanceResult, grounds?: Grounds) => void) {
  const held = new Map<number, readonly [ConformanceResult, Grounds?]>();
  const given: ConformanceResult[] = [];
  let next = 0;
  const give = (index: number, [result, grounds]: readonly [ConformanceResult, Grounds?]) => {
    held.delete(index);
    given.push(result);
    emit(result, grounds);
  };
  return {
    add(index: number, ...result: readonly [ConformanceResult, Grounds?]): void {
      held.set(index, result);
      for (let due = held.get(next); due !== undefined; due = held.get(next)) {
        give(next, due);
        next += 1;
      }
    },
    finish(): void {
      for (const [index, result] of [...held].sort(([a], [b]) => a - b)) give(index, result);
    },
    all: (): readonly ConformanceResult[] => given,
  };
}

export interface ConformanceOptions extends Selection {
  /** Families checked at one time; 4 unless set. */
  readonly concurrency?: number;
  /** How long a write may take to show; 3 s unless set. */
  readonly visibilityMs?: number;
  readonly templates?: Templates | undefined;
  /** False leaves on the target what its checks could not remove: for a deployment that is thrown away after the run. */
  readonly cleanUp?: boolean;
  /** Checks of which the exchanges of every pass are written, and not of one alone. */
  readonly keep?: readonly string[] | undefined;
  /** Tries each failure again at the end of its family, so that flaky ones are told apart; off unless set. */
  readonly retry?: boolean;
}

export interface ConformanceDeps {
  readonly client: ErsClient;
  readonly writer: Pick<RunWriter, 'result' | 'dialect'> & Partial<Pick<RunWriter, 'history'>>;
  readonly clock: Clock;
  readonly signal?: AbortSignal;
  /** Where the client's `onExchange` leads, so that only exchanges that show something are written. */
  readonly evidence?: Evidence;
  /** Told of each result as it comes, for progress; the writer gets them in the order of the plan. */
  readonly onResult?: (result: ConformanceResult) => void;
  readonly onCheck?: (family: string, check: string) => void;
  /** Told how many of its sequences of steps a family has done: they take most of the time, and give results only at the end. */
  readonly onSequences?: (family: string, done: number, planned: number) => void;
  /** Told what the run does before its checks and after them, in words. */
  readonly onPhase?: (doing: string) => void;
  readonly catalog?: readonly Check[];
}

const FAMILIES_AT_ONCE = 4;

/** Writes each result with the exchanges that show it: of every result that is not a pass, and of one pass of each check. */
function recorder(plan: ConformancePlan, keep: readonly string[], deps: ConformanceDeps) {
  const shortChain = (ids: readonly string[]) => deps.evidence?.short(ids) ?? [...ids];
  const sampled = new Set<string>();
  const ordered = orderedResults((result, grounds) => {
    const isWanted = !sampled.has(result.checkId) || keep.includes(result.checkId);
    const isSample = result.verdict === 'pass' && isWanted;
    if (isSample) sampled.add(result.checkId);
    const evidence = result.verdict !== 'pass' || isSample ? shortChain(result.evidence) : [];
    const { retry } = result;
    const again = retry === undefined ? {} : { retry: { ...retry, evidence: shortChain(retry.evidence) } };
    const shown = [...evidence, ...(again.retry?.evidence ?? [])];
    deps.evidence?.write(result.verdict === 'fail' ? deps.evidence.withWrites(shown, grounds) : shown);
    deps.writer.result({ ...result, evidence, ...again });
    const { checkId, family, variant } = result;
    if (grounds !== undefined) deps.writer.history?.({ checkId, family, ...defined({ variant }), ...grounds });
  });
  const indexOf = new Map(plan.entries.map(({ key }, index) => [key, index]));
  const add = (result: ConformanceResult, grounds?: Grounds) => {
    ordered.add(indexOf.get(resultKey(result)) ?? plan.entries.length, result, grounds);
    deps.onResult?.(result);
  };
  return { ordered, add };
}

async function checkFamilies(
  plan: ConformancePlan,
  { run, services }: OpenRun,
  faults: unknown[],
  options: ConformanceOptions,
  deps: ConformanceDeps,
): Promise<readonly ConformanceResult[]> {
  const { ordered, add } = recorder(plan, options.keep ?? [], deps);
  const breaker = circuitBreaker(run.signal);
  const under = new Map<string, Promise<void>>();
  const isView = (name: string) => run.table[name]?.viewOf !== undefined;
  // The family with the most checks first: begun last, it would go on alone.
  const sizes = groupBy(plan.entries, ({ family }) => family);
  const names = [...sizes.keys()];
  const bySize = names.toSorted((a, b) => (sizes.get(b)?.length ?? 0) - (sizes.get(a)?.length ?? 0));
  const inTurn = [...bySize.filter((name) => !isView(name)), ...bySize.filter(isView)];
  // The checks that come after all are told what all the others were answered.
  const scopes = new Map<string, FamilyScope>();
  const checkFamily = async (name: string, afterAll = false) => {
    // What a view shows changes with the records of others, and it makes some there: it is looked at when they are done.
    await Promise.all((run.table[name]?.viewOf ?? []).map((viewed) => under.get(viewed)));
    const service = services.get(name) as Service;
    const scope = scopes.get(name) ?? familyScope(run, name, TURNS.checks);
    scopes.set(name, scope);
    const isInTurn = (check: Check) => (check.afterAll === true) === afterAll;
    const entries = plan.entries.filter(({ family, check }) => family === name && isInTurn(check));
    const onFault = (fault: unknown) => void faults.push(fault);
    await runFamily(entries, {
      ...{ run, scope, service, breaker, onResult: add, onFault, ...defined({ onCheck: deps.onCheck }) },
      ...(options.retry === true && !afterAll ? { freshScope: () => familyScope(run, name, TURNS.retries, true) } : {}),
    });
  };
  await inParallel(inTurn, options.concurrency ?? FAMILIES_AT_ONCE, (name) => {
    const checked = checkFamily(name);
    under.set(name, checked);
    return checked;
  });
  for (const name of names) await checkFamily(name, true);
  const lost = breaker.lost();
  if (lost !== undefined) faults.push(lost);
  ordered.finish();
  return ordered.all();
}

/** Runs the checks, removes what they made, and proves it. Throws `TargetError` if nothing is reached or served, after writing why. */
export async function runConformance(options: ConformanceOptions, deps: ConformanceDeps) {
  const { client, clock } = deps;
  const { table = FAMILIES, seed, depth = 'normal' } = options;
  const plan = planConformance(deps.catalog ?? catalog, options);
  const names = [...new Set(plan.entries.map(({ family }) => family))];
  const signal = deps.signal ?? new AbortController().signal;
  const { concurrency: atOnce = FAMILIES_AT_ONCE, visibilityMs, templates, cleanUp } = options;
  const open = await openRun({
    ...{ client, clock, signal, table, names, depth, seed, atOnce, visibilityMs, templates, cleanUp },
    forget: (ids) => deps.evidence?.drop(ids),
    sequences: deps.onSequences,
    phase: deps.onPhase,
    isPatient: true,
  });
  const { services, served, dialect } = open;
  const faults: unknown[] = [];
  const check = () => checkFamilies(plan, open, faults, options, deps);
  const fault = nothingServed(services);
  if (fault !== undefined) {
    await check();
    throw fault;
  }
  let results: readonly ConformanceResult[] = [];
  try {
    await open.begin(served);
    deps.writer.dialect(dialect);
    deps.evidence?.write(Object.values(dialect).flatMap(({ evidence }) => evidence));
    results = await check();
  } catch (fault) {
    // What was made is removed and listed even so.
    if (!signal.aborted) faults.push(fault);
  }
  const cleanup = await open.end();
  // The faults are those of the harness and of the target that the run met, for `end.json`.
  return { results, dialect, cleanup, plan, faults };
}
export type ConformanceRun = Awaited<ReturnType<typeof runConformance>>;
