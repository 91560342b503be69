import { createHash } from 'node:crypto';
import { type ConformanceRun, runConformance } from '../../conformance/engine/run.ts';
import { readPool } from '../../lib/client/anc/pool.ts';
import { createClient } from '../../lib/client/http/create-client.ts';
import { preflight } from '../../lib/client/http/preflight.ts';
import type { ErsClient } from '../../lib/client/types.ts';
import { type Clock, timeLimit } from '../../lib/clock.ts';
import { FAMILIES } from '../../lib/contract/families.ts';
import { defined } from '../../lib/defined.ts';
import { TargetError } from '../../lib/errors.ts';
import { judgeCell } from '../../lib/judge/cell/judge-cell.ts';
import { countVerdicts, isOpen } from '../../lib/judge/conformance/unproven.ts';
import { judge } from '../../lib/judge/judge.ts';
import type { ConformanceResult } from '../../lib/records/conformance.ts';
import { type Catalogue, RECORD_VERSION, type RunEnd } from '../../lib/records/run.ts';
import type { Mode } from '../../lib/records/vocabulary.ts';
import { DEFECTS } from '../defects/table.ts';
import { type ReferenceOptions, type ReferenceServer, startReference } from '../server.ts';
import { accusationOf, isBound, openOf } from './defect-score.ts';
import { startForeignWriter } from './foreign-writer.ts';
import { SPACES, type Subject, subjectKey } from './subject.ts';

interface JudgeDeps {
  readonly catalogue: Catalogue;
  /** Kind and code of a fault, as a run records it. */
  readonly faultOf: (fault: unknown) => RunEnd['faults'][number];
}

const MOMENT = '2026-01-01T00:00:00.000Z';

/** What the report of a run says, judged as the command line does: its exit code, and the cells that were exercised with a witness. */
function judgedRun({ catalogue, faultOf }: JudgeDeps, { seed, mode, results, cleanup, faults }: JudgedRun) {
  const report = judge(
    {
      header: {
        ...{ recordVersion: RECORD_VERSION, runId: 'selftest', command: 'conformance', startedAt: MOMENT, seed, mode },
        tool: { name: 'ers-harness', version: '0' },
        target: { baseUrl: 'http://127.0.0.1', embedded: false, insecure: false },
        ...{ options: {}, environment: {}, specDigest: '' },
      },
      ...{ catalogue, dialect: {}, results, exchanges: [], journal: [], cells: [] },
      end: { finishedAt: MOMENT, durationMs: 0, faults: faults.map(faultOf), requests: {}, cleanup },
      damage: [],
    },
    judgeCell,
  );
  const coverage = report.conformance?.coverage;
  return {
    exit: report.exit.code,
    operations: coverage?.operations.exercised ?? 0,
    filters: coverage?.filterCells.exercised ?? 0,
  };
}

/** Outcome of a run, for the report that a person would have seen. */
interface JudgedRun extends Pick<ConformanceRun, 'results' | 'cleanup' | 'faults'> {
  readonly seed: number;
  readonly mode: Mode;
}

export interface SubjectDeps extends JudgeDeps {
  readonly clock: Clock;
}

/** Sessions of the deployment: conformance touches a handful of them. */
const SESSIONS = 500;
/** Every deployment here answers in milliseconds, or never. */
const TIMEOUT_MS = 2000;
/** No generated defect leaves a request without an answer, and no persona: a slow one means that the machine is busy. */
const PATIENT_TIMEOUT_MS = 15_000;
const PATIENT: ReadonlySet<Subject['kind']> = new Set(['generated', 'held-out', 'control', 'persona']);
/** A bulk request of a persona goes on for this long after it was taken, and longer than the run if nobody waits for it. */
const SETTLE_MS = 1000;
/** Four times the slowest allowed write; the wait for what never comes is most of the time of a defect. */
const VISIBILITY_MS = 1000;
/** A deployment that shows writes late takes three and a half minutes, and twice that on a busy machine. */
const DEADLINE_MS = 480_000;

const modeOf = ({ mode }: Subject): Mode => mode ?? 'full';

function deviations({ kind, ids }: Subject): Partial<ReferenceOptions> {
  if (kind === 'defect') return { defects: ids };
  if (kind === 'persona') return { personas: ids };
  if (kind === 'variation' || kind === 'pair') return { variations: ids };
  const [nullTarget] = ids;
  return kind === 'null' && nullTarget !== undefined ? { nullTarget } : {};
}

/** Ends in eight characters of its own, because names of records are made from them. */
function runIdOf(subject: Subject): string {
  return `selftest-${createHash('sha256').update(subjectKey(subject)).digest('hex').slice(0, 8)}`;
}

function openClient(server: ReferenceServer, subject: Subject, clock: Clock): ErsClient {
  const { baseUrl, username, password, policies } = server;
  return createClient(
    {
      target: {
        baseUrl,
        credentials: { username, password },
        timeoutMs: PATIENT.has(subject.kind) ? PATIENT_TIMEOUT_MS : TIMEOUT_MS,
        connections: 10,
      },
      mode: modeOf(subject),
      runId: runIdOf(subject),
      table: FAMILIES,
      pool: readPool(server.endpoints),
      policies,
      onExchange: () => undefined,
      onJournal: () => undefined,
    },
    { clock },
  );
}

