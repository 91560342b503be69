import { cellWindow } from '../../lib/judge/cell/window.ts';
import { seededRandom } from '../../lib/random.ts';
import type { CellReport } from '../../lib/records/load.ts';
import type { Report } from '../../lib/records/report.ts';
import type { Samples } from '../../lib/records/samples.ts';
import { type Blocks, toBlocks } from '../../lib/stats/block-bootstrap.ts';
import { type Difference, type DifferenceVerdict, differences } from './load-difference.ts';

/** A run with the samples of its cells by cell id; without them nothing can be told from chance. */
export interface LoadRun {
  readonly report: Report;
  readonly samples: ReadonlyMap<string, Samples>;
}

/** One cell in both runs. */
export interface CellComparison {
  readonly profile: string;
  readonly operation: string;
  readonly before: CellReport['verdict'];
  readonly after: CellReport['verdict'];
  readonly verdict: DifferenceVerdict | 'not comparable';
  readonly reasons: readonly string[];
  readonly differences: readonly Difference[];
}

export interface LoadComparison {
  readonly cells: readonly CellComparison[];
  readonly onlyBefore: readonly string[];
  readonly onlyAfter: readonly string[];
  /** Runs on each side. */
  readonly runs: readonly [number, number];
}

/** Blocks of time a window is cut into: long enough to hold what is alike, enough of them to vary. */
const BLOCKS = 20;
const SEED = 20;
const US_PER_MS = 1000;

interface Try {
  readonly cell: CellReport;
  readonly samples: Samples | null;
}

const nameOf = ({ profile, operation }: CellReport): string => `${profile} ${operation}`;

function triesOf(runs: readonly LoadRun[]): Map<string, Try[]> {
  const tries = new Map<string, Try[]>();
  for (const { report, samples } of runs) {
    for (const cell of report.load?.cells ?? []) {
      const found = tries.get(nameOf(cell)) ?? [];
      tries.set(nameOf(cell), [...found, { cell, samples: samples.get(cell.id) ?? null }]);
    }
  }
  return tries;
}

/** Latencies of a try in blocks of time: service time of the successes; response time, with what was not served above all of it. */
function blocksOf({ cell, samples }: Try): { readonly service: Blocks; readonly response: Blocks } {
  const { arrivals: walked, fromUs, toUs } = cellWindow(cell.facts, samples);
  const arrivals = [...walked];
  const cut = (rows: readonly { at: number; value: number }[]) => toBlocks(rows, fromUs, toUs, BLOCKS);
  const served = arrivals.filter(({ fate }) => fate === 'succeeded');
  const value = (us: number, isServed: boolean) => (isServed ? us / US_PER_MS : Number.POSITIVE_INFINITY);
  return {
    service: cut(served.map(({ dueUs, serviceUs }) => ({ at: dueUs, value: serviceUs / US_PER_MS }))),
    response: cut(
      arrivals.map(({ dueUs, responseUs, fate }) => ({ at: dueUs, value: value(responseUs, fate === 'succeeded') })),
    ),
  };
}

/** Why two cells cannot be told apart, or are not the same question. */
function obstacle(before: readonly Try[], after: readonly Try[]): string | undefined {
  const all = [...before, ...after];
  if (all.some(({ cell }) => cell.verdict === 'invalid')) return 'a cell is invalid: its figures say nothing';
  if (all.some(({ samples }) => samples === null)) return 'the samples are not there: name run folders, not reports';
  if (all.some(({ cell }) => cell.succeeded === 0)) return 'a cell has no success';
  const shapes = new Set(
    all.map(({ cell: { facts } }) => `${facts.plan.targetPerSecond}/s on ${facts.plan.connections} connections`),
  );
  return shapes.size > 1 ? `not the same load: ${[...shapes].join(' against ')}` : undefined;
}

function overall(found: readonly Difference[], before: string, after: string): DifferenceVerdict {
  const deciding = found.filter(({ decides }) => decides);
  if (after === 'violated' && before === 'met') return 'worse';
  if (deciding.some(({ verdict }) => verdict === 'worse')) return 'worse';
  if (before === 'violated' && after === 'met') return 'better';
  return deciding.some(({ verdict }) => verdict === 'better') ? 'better' : 'no difference shown';
}

/** Of several tries the worst verdict stands for all. */
function verdictOf(tries: readonly Try[]): CellReport['verdict'] {
  const verdicts = tries.map(({ cell }) => cell.verdict);
  return (['invalid', 'violated'] as const).find((verdict) => verdicts.includes(verdict)) ?? 'met';
}

function compareCell(before: readonly Try[], after: readonly Try[]): CellComparison {
  const { profile = '', operation = '' } = before[0]?.cell ?? {};
  const [was, is] = [verdictOf(before), verdictOf(after)];
  const common = { profile, operation, before: was, after: is };
  const reason = obstacle(before, after);
  if (reason !== undefined) return { ...common, verdict: 'not comparable', reasons: [reason], differences: [] };
  const [a, b] = [before.map(blocksOf), after.map(blocksOf)];
  const random = seededRandom(SEED);
  const found = (['service', 'response'] as const).flatMap((latency) =>
    differences(
      latency,
      a.map((blocks) => blocks[latency]),
      b.map((blocks) => blocks[latency]),
      random,
    ),
  );
  const reasons = was === is ? [] : [`${was} before, ${is} after`];
  return { ...common, verdict: overall(found, was, is), reasons, differences: found };
}

/**
 * The load parts of two runs, cell by cell; several runs on a side stand for each other, and the spread between them counts. Null where
 * a side has none. Deterministic: the same records give the same intervals.
 */
export function compareLoad(before: readonly LoadRun[], after: readonly LoadRun[]): LoadComparison | null {
  const [a, b] = [triesOf(before), triesOf(after)];
  if (a.size === 0 || b.size === 0) return null;
  return {
    cells: [...a].flatMap(([name, tries]) => {
      const others = b.get(name);
      return others === undefined ? [] : [compareCell(tries, others)];
    }),
    onlyBefore: [...a.keys()].filter((name) => !b.has(name)),
    onlyAfter: [...b.keys()].filter((name) => !a.has(name)),
    runs: [before.length, after.length],
  };
}
