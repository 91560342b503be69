import { ownRows } from '../../contract/own-rows.ts';
import { defined } from '../../defined.ts';
import { groupBy } from '../../group-by.ts';
import { present } from '../../present.ts';
import type { BaselineShown } from '../../records/baseline.ts';
import { type ConformanceResult, resultKey } from '../../records/conformance.ts';
import type { RunRecords } from '../../records/folder/reader.ts';
import type { ConformanceReport } from '../../records/report.ts';
import type { Catalogue } from '../../records/run.ts';
import { Depth, Mode, type Verdict } from '../../records/vocabulary.ts';
import type { Scope } from '../scope.ts';
import { isUntested } from './unproven.ts';

/** Operations that a requirement of the section "Special paths" is about. */
const SPECIAL_PATHS: Readonly<Record<string, readonly string[]>> = ownRows({
  'SPC-BULK': ['bulkSubmit', 'bulkMonitor'],
  'SPC-ANC': ['apply', 'clear'],
  'SPC-VER': ['version'],
  'SPC-NODE': ['readByName'],
});

/** Name of a covered cell without the family that may stand before it: `family.name.EQ` and `name.EQ` are one. */
const cellName = (family: string, { cell }: NonNullable<ConformanceResult['covers']>[number]): string =>
  cell.startsWith(`${family}.`) ? cell.slice(family.length + 1) : cell;

type Open = ConformanceReport['coverage']['open'][number];
type Kind = Open['kind'];

/** One operation, filter cell or sort cell that the catalogue plans for a family. */
interface PlannedCell {
  readonly kind: Kind;
  readonly family: string;
  readonly cell: string;
}

/** Every cell that the tables of the run promise: operations, filters × operators, sorts × 2. */
function plannedCells(catalogue: Catalogue, scope: Pick<Scope, 'families'>): readonly PlannedCell[] {
  return catalogue.families
    .filter(({ name }) => scope.families?.includes(name) ?? true)
    .flatMap(({ name: family, operations, filters, sorts }) => [
      ...operations.map((cell) => ({ kind: 'operation' as const, family, cell })),
      ...filters.flatMap((field) =>
        catalogue.operators.map((operator) => ({ kind: 'filter' as const, family, cell: `${field}.${operator}` })),
      ),
      ...sorts.flatMap((field) =>
        ['asc', 'dsc'].map((order) => ({ kind: 'sort' as const, family, cell: `${field}.${order}` })),
      ),
    ]);
}

const EXERCISED: ReadonlySet<string> = new Set(['pass', 'fail', 'warn', 'info']);

/** True if a result is about a cell: it names it as covered, as its variant, or as its requirement. */
function isAbout(result: ConformanceResult, cell: PlannedCell, catalogue: Catalogue): boolean {
  const named = result.covers?.some((one) => one.kind === cell.kind && cellName(cell.family, one) === cell.cell);
  if (named === true) return true;
  if (cell.kind !== 'operation') return result.variant === cell.cell;
  if (SPECIAL_PATHS[result.requirement]?.includes(cell.cell)) return true;
  const code = catalogue.operations?.find(({ name }) => name === cell.cell)?.code;
  return code !== undefined && result.requirement === `OP-${cell.family}-${code}`;
}

/** Results that a baseline answers for: expected failures and what follows from them. */
export type Excused = ReadonlySet<string>;

/** Verdicts that leave nothing for a baseline to answer for. */
const isDecided = (verdict: Verdict): boolean => verdict === 'pass' || verdict === 'info' || isUntested(verdict);

function openReason(
  cell: PlannedCell,
  { header, catalogue }: RunRecords,
  own: readonly ConformanceResult[],
  excused: Excused,
): Open {
  const about = own.filter((result) => isAbout(result, cell, catalogue));
  const mutates = catalogue.operations?.find(({ name }) => name === cell.cell)?.mutates === true;
  if (cell.kind === 'operation' && mutates && header.mode === 'read-only')
    return { ...cell, state: 'untestable', reason: 'writes are out of scope in read-only mode' };
  if (about.length > 0 && about.every(({ verdict }) => isUntested(verdict))) {
    const told = about.find(({ verdict }) => verdict === 'not-testable') ?? about.find(({ reason }) => reason);
    const needs = told?.needs === undefined ? '' : `; it needs ${told.needs}`;
    return { ...cell, state: 'untestable', reason: `${told?.reason ?? 'not applicable'}${needs}` };
  }
  const open = about.find(({ verdict }) => !isUntested(verdict));
  const reason = open === undefined ? 'no check looked at it' : `${open.verdict}: ${open.reason ?? open.title}`;
  const undecided = about.filter(({ verdict }) => !isDecided(verdict));
  const isExcused = undecided.length > 0 && undecided.every((result) => excused.has(resultKey(result)));
  return { ...cell, state: isExcused ? 'expected' : 'not-exercised', reason };
}

/**
 * Counts the planned cells that were exercised with a witness. A cell counts only where a result that decided or recorded
 * something names it in `covers`; a cell that only not-applicable and not-testable results speak of is untestable.
 */
