import type { CellProgress } from '../../lib/records/load/parts.ts';
import { duration } from '../../lib/text.ts';
import { periodNs, scheduleDues } from '../../lib/wire/scenario.ts';
import { type AbortLimits, abortWatch, type EndingCounts, type Stop } from '../plan/abort-rules.ts';
import type { CellSpec } from '../plan/cell-spec.ts';
import { createParser } from '../stream/parser.ts';
import { createProgress } from '../stream/progress.ts';
import { createTable, type StreamTable } from '../stream/table.ts';
import { k6Arguments, k6Environment, writePoolFile } from './command.ts';
import type { CellDeps } from './facts.ts';
import { createLog } from './log.ts';
import { watchGenerator } from './monitor.ts';
import { memoryBounds, watchMemory } from './proc.ts';
import { runProcess } from './process.ts';

const GRACE_MS = 10_000;
/** Whoever interrupts a run waits for it: what k6 has not written by then is of no use. */
const INTERRUPTED_GRACE_MS = 2000;
const US_PER_MS = 1000;
const NS_PER_US = 1000;

/** What begins so stops k6 whatever the plan says. */
const GENERATOR = 'generator-';
/** For k6 to read its program on a busy machine, and to wait for the last answers. */
const SPARE_MS = 120_000;

function alikeOf({ messages: { alike, alikePlace, first } }: StreamTable): Pick<EndingCounts, 'alike'> {
  const said = first[alikePlace - 1];
  return alike === null || said === undefined ? {} : { alike: { count: alike, ...said } };
}

/** Stops a process when an abort rule says so; the first one counts. */
function createBrake(limits: AbortLimits | undefined) {
  const rules = limits && abortWatch(limits);
  const controller = new AbortController();
  let stopped: Stop | undefined;
  const heed = (stop: Stop | undefined) => {
    if (stop === undefined || stopped !== undefined) return;
    stopped = stop;
    controller.abort();
  };
  return {
    signal: controller.signal,
    stopped: () => stopped,
    /** One that takes the memory of its machine measures nothing, and one that hangs keeps the endpoints. */
    generator: (why: 'memory' | 'time', text: string) => heed({ rule: GENERATOR + why, text }),
    counts: (endings: EndingCounts) => heed(rules?.counts(endings)),
    second: (endings: EndingCounts, p99Ms: number | null) => heed(rules?.second(performance.now(), endings, p99Ms)),
  };
}

/** Runs one k6 process to its end and gives everything that it said. */
export async function runStream(spec: CellSpec, deps: CellDeps) {
  const between = periodNs(spec.ratePerSecond);
  const table = createTable(Math.ceil(spec.ratePerSecond * (spec.durationSeconds + 1)));
  const parser = createParser(table, between);
  const log = createLog();
  deps.onStream?.(() => (table.newestOk < 0 ? undefined : table.newestOk));
  let watch: ReturnType<typeof watchGenerator> | undefined;
  let memory: ReturnType<typeof watchMemory> | undefined;
  const brake = createBrake(deps.abort);
  const report = (progress: CellProgress) => {
    deps.onSecond?.(progress);
    brake.second({ ...table.endings, unserved: progress.dropped + progress.failed }, progress.p99Ms);
  };
  const duesUs = spec.schedule === undefined ? undefined : scheduleDues(spec.schedule);
  const progress = createProgress(table, { periodUs: between / NS_PER_US, duesUs }, report);
  const graceMs = () => {
    // What fills the memory goes on filling it until the end, and what hangs hears nothing.
    if (brake.stopped()?.rule.startsWith(GENERATOR)) return 0;
    return deps.signal?.aborted === true ? INTERRUPTED_GRACE_MS : GRACE_MS;
  };
  const mostMs =
    (spec.durationSeconds + (spec.ramp?.seconds ?? 0)) * 1000 + (deps.spareMs ?? SPARE_MS + spec.timeoutMs);
  const overdue = setTimeout(() => brake.generator('time', `k6 had not ended after ${duration(mostMs)}`), mostMs);
  const file = writePoolFile(spec.pool);
  try {
    const ending = await runProcess({
      path: deps.k6.path,
      args: k6Arguments(spec, deps.bundle),
      env: k6Environment(spec, deps.env, file),
      signal: AbortSignal.any([brake.signal, ...(deps.signal ? [deps.signal] : [])]),
      graceMs,
      onSpawn(pid) {
        watch = watchGenerator(pid);
        memory = watchMemory(pid, memoryBounds(spec).hard, (text) => brake.generator('memory', text));
        deps.onSpawn?.(pid);
      },
      onOutput(chunk) {
        parser.push(chunk);
        brake.counts({ ...table.endings, ...alikeOf(table) });
      },
      onLog: log.push,
    });
    log.end();
    return {
      ...{ table, log, whole: parser.end(), ending },
      load: watch?.stop(table.originUs / US_PER_MS),
      /** Set if an abort rule stopped it. */
      stopped: brake.stopped(),
      /** Between two arrivals. */
      periodNs: between,
      /** Intended starts since the start of the schedule, if the rate changes. */
      duesUs,
    };
  } finally {
    clearTimeout(overdue);
    progress.stop();
    watch?.stop(0);
    memory?.stop();
    file?.remove();
  }
}
export type Stream = Awaited<ReturnType<typeof runStream>>;
