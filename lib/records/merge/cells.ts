import { ResultsError } from '../../errors.ts';
import { counted } from '../../numbers.ts';
import type { CellFacts } from '../load/load.ts';
import type { Samples } from '../load/samples.ts';
import { mergeShares, type SharePart } from './segments.ts';

type Counts = CellFacts['counts'];
type Generator = CellFacts['generator'];

/** Facts and samples of one cell. */
export interface CellRecord {
  readonly facts: CellFacts;
  readonly samples: Samples;
}

function sumOf<T>(parts: readonly T[], value: (part: T) => number): number {
  return parts.reduce((sum, part) => sum + value(part), 0);
}

/** What one generator recorded of its share, and when the schedule of the whole began for it, wall clock in microseconds. */
export interface CountedPart extends SharePart {
  readonly counts: Counts;
  readonly startUs: number;
}

/**
 * The arrivals of a cell from what several generators recorded, with the sum of their counts, and how far apart their schedules began; each
 * is counted from its own first arrival of the whole. Throws `ResultsError` as `mergeShares` does.
 */
export function mergeParts(parts: readonly CountedPart[], periodUs: number) {
  const sum = (name: keyof Counts) => sumOf(parts, ({ counts }) => counts[name]);
  const starts = parts.map(({ startUs }) => startUs).filter(Number.isFinite);
  const startSpreadMs = starts.length === 0 ? 0 : (Math.max(...starts) - Math.min(...starts)) / 1000;
  return {
    ...mergeShares(parts, periodUs),
    counts: {
      ...{ scheduled: sum('scheduled'), started: sum('started'), dropped: sum('dropped') },
      ...{ recorded: sum('recorded'), exceptions: sum('exceptions') },
    },
    segments: { of: parts.length, startSpreadMs },
  };
}

/** The most of each; absent where one does not know its own. */
function mergeSwap(parts: readonly Generator[], oneMachine: boolean): Pick<Generator, 'swap'> {
  const known = parts.flatMap(({ swap }) => (swap === undefined ? [] : [swap]));
  if (known.length < parts.length) return {};
  const k6Kb = known.map((swap) => swap.k6Kb);
  const pages = known.flatMap(({ systemPages }) => (systemPages === null ? [] : [systemPages]));
  return {
    swap: {
      k6Kb: oneMachine ? sumOf(k6Kb, (kb) => kb) : Math.max(...k6Kb),
      collectorKb: Math.max(...known.map(({ collectorKb }) => collectorKb)),
      systemPages: pages.length === 0 ? null : Math.max(...pages),
    },
  };
}

/**
 * Facts of several generators as those of one, the worst of each counting. On one machine their processor time adds up and one
 * collector reads all; on machines of their own the highest share of any counts.
 */
export function mergeGenerators(parts: readonly Generator[], oneMachine: boolean): Generator {
  const [first] = parts;
  if (first === undefined) throw new ResultsError('no-segments', 'no segment was given');
  const most = (value: (part: Generator) => number) => Math.max(...parts.map(value));
  // Where one of them was not measured, nobody knows the sum.
  const cpu = (name: 'k6CpuMean' | 'k6CpuMax') => {
    const known = parts.flatMap(({ [name]: value }) => (value === null ? [] : [value]));
    if (known.length < parts.length) return null;
    return oneMachine ? sumOf(known, (value) => value) : Math.max(...known);
  };
  const { swap: _, ...common } = first;
  return {
    ...common,
    ...mergeSwap(parts, oneMachine),
    exitCode: parts.some(({ exitCode }) => exitCode === null) ? null : most(({ exitCode }) => exitCode ?? 0),
    signal: parts.find(({ signal }) => signal !== null)?.signal ?? null,
    streamComplete: parts.every(({ streamComplete }) => streamComplete),
    k6CpuMean: cpu('k6CpuMean'),
    k6CpuMax: cpu('k6CpuMax'),
    collectorCpuMean: most(({ collectorCpuMean }) => collectorCpuMean),
    eventLoopDelayP99Ms: most(({ eventLoopDelayP99Ms }) => eventLoopDelayP99Ms),
    cores: Math.min(...parts.map(({ cores }) => cores)),
    clockStepMs: most(({ clockStepMs }) => clockStepMs),
    warnings: parts.flatMap(({ warnings }, index) => warnings.map((text) => `segment ${index + 1}: ${text}`)),
  };
}

/** The read-back of the whole cell stands in every segment that knows it. */
function readBackOf(parts: readonly CellRecord[], first: CellRecord): CellFacts['readBack'] {
  const best = parts.find(({ facts }) => facts.readBack.sampled > 0) ?? first;
  const mismatches = [...new Set(parts.flatMap(({ facts }) => facts.readBack.mismatches))];
  return { ...best.facts.readBack, mismatches };
}

function foreign(message: string): never {
  throw new ResultsError('segment-foreign', message, { hint: 'merge the segments of one load only' });
}

/**
 * One cell from the records of its segments. Throws `ResultsError` where one is missing, doubled, of another plan, or does not hold
 * what its own facts say.
 */
export function mergeCells(parts: readonly CellRecord[]): CellRecord {
  const [first] = parts;
  if (first === undefined) throw new ResultsError('no-segments', 'no segment was given');
  const shares = parts.map(({ facts, samples }) => {
    const { segment, id, counts, failures } = facts;
    if (segment === undefined) return foreign(`${id} is no segment of a load`);
    const same = segment.planHash === first.facts.segment?.planHash && id === first.facts.id;
    if (!same) foreign(`segment ${segment.index + 1} of ${id} is of another plan`);
    if (counts.scheduled !== samples.dueUs.length) {
      const held = `${counted(samples.dueUs.length, 'row')} for ${counted(counts.scheduled, 'arrival')}`;
      throw new ResultsError('segment-cut', `segment ${segment.index + 1} of ${id} holds ${held}`);
    }
    return { index: segment.index, of: segment.of, startUs: segment.startUs, samples, failures, counts };
  });
  const { samples, ...merged } = mergeParts(shares, Math.floor(1e9 / first.facts.plan.targetPerSecond) / 1000);
  const ordered = [...parts].sort((a, b) => (a.facts.segment?.index ?? 0) - (b.facts.segment?.index ?? 0));
  const { segment: _, ...facts } = first.facts;
  const machines = new Set(parts.map(({ facts: { startedAt } }) => startedAt));
  return {
    samples,
    facts: {
      ...facts,
      ...merged,
      startedAt: ordered.map(({ facts: { startedAt } }) => startedAt).sort()[0] ?? facts.startedAt,
      // Segments of one machine are records of one collector, which noted one start.
      generator: mergeGenerators(
        ordered.map(({ facts: { generator } }) => generator),
        machines.size === 1,
      ),
      readBack: readBackOf(ordered, first),
    },
  };
}
