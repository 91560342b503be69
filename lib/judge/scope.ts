import { ownRows } from '../contract/own-rows.ts';
import type { RunRecords } from '../records/folder/reader.ts';
import { runOptions } from '../records/run-options.ts';
import type { CellVerdict, Depth, Mode } from '../records/vocabulary.ts';

/** What the run was asked to prove, read from its header; what was not asked for is not missing. */
export interface Scope {
  readonly conformance: boolean;
  readonly load: boolean;
  readonly capacity: boolean;
  /** Families asked for; null: all. */
  readonly families: readonly string[] | null;
  /** Only some checks were asked for, so that the coverage of the whole decides nothing. */
  readonly someChecks: boolean;
  readonly strict: boolean;
  readonly mode: Mode;
  readonly depth: Depth;
  /** Stated results that may stay open; 0 unless the operator accepts some. */
  readonly allowInconclusive: number;
  /** Records that may be left on the target; 0 unless the operator accepts some. */
  readonly allowResidue: number;
  readonly cells: readonly { readonly profile: string; readonly operation: string }[];
  readonly searches: Scope['cells'];
}

type Named = Scope['cells'][number];

/** Cells or searches that were asked for and of which nothing is there, as `profile operation`. */
export function missingOf(asked: Scope['cells'], there: readonly Named[]): readonly string[] {
  const nameOf = ({ profile, operation }: Named) => `${profile} ${operation}`;
  const seen = new Set(there.map(nameOf));
  return asked.map(nameOf).filter((name) => !seen.has(name));
}

/** Verdict over cells or searches: met only where each that was asked for is. */
export function overall(of: readonly { readonly verdict: CellVerdict }[], missing: number): CellVerdict | 'not-tested' {
  if (of.length === 0) return 'not-tested';
  if (of.some(({ verdict }) => verdict === 'violated')) return 'violated';
  return missing > 0 || of.some(({ verdict }) => verdict !== 'met') ? 'invalid' : 'met';
}

const PARTS: Readonly<Record<string, Pick<Scope, 'conformance' | 'load' | 'capacity'>>> = ownRows({
  verify: { conformance: true, load: true, capacity: false },
  conformance: { conformance: true, load: false, capacity: false },
  load: { conformance: false, load: true, capacity: false },
  capacity: { conformance: false, load: false, capacity: true },
});

function askedCells(records: RunRecords): Scope['cells'] {
  const { target } = records.header;
  const asked = runOptions(records.header);
  const seen = records.cells.map(({ facts }) => facts);
  const anc = records.catalogue.anc;
  const all = target.embedded ? anc?.profiles.map(({ name }) => name) : undefined;
  const profiles = asked.profiles ?? all ?? [...new Set(seen.map(({ profile }) => profile))];
  const operations = asked.operations ?? anc?.operations.map(({ name }) => name) ?? [];
  return profiles.flatMap((profile) => operations.map((operation) => ({ profile, operation })));
}

/** How far a run of the checks was narrowed, by its selection, its mode and its depth, and whether its warnings fail it. */
export function narrowingOf(header: Pick<RunRecords['header'], 'options' | 'mode'>) {
  const { checks, exclude, depth = 'normal', ...given } = runOptions(header);
  const { families = null, strict = false, allowInconclusive = 0, allowResidue = 0 } = given;
  const someChecks = checks !== undefined || exclude !== undefined;
  return { families, someChecks, strict, mode: header.mode, depth, allowInconclusive, allowResidue };
}

/** Scope of a run. A command this version does not know is judged by the parts that left records. */
export function scopeOf(records: RunRecords): Scope {
  const { command } = records.header;
  const steps = records.cells.filter(({ facts }) => facts.step !== undefined).length;
  const left = { conformance: records.results.length > 0, load: records.cells.length > steps, capacity: steps > 0 };
  const parts = PARTS[command] ?? left;
  return {
    ...parts,
    ...narrowingOf(records.header),
    cells: parts.load ? askedCells(records) : [],
    searches: parts.capacity ? askedCells(records) : [],
  };
}

/** Where fewer or more records are there than the run says it wrote: a file was cut between two lines, or added to. */
export function missingRecords(records: RunRecords): readonly string[] {
  const recorded = records.end?.recorded;
  if (recorded === undefined) return [];
  return (['results', 'exchanges', 'histories', 'journal', 'cells'] as const)
    .map((name) => ({ name, there: records[name]?.length ?? 0 }))
    .filter(({ name, there }) => recorded[name] !== there)
    .map(({ name, there }) => `${there} of ${recorded[name]} ${name} are there`);
}
