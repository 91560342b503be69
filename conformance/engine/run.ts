import type { ErsClient } from '../../lib/client/types.ts';
import type { Clock } from '../../lib/clock.ts';
import { FAMILIES } from '../../lib/contract/families.ts';
import type { FamilyTable } from '../../lib/contract/types.ts';
import { defined } from '../../lib/defined.ts';
import { groupBy } from '../../lib/group-by.ts';
import { inParallel } from '../../lib/parallel.ts';
import { type ConformanceResult, type Dialect, resultKey } from '../../lib/records/conformance.ts';
import type { RunWriter } from '../../lib/records/folder/writer.ts';
import type { Grounds } from '../../lib/records/histories.ts';
import type { RunEnd } from '../../lib/records/run.ts';
import type { Depth, Mode } from '../../lib/records/vocabulary.ts';
import { checks as catalog } from '../catalog.ts';
import type { Check } from '../kit/check.ts';
import { circuitBreaker } from './circuit-breaker.ts';
import { orderedResults } from './concurrency/ordered-results.ts';
import { familyScope, type RunScope } from './context.ts';
import type { Evidence } from './evidence/evidence.ts';
import type { Templates } from './first-contact.ts';
import { openRun } from './open-run.ts';
import { type ConformancePlan, planConformance } from './plan.ts';
import { runFamily } from './run-family.ts';
import { nothingServed, type Service } from './service.ts';

export interface ConformanceOptions {
  readonly table?: FamilyTable;
  readonly families?: readonly string[];
  /** Ids, prefixes of ids, or globs with `*`. */
  readonly checks?: readonly string[];
  readonly exclude?: readonly string[];
  readonly mode: Mode;
  readonly seed: number;
  /** `normal` unless set. */
  readonly depth?: Depth;
  /** Families checked at one time; 4 unless set. */
  readonly concurrency?: number;
  /** Time after which no further check starts. */
  readonly deadlineMs?: number;
  /** How long a write may take to show; 3 s unless set. */
  readonly visibilityMs?: number;
  /** Records to start from, by family, as the operator gave them. */
  readonly templates?: Templates;
  /** False leaves on the target what its checks could not remove: for a deployment that is thrown away after the run. */
  readonly cleanUp?: boolean;
  /** Checks of which the exchanges of every pass are written, and not of one alone. */
  readonly keep?: readonly string[];
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
  /** Told of each check that is begun. */
  readonly onCheck?: (family: string, check: string) => void;
  /** Told how many sequences of steps a family has done, of how many: they take most of the time, and come to a result only at the end. */
  readonly onSequences?: (family: string, done: number, planned: number) => void;
  readonly catalog?: readonly Check[];
}

export interface ConformanceRun {
  readonly results: readonly ConformanceResult[];
  readonly dialect: Dialect;
  readonly cleanup: RunEnd['cleanup'];
  readonly plan: ConformancePlan;
  /** Faults of the harness and of the target that the run met, for `end.json`. */
  readonly faults: readonly unknown[];
}

const FAMILIES_AT_ONCE = 4;
const VISIBILITY_MS = 3000;
/** Keeps the names and numbers of the checks apart from those that the dialect probe has used. */
const BEYOND_PROBE = 1000;
/** Keeps those of second tries apart from both. */
const BEYOND_FIRST = 2 * BEYOND_PROBE;
/** Keeps those of records that others point at apart from all of them. */
const BEYOND_TRIES = 3 * BEYOND_PROBE;

/** Writes each result with the exchanges that show it: of every result that is not a pass, and of one pass of each check. */
function recorder(plan: ConformancePlan, keep: readonly string[], deps: ConformanceDeps) {
  const shortChain = (ids: readonly string[]) => deps.evidence?.short(ids) ?? [...ids];
  const sampled = new Set<string>();
  const rested = new Map<string, Grounds>();
  const ordered = orderedResults((result) => {
    const isWanted = !sampled.has(result.checkId) || keep.includes(result.checkId);
    const isSample = result.verdict === 'pass' && isWanted;
    if (isSample) sampled.add(result.checkId);
    const evidence = result.verdict !== 'pass' || isSample ? shortChain(result.evidence) : [];
    const { retry } = result;
    const again = retry === undefined ? {} : { retry: { ...retry, evidence: shortChain(retry.evidence) } };
    deps.evidence?.write([...evidence, ...(again.retry?.evidence ?? [])]);
    deps.writer.result({ ...result, evidence, ...again });
    const grounds = rested.get(resultKey(result));
    const { checkId, family, variant } = result;
    if (grounds !== undefined) deps.writer.history?.({ checkId, family, ...defined({ variant }), ...grounds });
  });
  const indexOf = new Map(plan.entries.map(({ key }, index) => [key, index]));
  const add = (result: ConformanceResult, grounds?: Grounds) => {
    if (grounds !== undefined) rested.set(resultKey(result), grounds);
    ordered.add(indexOf.get(resultKey(result)) ?? plan.entries.length, result);
    deps.onResult?.(result);
  };
  return { ordered, add };
}