export function coverageOf(
  records: RunRecords,
  scope: Pick<Scope, 'families'>,
  excused: Excused,
): ConformanceReport['coverage'] {
  const byFamily = groupBy(records.results, ({ family }) => family);
  const exercised = new Set(
    records.results
      .filter(({ verdict }) => EXERCISED.has(verdict))
      .flatMap(({ family, covers = [] }) => covers.map((one) => `${one.kind} ${family} ${cellName(family, one)}`)),
  );
  const planned = plannedCells(records.catalogue, scope);
  const open = planned
    .filter(({ kind, family, cell }) => !exercised.has(`${kind} ${family} ${cell}`))
    .map((cell) => openReason(cell, records, byFamily.get(cell.family) ?? [], excused));
  const counted = (kind: Kind) => {
    const total = planned.filter((cell) => cell.kind === kind).length;
    const missing = open.filter((cell) => cell.kind === kind);
    return {
      exercised: total - missing.length,
      total,
      untestable: missing.filter(({ state }) => state === 'untestable').length,
      ...defined({ expected: missing.filter(({ state }) => state === 'expected').length || undefined }),
    };
  };
  return { operations: counted('operation'), filterCells: counted('filter'), sortCells: counted('sort'), open };
}

/**
 * True if the run read no record of any family because none could be had: then nothing is proven about records, however
 * much else is not testable. A read that was refused is another matter.
 */
export function sawNoRecord(
  { open }: ConformanceReport['coverage'],
  catalogue: Catalogue,
  scope: Pick<Scope, 'families'>,
): boolean {
  const isRead = ({ kind, cell }: PlannedCell) => kind === 'operation' && cell === 'read';
  const reading = plannedCells(catalogue, scope).filter(isRead);
  const unread = open.filter((each) => isRead(each) && each.state === 'untestable');
  return reading.length > 0 && unread.length === reading.length;
}

/** Share of the testable cells that must have been exercised if nobody said how many are enough. */
const COVERAGE_NEEDED = 0.95;

/** Operations, filters and sorts that were exercised, and all that were planned. */
export function shownOfAll({ operations, filterCells, sortCells }: ConformanceReport['coverage']) {
  const parts = [operations, filterCells, sortCells];
  const sum = (pick: (part: typeof operations) => number) => parts.reduce((all, part) => all + pick(part), 0);
  return { shown: sum(({ exercised }) => exercised), of: sum(({ total }) => total) };
}

/** In what a run sees less than the one that a baseline was written by: `mode read-only, not own-data`; nothing if that is not recorded. */
export function seesLess(least: BaselineShown | undefined, scope: Pick<Scope, 'mode' | 'depth'>): readonly string[] {
  const isLess = <T>(all: readonly T[], now: T, before: T | undefined) =>
    before !== undefined && all.indexOf(now) < all.indexOf(before);
  return present(
    isLess(Mode.options, scope.mode, least?.mode) && `mode ${scope.mode}, not ${least?.mode}`,
    isLess(Depth.options, scope.depth, least?.depth) && `depth ${scope.depth}, not ${least?.depth}`,
  );
}

/** How much has to be shown, if a baseline says so of a run with as large a plan that sees as much. */
export function leastOf(
  baseline: { readonly least?: BaselineShown | undefined } | undefined,
  coverage: ConformanceReport['coverage'],
  scope: Pick<Scope, 'someChecks' | 'mode' | 'depth'>,
): BaselineShown | undefined {
  const least = baseline?.least;
  const isSame = least?.of === shownOfAll(coverage).of && seesLess(least, scope).length === 0;
  return !scope.someChecks && isSame ? least : undefined;
}

/** `operations 6/8 (2 not testable), filters 32/40, sorts 6/6` */
export function testedWords({ operations, filterCells, sortCells }: ConformanceReport['coverage']): string {
  const tested = (name: string, { exercised, total, untestable }: typeof operations) =>
    `${name} ${exercised}/${total}${untestable > 0 ? ` (${untestable} not testable)` : ''}`;
  return [tested('operations', operations), tested('filters', filterCells), tested('sorts', sortCells)].join(', ');
}

/**
 * How much was exercised of all that was planned, in words, of how much that can be tested, and if that is enough: as much as a baseline says was enough before, else nearly all.
 * False if nothing was testable, because then nothing was looked at. Cells that an expected failure keeps out of reach count neither way.
 */
export function coverageShare(coverage: ConformanceReport['coverage'], least?: BaselineShown) {
  const parts = [coverage.operations, coverage.filterCells, coverage.sortCells];
  const { shown: exercised, of } = shownOfAll(coverage);
  const expected = parts.reduce((sum, part) => sum + (part.expected ?? 0), 0);
  const untestable = parts.reduce((sum, part) => sum + part.untestable, 0);
  const testable = of - untestable - expected;
  const isOpen = ({ state }: Open) => state === 'not-exercised';
  const missing = coverage.open.filter(isOpen).map(({ family, cell }) => `${family} ${cell}`);
  const needed = least?.shown ?? COVERAGE_NEEDED * testable;
  const apart = present(
    untestable > 0 && `${untestable} not testable`,
    expected > 0 && `${expected} kept back by expected failures`,
  );
  const besides = apart.length === 0 ? '' : ` (${apart.join(', ')})`;
  const words = `${exercised} of ${of} operations, filters and sorts really tested${besides}`;
  return { words, testable, enough: testable + expected > 0 && exercised >= needed, missing };
}
