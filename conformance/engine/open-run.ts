import { setMaxListeners } from 'node:events';
import type { ErsClient } from '../../lib/client/types.ts';
import { PATH_PREFIX } from '../../lib/contract/operations.ts';
import type { FamilyTable } from '../../lib/contract/types.ts';
import { TargetError } from '../../lib/errors.ts';
import { inParallel } from '../../lib/parallel.ts';
import type { Dialect } from '../../lib/records/conformance.ts';
import type { RunEnd } from '../../lib/records/run.ts';
import type { Mode } from '../../lib/records/vocabulary.ts';
import { ANC_QUESTIONS } from '../dialect/anc.ts';
import { learnedFacts } from '../dialect/learned-facts.ts';
import { LIST_QUESTIONS } from '../dialect/lists.ts';
import { type Probe, probeFamily, probeRecords, type Question, UNKNOWN } from '../dialect/question.ts';
import { WRITE_QUESTIONS } from '../dialect/writes.ts';
import { viewOf } from '../kit/fields.ts';
import { openLearned } from '../kit/values/learned.ts';
import { createLock, keyedMutex } from './concurrency.ts';
import { familyScope, type RunScope, TURNS } from './context.ts';
import { writeCollector } from './evidence/logs.ts';
import { fingerprint, type Print } from './fingerprint.ts';
import { firstContact, type Templates } from './first-contact.ts';
import { leaveAsFound } from './leave-as-found.ts';
import { allows } from './plan.ts';
import { openReferences } from './references.ts';
import { askService, refusalOfWrites, type Service } from './service.ts';
import { tearDown } from './teardown.ts';
import { emptyTrace } from './trace.ts';

/** Every question of the probe, in the order they are asked; ids are permanent. */
const QUESTIONS: readonly Question[] = [...LIST_QUESTIONS, ...WRITE_QUESTIONS, ...ANC_QUESTIONS];

async function answerOf(question: Question, probe: Probe, mode: Mode): Promise<unknown> {
  if (!allows(mode, question.needs)) return UNKNOWN;
  try {
    return (await question.ask(probe)) ?? UNKNOWN;
  } catch {
    // A question that cannot be asked is a fact that is not known; checks of the same behavior tell why.
    return UNKNOWN;
  }
}

/** Asks what the target does where the specification is silent, before anything is judged; writes if the mode allows. Else `unknown`. */
async function probeDialect(run: RunScope, served: readonly string[]): Promise<Dialect> {
  const { mode } = run.client.options;
  const dialect: Dialect = {};
  const open = (name: string) => {
    const trace = emptyTrace('dialect', name);
    return { trace, scope: familyScope(run, name, TURNS.dialect) };
  };
  const home = probeFamily(run.table, served, mode);
  const main = home === undefined ? undefined : open(home);
  const ancName = served.find((name) => run.table[name]?.ops.includes('apply'));
  const anc = ancName === undefined ? undefined : open(ancName);
  try {
    const records = main === undefined ? [] : await probeRecords(main.scope.context(main.trace)).catch(() => []);
    for (const question of QUESTIONS) {
      const part = question.on === 'anc' ? anc : main;
      if (run.signal.aborted || part === undefined) {
        dialect[question.id] = { question: question.question, answer: UNKNOWN, evidence: [] };
        continue;
      }
      const asked = emptyTrace('dialect', question.id);
      // What a question makes goes when all are asked: the others may have seen it.
      const context = part.scope.context({ ...asked, fixtures: part.trace.fixtures });
      const answer = await answerOf(question, { context, records }, mode);
      dialect[question.id] = { question: question.question, answer, evidence: asked.evidence.slice(-6) };
    }
  } finally {
    for (const part of [main, anc]) {
      if (part === undefined) continue;
      await tearDown(run, part.trace);
      await part.scope.release();
    }
  }
  return dialect;
}

export interface OpenOptions extends Pick<RunScope, 'client' | 'clock' | 'signal' | 'table' | 'depth' | 'seed'> {
  readonly names: readonly string[];
  readonly atOnce: number;
  /** How long a write may take to show; 3 s unless set. */
  readonly visibilityMs?: number | undefined;
  readonly templates?: Templates | undefined;
  readonly forget?: RunScope['forget'] | undefined;
  readonly sequences?: RunScope['sequences'] | undefined;
  /** False leaves on the target what could not be removed: for a deployment that is thrown away after the run. */
  readonly cleanUp?: boolean | undefined;
}

