import { defined } from '../../defined.ts';
import { groupBy } from '../../group-by.ts';
import type { RunRecords } from '../../records/folder/reader.ts';
import type { CellFacts, CellReport, Samples } from '../../records/load/load.ts';
import type { Report } from '../../records/report.ts';
import { SAME_REFUSAL } from '../../records/vocabulary.ts';
import { count, counted, percent } from '../../text.ts';
import { missingOf, overall, type Scope } from '../scope.ts';

/** A cell whose endpoints are a smaller share of a population that nobody knows says nothing of its size. */
export const LEAST_SHARE = 0.1;

/** The target of a run: an embedded deployment is started with the population of the profile, so it is known. */
type Target = Pick<Report['run']['target'], 'embedded'>;

type Touching = Pick<CellFacts, 'plan' | 'counts' | 'ramp'>;

const touchedIn = ({ plan, counts, ramp }: Touching): number =>
  Math.min(plan.poolSize, counts.started + (ramp === undefined ? 0 : ramp.arrivals - ramp.dropped));

const shareOf = (facts: Touching): number => (facts.plan.sessions === 0 ? 1 : touchedIn(facts) / facts.plan.sessions);

/** True for a cell that touched too little of a population to speak for a deployment of its size. */
export const isTooFew = (facts: Touching, { embedded }: Target): boolean => !embedded && shareOf(facts) < LEAST_SHARE;

/** How much of the population that the profile stands for a cell touched, in words. */
export function touchedWords(facts: Touching, target: Target): string {
  const { plan } = facts;
  const few = isTooFew(facts, target) ? '; too few to speak for a deployment of this size' : '';
  return `used ${count(touchedIn(facts))} of ${count(plan.sessions)} endpoints (${percent(shareOf(facts))})${few}`;
}

/** The same for the cells of each profile: the smallest share, which bounds what its name means. */
export const touchedByProfile = (cells: readonly CellReport[], target: Target): readonly string[] =>
  [...groupBy(cells, ({ profile }) => profile)].flatMap(([profile, own]) => {
    const measured = own.filter(({ facts }) => facts.counts.started > 0);
    const least = measured.toSorted((a, b) => a.facts.counts.started - b.facts.counts.started)[0];
    return least === undefined ? [] : [`${profile}, each measurement: ${touchedWords(least.facts, target)}`];
  });

/** What is measured or searched: `60k apply-by-mac`. */
export const loadCellName = ({ profile, operation }: Pick<CellFacts, 'profile' | 'operation'>): string =>
  `${profile} ${operation}`;

/** Judges one try of one cell; samples are null if their file is missing or cut, which must never be met. */
export type JudgeCell = (facts: CellFacts, samples: Samples | null) => CellReport;

export type LoadReport = NonNullable<Report['load']>;

export function metWords({ cells, notRun = [] }: LoadReport): string {
  const met = cells.filter(({ verdict }) => verdict === 'met').length;
  return `${met} of ${counted(cells.length + notRun.length, 'measurement')} passed`;
}

export const notRunWords = ({ notRun = [] }: LoadReport): readonly string[] =>
  notRun.map(({ profile, operation, reason }) => `${profile} ${operation} was refused: ${reason}`);

/** Cells that were asked for and of which nothing is known: neither run nor refused. */
export const missingNames = ({ cells, notRun = [] }: Pick<LoadReport, 'cells' | 'notRun'>, scope: Scope) =>
  missingOf(scope.cells, [...cells, ...notRun]);

/** The refusal that every answer of a cell was; undefined if any was another. */
function refusalOf({ facts, succeeded, started, failures }: CellReport): string | undefined {
  const { stopped } = facts;
  if (stopped?.rule === SAME_REFUSAL) return stopped.says ?? stopped.text;
  const [only, ...others] = failures;
  if (succeeded > 0 || only?.kind !== 'client-error' || others.length > 0 || only.count < started) return undefined;
  return `${only.status}${only.example === undefined ? '' : ` "${only.example}"`}`;
}

/** Cells whose operation the target refuses, each once: as one apply before the load showed, or as all answers did. */
function notRunOf(records: RunRecords, refused: readonly CellReport[]): Pick<LoadReport, 'notRun'> {
  const before = records.cells.flatMap(({ facts: { profile, operation, notRun: reason, refusal: says } }) =>
    reason === undefined ? [] : [{ profile, operation, reason, ...defined({ says }) }],
  );
  const during = refused.map((cell) => {
    const { profile, operation } = cell;
    const says = refusalOf(cell) ?? '';
    return { profile, operation, reason: `each answer was ${says}`, says, cell };
  });
  const named = new Map([...before, ...during].map((one) => [`${one.profile} ${one.operation}`, one]));
  return named.size === 0 ? {} : { notRun: [...named.values()] };
}

/** Every cell judged; of several tries of one cell the last decides, and the others are kept beside it. */
export function judgeLoad(records: RunRecords, scope: Scope, judgeCell: JudgeCell): LoadReport {
  const tries = groupBy(
    records.cells
      .filter(({ facts }) => facts.step === undefined && facts.notRun === undefined)
      .map(({ facts, samples }) => {
        const cell = judgeCell(facts, samples);
        const cut = samples === null && cell.verdict === 'met';
        return cut ? { ...cell, verdict: 'invalid' as const, reasons: ['the samples are missing or cut'] } : cell;
      }),
    loadCellName,
  );
  const ordered = [...tries.values()].map((group) => [...group].sort((a, b) => a.attempt - b.attempt));
  const place = ({ profile, operation }: CellReport): number => {
    const at = scope.cells.findIndex((cell) => cell.profile === profile && cell.operation === operation);
    return at < 0 ? scope.cells.length : at;
  };
  const last = ordered.flatMap((group) => group.slice(-1));
  const refused = last.filter((cell) => refusalOf(cell) !== undefined);
  const cells = last.filter((cell) => !refused.includes(cell)).sort((a, b) => place(a) - place(b));
  const notRun = notRunOf(records, refused);
  return {
    verdict: overall(cells, missingNames({ cells, ...notRun }, scope).length),
    cells,
    repeated: ordered.flatMap((group) => group.slice(0, -1)),
    ...notRun,
  };
}
