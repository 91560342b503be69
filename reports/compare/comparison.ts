import { EXIT, type ExitCode } from '../../lib/exit-codes.ts';
import { counted } from '../../lib/numbers.ts';
import { present } from '../../lib/present.ts';
import type { Report } from '../../lib/records/report.ts';
import { compareCapacity, type SearchComparison } from './capacity.ts';
import { type ConformanceComparison, compareConformance, differentCircumstances } from './conformance.ts';
import { compareLoad, type LoadComparison, type LoadRun } from './load.ts';

/** What a comparison says as a whole. */
export type Outcome = 'worse' | 'not comparable' | 'partly compared' | 'differs' | 'not worse';

/** Two runs side by side, the older one first. */
export interface Comparison {
  readonly before: Report;
  readonly after: Report;
  readonly outcome: Outcome;
  /** Why the outcome is what it is; none where nothing is worse and everything was compared. */
  readonly reasons: readonly string[];
  readonly circumstances: readonly string[];
  readonly conformance: ConformanceComparison | null;
  readonly load: LoadComparison | null;
  readonly capacity: readonly SearchComparison[] | null;
}

/** Exit code of each outcome; that nothing could be compared has its own. */
export const OUTCOME_EXIT: Readonly<Record<Outcome, ExitCode>> = {
  worse: EXIT.failed,
  'not comparable': EXIT.incomparable,
  'partly compared': EXIT.inconclusive,
  differs: EXIT.ok,
  'not worse': EXIT.ok,
};

/** Which of the runs has a part, in words. */
function holders(part: string, before: boolean, after: boolean): string {
  if (before) return `${part}: only in the first run`;
  return after ? `${part}: only in the second run` : `${part}: in neither run`;
}

type Parts = Pick<Comparison, 'conformance' | 'load' | 'capacity'>;

const searchesThat = ({ capacity }: Parts, ...verdicts: readonly string[]) =>
  (capacity ?? []).filter(({ verdict }) => verdicts.includes(verdict));

function worseReasons(parts: Parts): string[] {
  const { conformance, load } = parts;
  const failing = conformance?.newlyFailing.length ?? 0;
  const cells = (load?.cells ?? []).filter(({ verdict }) => verdict === 'worse');
  return [
    ...(failing === 0 ? [] : [`${counted(failing, 'result')} newly ${failing === 1 ? 'fails' : 'fail'}`]),
    ...cells.map(({ profile, operation }) => `load ${profile} ${operation} is worse`),
    ...searchesThat(parts, 'worse').map(({ profile, operation }) => `the capacity of ${profile} ${operation} is lower`),
  ];
}

/** What was there before and could not be held against anything. */
function openReasons(a: Report, b: Report, parts: Parts): string[] {
  const { conformance, load, capacity } = parts;
  const cells = (load?.cells ?? []).filter(({ verdict }) => verdict === 'not comparable');
  const lost = conformance?.newlyNotProven.length ?? 0;
  const gone = conformance?.removed.filter(({ wasDecided }) => wasDecided === true).length ?? 0;
  return [
    ...present(
      conformance === null &&
        (a.conformance ?? b.conformance) !== null &&
        holders('conformance', a.conformance !== null, b.conformance !== null),
      load === null && (a.load ?? b.load) !== null && holders('load', a.load !== null, b.load !== null),
      capacity === null &&
        (a.capacity ?? b.capacity) !== undefined &&
        holders('capacity', a.capacity !== undefined, b.capacity !== undefined),
    ),
    ...searchesThat(parts, 'not comparable').map(
      ({ profile, operation, reasons }) => `capacity ${profile} ${operation}: ${reasons.join('; ')}`,
    ),
    ...cells.map(({ profile, operation, reasons }) => `load ${profile} ${operation}: ${reasons.join('; ')}`),
    ...(load?.onlyBefore ?? []).map((name) => `load ${name}: only in the first run`),
    ...(lost === 0 ? [] : [`${counted(lost, 'result')} newly not proven`]),
    ...(gone === 0 ? [] : [`${counted(gone, 'result')} only in the first run`]),
  ];
}

/** Compares two runs; further runs of each kind tell how far runs of the same lie apart. */
export function compareRuns(
  before: readonly [LoadRun, ...LoadRun[]],
  after: readonly [LoadRun, ...LoadRun[]],
): Comparison {
  const [a, b] = [before[0].report, after[0].report];
  const [conformance, load] = [compareConformance(a, b), compareLoad(before, after)];
  const parts = { conformance, load, capacity: compareCapacity(a, b) };
  const common = { before: a, after: b, ...parts, circumstances: differentCircumstances(a, b) };
  const [worse, open] = [worseReasons(parts), openReasons(a, b, parts)];
  const something =
    (conformance?.compared ?? 0) > 0 ||
    [...(load?.cells ?? []), ...(parts.capacity ?? [])].some(({ verdict }) => verdict !== 'not comparable');
  if (!something) {
    const reasons = open.length === 0 ? ['neither run has a result, a load or a search'] : open;
    return { ...common, outcome: 'not comparable', reasons };
  }
  if (worse.length > 0) return { ...common, outcome: 'worse', reasons: [...worse, ...open] };
  const differing = (load?.cells ?? [])
    .filter(({ verdict }) => verdict === 'differs')
    .map(
      ({ profile, operation, reasons }) =>
        `load ${[profile, operation].join(' ')} differs${reasons.length === 0 ? '' : `: ${reasons.join('; ')}`}`,
    );
  if (open.length > 0) return { ...common, outcome: 'partly compared', reasons: [...open, ...differing] };
  return { ...common, outcome: differing.length > 0 ? 'differs' : 'not worse', reasons: differing };
}

const WORDS: Readonly<Record<Outcome, string>> = {
  worse: 'Worse',
  'not comparable': 'Not comparable',
  'partly compared': 'Nothing worse in what could be compared',
  differs: 'Differs; too few runs to call it worse',
  'not worse': 'Nothing worse',
};

/** The answer in a few words. */
export const outcomeWords = ({ outcome }: Comparison): string => WORDS[outcome];

/** Runs that stand on both sides, or twice on one: what a run is compared with must be another one. */
export function runsGivenTwice(runs: readonly LoadRun[]): readonly string[] {
  const ids = runs.map(({ report }) => report.run.runId);
  return [...new Set(ids.filter((id, at) => ids.indexOf(id) !== at))];
}