/** A run that knows which families are served, and has written nothing yet. */
export type OpenRun = Awaited<ReturnType<typeof openRun>>;

/** Codes of faults that one address may have while the others answer. */
const BROKEN: ReadonlySet<string> = new Set(['reset', 'timeout']);

/** Asks every family whether it is served; the first alone, so that a wrong login or a dead host is met once. */
async function askServices(client: ErsClient, names: readonly string[], atOnce: number): Promise<Map<string, Service>> {
  const services = new Map<string, Service>();
  const ask = async (name: string) =>
    void services.set(name, await askService(client.view({ label: `${name}/served` }), name));
  const [first, ...others] = names;
  if (first !== undefined) await ask(first);
  await inParallel(others, atOnce, (name) =>
    ask(name).catch((fault: unknown) => {
      // The target answers: a connection that breaks at one family is a fault of that family.
      if (!(fault instanceof TargetError) || !BROKEN.has(fault.code)) throw fault;
      services.set(name, { state: 'blocked', reason: `no answer to GET ${PATH_PREFIX}/${name}: ${fault.message}` });
    }),
  );
  return services;
}

/** The table without what views show that the target does not serve. */
const withViews = (table: FamilyTable, isServed: (name: string) => boolean): FamilyTable =>
  Object.fromEntries(
    Object.entries(table).map(([name, { viewOf: _, ...plain }]) => [
      name,
      isServed(name) ? (table[name] ?? plain) : plain,
    ]),
  );

/** Opens a run: asks the families whether they are served. Sends GET only until `begin`. */
export async function openRun(options: OpenOptions) {
  const { client, clock, signal, names, depth, seed, visibilityMs = 3000 } = options;
  // Every wait and request of every family listens for the end of the run.
  setMaxListeners(0, signal);
  // What shows records of a family is asked too, and the families that a view shows: steps look and write there.
  const related = names.flatMap((name) => viewOf(options.table, name) ?? options.table[name]?.viewOf ?? []);
  const asked = await askServices(client, [...new Set([...names, ...related])], options.atOnce);
  const services = new Map([...asked].filter(([name]) => names.includes(name)));
  const isServed = (name: string) => asked.get(name)?.state !== 'absent';
  const table = withViews(options.table, isServed);
  // A family that is not served holds no record.
  const present = Object.keys(table).filter(isServed);
  const dialect: Dialect = {};
  const run: RunScope = {
    ...{ client, table, clock, depth, seed, signal, visibilityMs },
    dialect: (question) => dialect[question]?.answer,
    unwritable: (name) => refusalOfWrites(services.get(name)),
    isServed,
    exclusive: keyedMutex(),
    forget: (ids) => options.forget?.(ids),
    sequences: (family, done, planned) => options.sequences?.(family, done, planned),
    creates: createLock(),
    references: openReferences(() => run),
    learned: openLearned(),
    writes: writeCollector(),
  };
  let before: Print | undefined;
  const isDisposable = options.cleanUp === false;
  return {
    run,
    services,
    served: names.filter((name) => services.get(name)?.state === 'served'),
    dialect,
    /** Looks what is there, makes the first writes, and asks what the specification leaves open about the named families. */
    async begin(named: readonly string[]): Promise<void> {
      if (client.options.mode !== 'read-only' && !isDisposable) before = await fingerprint(client, table, present);
      // Whose records are there is known before the first write, or nothing is written.
      for (const name of before?.unknown ?? [])
        client.refuse(name, 'its list cannot be read to its end, so nobody can tell whose its records are');
      const shown = named
        .flatMap((name) => table[name]?.viewOf ?? [])
        .filter((name) => asked.get(name)?.state === 'served');
      await firstContact(run, [...new Set([...named, ...shown])], options.templates);
      Object.assign(dialect, learnedFacts(run.learned, client), await probeDialect(run, named));
    },
    /** Removes what the run made, and proves it. Never throws. */
    async end(): Promise<RunEnd['cleanup']> {
      await run.references.release().catch(() => undefined);
      if (isDisposable) return { created: 0, removed: 0, residue: [] };
      return leaveAsFound({ client, table, families: present, clock, before });
    },
  };
}
