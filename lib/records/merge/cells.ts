import { ResultsError } from '../../errors.ts';
import type { CellFacts } from '../load/load.ts';
import { mergeShares, type SharePart } from './segments.ts';

type Counts = CellFacts['counts'];
type Generator = CellFacts['generator'];

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

/** Swap of all together, the most of what they share; absent where one does not know its own. */
function mergeSwap(parts: readonly Generator[]): Pick<Generator, 'swap'> {
  const known = parts.flatMap(({ swap }) => (swap === undefined ? [] : [swap]));
  if (known.length < parts.length) return {};
  const pages = known.flatMap(({ systemPages }) => (systemPages === null ? [] : [systemPages]));
  return {
    swap: {
      k6Kb: sumOf(known, ({ k6Kb }) => k6Kb),
      collectorKb: Math.max(...known.map(({ collectorKb }) => collectorKb)),
      systemPages: pages.length === 0 ? null : Math.max(...pages),
    },
  };
}

/**
 * Facts of several processes of one machine as those of one: their processor time adds up, and of what they share the worst counts.
 */
export function mergeGenerators(parts: readonly Generator[]): Generator {
  const [first] = parts;
  if (first === undefined) throw new ResultsError('no-segments', 'no segment was given');
  const most = (value: (part: Generator) => number) => Math.max(...parts.map(value));
  // Where one of them was not measured, nobody knows the sum.
  const cpu = (name: 'k6CpuMean' | 'k6CpuMax') => {
    const known = parts.flatMap(({ [name]: value }) => (value === null ? [] : [value]));
    if (known.length < parts.length) return null;
    return sumOf(known, (value) => value);
  };
  const { swap: _, ...common } = first;
  return {
    ...common,
    ...mergeSwap(parts),
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
