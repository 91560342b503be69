import { ResultsError } from '../../errors.ts';
import { type CellFacts, emptySamples, OUTCOME, type Samples, UNSERVED } from '../load/load.ts';

/** One of `of` equal shares of a cell's arrivals: those whose number in the schedule, divided by `of`, leaves `index` (0-based). */
export interface Share {
  readonly index: number;
  readonly of: number;
}

export const WHOLE: Share = { index: 0, of: 1 };

/** The share that the arrival of this number belongs to, of so many. */
export const shareOf = (seq: number, of: number): Share => ({ index: seq % of, of });

/** Number among all arrivals of the cell, from that among the arrivals of the share. */
const wholeNumber = ({ index, of }: Share, local: number): number => index + local * of;

/** Number among the arrivals of the share, from that among all; a fraction for an arrival of another share. */
export const localNumber = ({ index, of }: Share, seq: number): number => (seq - index) / of;

/** Start of the schedule of the cell, from the first arrival of the share; microseconds. */
export const scheduleStartUs = ({ index }: Share, firstUs: number, periodUs: number): number =>
  firstUs - index * periodUs;

export interface SharePart extends Share {
  readonly samples: Samples;
  readonly failures: CellFacts['failures'];
}

/** Places are computed from intended starts; half an arrival would be a foreign record. */
const PLACE_TOLERANCE = 0.01;

const HINT = { hint: 'name the folders of all segments of one load, each once' };

/** Samples of a share on the schedule of the whole cell: intended starts and numbers are those among all arrivals. */
export function placeShare(samples: Samples, share: Share, periodUs: number): Samples {
  if (share.of === 1) return samples;
  return {
    ...samples,
    dueUs: Float64Array.from(samples.dueUs, (_, row) => wholeNumber(share, row) * periodUs),
    seq: samples.seq.map((local) => (local === UNSERVED ? UNSERVED : wholeNumber(share, local))),
  };
}

/** Throws `ResultsError` unless the shares are all there, each once. */
function checkShares(shares: readonly Share[]): void {
  const of = shares[0]?.of ?? 0;
  if (shares.length === 0) throw new ResultsError('no-segments', 'no segment was given', HINT);
  const mixed = shares.find((share) => share.of !== of);
  if (mixed !== undefined)
    throw new ResultsError('segment-foreign', `a segment of ${mixed.of} stands among segments of ${of}`, HINT);
  const count = Array.from({ length: of }, (_, index) => shares.filter((share) => share.index === index).length);
  const stray = shares.find(({ index }) => !(Number.isInteger(index) && index >= 0 && index < of));
  if (stray !== undefined)
    throw new ResultsError('segment-foreign', `there is no segment ${stray.index + 1} of ${of}`, HINT);
  const named = (wanted: (times: number) => boolean) =>
    count.flatMap((times, index) => (wanted(times) ? [index + 1] : [])).join(', ');
  if (count.includes(0))
    throw new ResultsError('segment-missing', `segment ${named((times) => times === 0)} of ${of} is missing`, HINT);
  if (shares.length > of)
    throw new ResultsError('segment-doubled', `segment ${named((times) => times > 1)} of ${of} is there twice`, HINT);
}

function checkPlaces(part: SharePart, periodUs: number): void {
  const { index, of, samples } = part;
  for (let row = 0; row < samples.dueUs.length; row += 1) {
    const place = (samples.dueUs[row] ?? Number.NaN) / periodUs;
    if (Math.abs(place - wholeNumber(part, row)) <= PLACE_TOLERANCE) continue;
    throw new ResultsError(
      'segment-foreign',
      `row ${row} of segment ${index + 1} of ${of} is not of its share of the schedule`,
      HINT,
    );
  }
}

/** Failure classes of all parts, each once, and for each part the outcome numbers its own become. */
function mergeFailures(parts: readonly SharePart[]) {
  const merged = new Map<string, CellFacts['failures'][number]>();
  const outcomes = parts.map(({ failures }) =>
    failures.map((failure) => {
      const { kind, status, errorCode, body, retryAfter } = failure;
      const key = [kind, status, errorCode, body, retryAfter !== undefined].join('|');
      const before = merged.get(key);
      merged.set(key, before === undefined ? { ...failure } : { ...before, count: before.count + failure.count });
      return OUTCOME.firstFailure + [...merged.keys()].indexOf(key);
    }),
  );
  return { failures: [...merged.values()], outcomes };
}

/** All arrivals of a cell from its generators, in schedule order. Throws `ResultsError` for a share that is missing, doubled or foreign. */
export function mergeShares(
  parts: readonly SharePart[],
  periodUs: number,
): { readonly samples: Samples; readonly failures: CellFacts['failures'] } {
  checkShares(parts);
  for (const part of parts) checkPlaces(part, periodUs);
  const { failures, outcomes } = mergeFailures(parts);
  const rows = parts.flatMap(({ samples }, part) => Array.from(samples.dueUs, (dueUs, row) => ({ dueUs, part, row })));
  rows.sort((a, b) => a.dueUs - b.dueUs);
  const merged = emptySamples(rows.length);
  for (const [at, { part, row }] of rows.entries()) {
    const samples = parts[part]?.samples ?? merged;
    for (const column of ['dueUs', 'serviceUs', 'responseUs', 'lagUs', 'seq'] as const)
      merged[column][at] = samples[column][row] ?? 0;
    const outcome = samples.outcome[row] ?? 0;
    merged.outcome[at] =
      outcome < OUTCOME.firstFailure ? outcome : (outcomes[part]?.[outcome - OUTCOME.firstFailure] ?? 255);
  }
  return { samples: merged, failures };
}

type Counts = CellFacts['counts'];

/** What one generator recorded of its share, and when the schedule of the whole began for it, wall clock in microseconds. */
interface CountedPart extends SharePart {
  readonly counts: Counts;
  readonly startUs: number;
}

/** The arrivals of a cell, the sum of their counts, and how far apart its generators began. Throws `ResultsError` as `mergeShares` does. */
export function mergeParts(parts: readonly CountedPart[], periodUs: number) {
  const sum = (name: keyof Counts) => parts.reduce((total, { counts }) => total + counts[name], 0);
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
