import { defined } from '../../defined.ts';
import { ResultsError } from '../../errors.ts';
import type { RunRecords } from '../folder/reader.ts';
import type { RunEnd } from '../run.ts';
import { type CellRecord, mergeCells } from './cells.ts';

/** The records of one generator, and where they were read. */
export interface NamedRun {
  readonly folder: string;
  readonly records: RunRecords;
}

function refused(code: string, message: string): never {
  throw new ResultsError(code, message, { hint: 'name the run folders of all segments of one load, each once' });
}

/** The last record and the samples of a whole run. Throws `ResultsError` where anything of it is missing. */
function wholeOf({ folder, records }: NamedRun): { readonly end: RunEnd; readonly cells: readonly CellRecord[] } {
  const { end, damage, cells } = records;
  if (damage.length > 0) refused('segment-cut', `${folder}: ${damage[0]}`);
  if (end === null) return refused('segment-cut', `${folder} has no last record: its run was cut`);
  if (cells.length === 0) refused('segment-cut', `${folder} holds no cell`);
  if (end.recorded !== undefined && end.recorded.cells !== cells.length) {
    refused('segment-cut', `${folder} holds ${cells.length} of ${end.recorded.cells} cells`);
  }
  return {
    end,
    cells: cells.map(({ facts, samples }) =>
      samples === null ? refused('segment-cut', `${folder}: ${facts.id} has no samples`) : { facts, samples },
    ),
  };
}

function checkAlike(runs: readonly NamedRun[]): void {
  const [first] = runs;
  const key = ({ records: { header } }: NamedRun) =>
    JSON.stringify([header.runId, header.command, header.target.baseUrl, header.specDigest, header.tool.version]);
  const other = runs.find((run) => first !== undefined && key(run) !== key(first));
  if (other !== undefined) refused('segment-foreign', `${other.folder} is of another run than ${first?.folder}`);
}

/** Ends of all generators as one: every fault once, any signal, the longest time. */
function mergeEnds(ends: readonly RunEnd[], first: RunEnd): RunEnd {
  const faults = new Map(ends.flatMap((end) => end.faults).map((fault) => [JSON.stringify(fault), fault]));
  const residue = new Map(ends.flatMap((end) => end.cleanup.residue).map((left) => [JSON.stringify(left), left]));
  const signal = ends.find((end) => end.signal !== undefined)?.signal;
  const { recorded: _, ...rest } = first;
  return {
    ...rest,
    finishedAt:
      ends
        .map(({ finishedAt }) => finishedAt)
        .sort()
        .at(-1) ?? first.finishedAt,
    durationMs: Math.max(...ends.map(({ durationMs }) => durationMs)),
    faults: [...faults.values()],
    ...defined({ signal }),
    // Preparing and clearing the pool is the work of the run, which every segment's record repeats.
    cleanup: { ...first.cleanup, residue: [...residue.values()] },
  };
}

/**
 * One run from the run folders of its generators: cells are merged arrival by arrival, so that counts and histograms are sums.
 * Throws `ResultsError` where a segment is missing, doubled, cut or of another run.
 */
export function mergeRuns(runs: readonly NamedRun[]) {
  const [first] = runs;
  if (first === undefined) return refused('no-segments', 'there is no run to merge');
  const parts = runs.map((run) => ({ ...wholeOf(run), folder: run.folder }));
  checkAlike(runs);
  const ids = [...new Set(parts.flatMap(({ cells }) => cells.map(({ facts }) => facts.id)))];
  const ends = parts.map(({ end }) => end);
  const [firstEnd] = ends;
  if (firstEnd === undefined) return refused('no-segments', 'there is no run to merge');
  return {
    header: first.records.header,
    catalogue: first.records.catalogue,
    cells: ids.map((id) => mergeCells(parts.flatMap(({ cells }) => cells.filter(({ facts }) => facts.id === id)))),
    end: mergeEnds(ends, firstEnd),
  };
}