interface Checking {
  readonly plan: ConformancePlan;
  readonly names: readonly string[];
  readonly services: ReadonlyMap<string, Service>;
  readonly run: RunScope;
  readonly faults: unknown[];
}

/** Checks the families of a plan, each in a scope of its own, several at one time. */
async function checkFamilies(
  { plan, names, services, run, faults }: Checking,
  options: ConformanceOptions,
  deps: ConformanceDeps,
): Promise<readonly ConformanceResult[]> {
  const { ordered, add } = recorder(plan, options.keep ?? [], deps);
  const { clock } = run;
  const breaker = circuitBreaker(clock, run.signal, options.deadlineMs);
  const all = Object.keys(run.table);
  const under = new Map<string, Promise<void>>();
  const isView = (name: string) => run.table[name]?.viewOf !== undefined;
  // The family with the most checks first: begun last, it would go on alone.
  const sizes = groupBy(plan.entries, ({ family }) => family);
  const bySize = names.toSorted((a, b) => (sizes.get(b)?.length ?? 0) - (sizes.get(a)?.length ?? 0));
  const inTurn = [...bySize.filter((name) => !isView(name)), ...bySize.filter(isView)];
  const checkFamily = async (name: string, afterAll = false) => {
    // What a view shows changes with the records of others, and it makes some there: it is looked at when they are done.
    await Promise.all((run.table[name]?.viewOf ?? []).map((viewed) => under.get(viewed)));
    const service: Service = services.get(name) ?? {
      state: 'blocked',
      reason: 'the family was not asked',
      evidence: [],
    };
    const scopeBeyond = (offset: number) => familyScope(run, name, all.length * offset + all.indexOf(name), all.length);
    const scope = scopeBeyond(BEYOND_PROBE);
    const entries = plan.entries.filter(
      ({ family, check }) => family === name && (check.afterAll === true) === afterAll,
    );
    const onFault = (fault: unknown) => void faults.push(fault);
    await runFamily(entries, {
      ...{ run, scope, service, breaker, clock, onResult: add, onFault, ...defined({ onCheck: deps.onCheck }) },
      ...(options.retry === true && !afterAll ? { freshScope: () => scopeBeyond(BEYOND_FIRST) } : {}),
    });
  };
  await inParallel(inTurn, options.concurrency ?? FAMILIES_AT_ONCE, (name) => {
    const checked = checkFamily(name);
    under.set(name, checked);
    return checked;
  });
  for (const name of names) await checkFamily(name, true);
  ordered.finish();
  return ordered.all();
}

/**
 * Runs the checks against a target, removes what they made, and proves it. Results reach the writer in the order of the
 * plan. Throws `TargetError` where the target cannot be reached or serves nothing, after writing why each check is blocked.
 */
export async function runConformance(options: ConformanceOptions, deps: ConformanceDeps): Promise<ConformanceRun> {
  const table = options.table ?? FAMILIES;
  const { client, clock } = deps;
  const { mode, seed, depth = 'normal' } = options;
  const plan = planConformance({
    table,
    checks: deps.catalog ?? catalog,
    mode,
    depth,
    seed,
    ...defined({ families: options.families, checkIds: options.checks, exclude: options.exclude }),
  });
  const names = [...new Set(plan.entries.map(({ family }) => family))];
  const signal = deps.signal ?? new AbortController().signal;
  const open = await openRun({
    ...{ client, clock, signal, table, names, depth, seed, offset: BEYOND_TRIES },
    atOnce: options.concurrency ?? FAMILIES_AT_ONCE,
    visibilityMs: () => options.visibilityMs ?? VISIBILITY_MS,
    templates: options.templates,
    forget: (ids) => deps.evidence?.drop(ids),
    sequences: deps.onSequences,
    cleanUp: options.cleanUp,
  });
  const { run, services, served, dialect } = open;
  const faults: unknown[] = [];
  const checking: Checking = { plan, names, services, run, faults };
  const fault = nothingServed(services);
  if (fault !== undefined) {
    await checkFamilies(checking, options, deps);
    throw fault;
  }
  let results: readonly ConformanceResult[] = [];
  try {
    await open.begin(served);
    deps.writer.dialect(dialect);
    deps.evidence?.write(Object.values(dialect).flatMap(({ evidence }) => evidence));
    results = await checkFamilies(checking, options, deps);
  } catch (fault) {
    // What was made is removed and listed all the same.
    if (!signal.aborted) faults.push(fault);
  }
  const cleanup = await open.end();
  return { results, dialect, cleanup, plan, faults };
}