const ACCUSING: ReadonlySet<string> = new Set(['fail', 'warn', 'error']);

const DEFECTIVE: ReadonlySet<Subject['kind']> = new Set(['defect', 'generated', 'held-out']);

/** The code of a generated defect; undefined for other subjects. */
const madeOf = ({ kind, line }: Subject) =>
  line === undefined ? undefined : SPACES[kind === 'held-out' ? kind : 'generated'].make(line);

/** Requirements that the seeded or generated defect of a subject violates; none for other subjects. */
const violatedBy = ({ kind, ids }: Subject, made: ReturnType<typeof madeOf>): readonly string[] =>
  (made?.defect ?? DEFECTS.find(({ id }) => kind === 'defect' && id === ids[0]))?.violates ?? [];

async function collect(
  client: ErsClient,
  subject: Subject,
  clock: Clock,
  violates: readonly string[],
): Promise<JudgedRun> {
  const { seed, families, depth } = subject;
  const mode = modeOf(subject);
  const found = new AbortController();
  const onResult = ({ verdict, requirement, family }: ConformanceResult) => {
    // One right accusation is enough to find a defect: the rest of the run would only cost time.
    if (verdict === 'fail' || verdict === 'warn')
      if (isBound(violates, { verdict, requirement, family })) found.abort();
  };
  const written: ConformanceResult[] = [];
  const writer = { result: (result: ConformanceResult) => void written.push(result), dialect: () => undefined };
  try {
    await preflight(client);
    const run = await runConformance(
      {
        mode,
        seed,
        visibilityMs: VISIBILITY_MS,
        // What a deployment with a defect keeps goes away with it, and trying to remove it would take most of the time.
        ...(DEFECTIVE.has(subject.kind) ? { cleanUp: false } : {}),
        ...defined({ families, depth }),
      },
      { client, writer, clock, signal: timeLimit(DEADLINE_MS, found.signal), onResult },
    );
    return { seed, mode, results: run.results, cleanup: run.cleanup, faults: run.faults };
  } catch (fault) {
    return { seed, mode, results: written, cleanup: { created: 0, removed: 0, residue: [] }, faults: [fault] };
  }
}

function changed(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>) {
  return {
    left: [...after.keys()].filter((key) => !before.has(key)),
    harmed: [...before].filter(([key, record]) => after.get(key) !== record).map(([key]) => key),
  };
}

function pairsOf(results: readonly ConformanceResult[]) {
  const all = results.flatMap(({ pairs }) => pairs ?? []);
  return {
    possible: all.reduce((sum, { possible }) => sum + possible, 0),
    exercised: all.reduce((sum, { exercised }) => sum + exercised, 0),
  };
}

/** Runs the suite over a socket, in full mode unless the subject has another, against a deployment of its own, and throws that away. */
export async function runSubject(subject: Subject, deps: SubjectDeps) {
  const { clock } = deps;
  const begun = clock.monotonicMs();
  const made = madeOf(subject);
  const server = await startReference({
    sessions: SESSIONS,
    seed: subject.seed,
    ...deviations(subject),
    ...defined({ deviations: made && [made.defect] }),
  });
  const client = openClient(server, subject, clock);
  const before = server.records();
  const foreign =
    subject.kind === 'churn'
      ? startForeignWriter(server, { seed: subject.seed, perSecond: Number(subject.ids[0]) }, clock)
      : undefined;
  try {
    const run = await collect(client, subject, clock, violatedBy(subject, made));
    const { results } = run;
    const durationMs = Math.round(clock.monotonicMs() - begun);
    const { exit, ...cells } = judgedRun(deps, run);
    if (subject.mode !== undefined) await clock.sleep(SETTLE_MS);
    const detail = subject.mode === undefined ? undefined : { ...changed(before, server.records()), ...cells };
    const open = results.filter(({ verdict }) => isOpen(verdict)).map(openOf);
    const passed = results.filter(({ verdict }) => subject.kind === 'null' && verdict === 'pass');
    const code = (fault: unknown) => (fault instanceof TargetError ? fault.code : `harness: ${String(fault)}`);
    return {
      exit,
      counts: countVerdicts(results),
      accusations: results.filter(({ verdict }) => ACCUSING.has(verdict)).map(accusationOf),
      /** Checks and requirements of the passes; only for null targets. */
      passes: [...new Set(passed.map(({ checkId, requirement }) => `${checkId} ${requirement}`))].sort(),
      ...(subject.kind === 'clean' ? { pairs: pairsOf(results) } : {}),
      faults: run.faults.map(code),
      residue: run.cleanup.residue.length,
      /** The time of the subject was over before all checks had run. */
      timedOut: durationMs > DEADLINE_MS,
      requests: Object.values(client.requests()).reduce((sum, count) => sum + count, 0),
      ...defined({ exposure: made?.exposure(), detail: detail && { open, ...detail } }),
      durationMs,
    };
  } finally {
    await foreign?.stop();
    await client.close();
    await server.close();
  }
}
