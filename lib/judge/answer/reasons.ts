import { EXIT, FAULT_EXITS } from '../../exit-codes.ts';
import { present } from '../../present.ts';
import type { Reason, Statement } from '../../records/answer.ts';
import { resultKey } from '../../records/conformance.ts';
import type { RunRecords } from '../../records/folder/reader.ts';
import type { ConformanceReport, Report } from '../../records/report.ts';
import { leftOf } from '../../records/run.ts';
import { runOptions } from '../../records/run-options.ts';
import { be, counted, duration, some } from '../../text.ts';
import { isTooFew } from '../cell/judge-load.ts';
import { consequencesOf, isExpected } from '../conformance/baseline/known.ts';
import { coverageShare, type Excused, leastOf, sawNoRecord, seesLess } from '../conformance/coverage.ts';
import { causesIn } from '../conformance/judge-conformance.ts';
import {
  hiddenByTarget,
  isOpen,
  mayStayOpen,
  mostReason,
  openStated,
  unprovenRequirements,
} from '../conformance/unproven.ts';
import { residueKinds } from '../left-as-found.ts';
import { missingRecords, type Scope } from '../scope.ts';
import { loadReasons } from './cells.ts';
import { failureReasons, warningReasons } from './conformance.ts';
import { capacityReasons } from './search.ts';
import { because, say } from './statement.ts';

const hasProven = ({ counts }: ConformanceReport): boolean => counts.pass + counts.warn + counts.fail > 0;

/** True if a run has a result that says something, a cell or a step of a search: of one that has none, its end says all. */
export const hasShown = ({ conformance, load, capacity }: Pick<Report, 'conformance' | 'load' | 'capacity'>): boolean =>
  (conformance !== null && hasProven(conformance)) ||
  (load?.cells.length ?? 0) + (load?.notRun?.length ?? 0) + (capacity?.answers.length ?? 0) > 0;

/** Lengths of a load that are enough to sign off on. */
const FOR_SIGN_OFF: ReadonlySet<string> = new Set(['normal', 'deep']);

/** What was asked and the run does not show, in short sentences; what was not asked is not named. */
export function notShown(parts: Pick<Report, 'conformance' | 'load' | 'run' | 'catalogue'>): readonly Statement[] {
  const { conformance, load, run, catalogue } = parts;
  const open = (conformance?.results ?? []).filter((result) => isOpen(result.verdict) && !isExpected(result)).length;
  const hidden = hiddenByTarget(parts);
  const excused = conformance?.baseline?.consequences.length ?? 0;
  const missing = conformance === null ? 0 : catalogue.families.length - conformance.families.length;
  const quick = load?.cells.find(({ facts }) => !FOR_SIGN_OFF.has(facts.depth))?.facts.plan;
  const seconds = quick === undefined ? 0 : quick.durationSeconds - quick.warmupSeconds;
  // The load of a run writes ANC in any mode.
  const [who, but] = load === null ? ['run was', ''] : ['checks were', ', but for the ANC of the load'];
  const limits = present(
    run.mode === 'read-only' && `anything that writes${but}: the ${who} read-only`,
    run.mode === 'own-data' && `ANC and bulk requests${but}: the ${who} of mode own-data`,
    runOptions(run).depth === 'quick' && 'mistakes that depend on what was written before: the run was of depth quick',
    missing > 0 && `${counted(missing, 'resource')} that ${be(missing)} not part of this run`,
    open > 0 && `${counted(open, 'result')} that ${be(open)} unclear`,
    hidden > 0 && `${counted(hidden, 'result')} that this target cannot show`,
    excused > 0 && `${counted(excused, 'result')} that expected failures keep from being decided`,
  );
  const long = quick && `the rate for longer than ${duration(seconds * 1000)}: not for sign-off`;
  const few = (load?.cells ?? []).filter(({ facts }) => isTooFew(facts, run.target)).map(({ profile }) => profile);
  const size = few.length > 0 && `a deployment of ${some([...new Set(few)])}: too few of its endpoints were used`;
  return present(...(conformance === null ? [] : limits), long, size).map((text) => say(text, 'not shown', text));
}

const namesOf = (left: Parameters<typeof leftOf>[0]) =>
  some([...new Set(left.map(({ family, id }) => `${family} ${id}`))], 5, leftOf(left) - left.length);

/** What is left and how many: no baseline accepts it, `--allow-residue` alone does. */
function residueReason({ residue, allowed = 0 }: Report['cleanup'], hasBaseline: boolean): Reason | undefined {
  if (residue.length === 0) return undefined;
  const told = (limit: string) =>
    residueKinds(residue)
      .map(({ label, words, records }, at) => `${label}: ${words}${at === 0 ? limit : ''}: ${namesOf(records)}`)
      .join('; ');
  if (leftOf(residue) <= allowed) return because(EXIT.ok, told(`, accepted by --allow-residue ${allowed}`));
  const hint = hasBaseline ? ' (a baseline does not accept that; --allow-residue N does)' : '';
  const limit = allowed > 0 ? `, more than the ${allowed} that --allow-residue accepts` : hint;
  const [reason] = residue.flatMap(({ why }) => why ?? []);
  const why = reason === undefined ? '' : `; ${reason}`;
  return because(EXIT.residue, `${told(limit)}${why}`);
}

/** What the target refused at first and took when it was sent again: no check knows of it. */
function takenLaterReasons({ takenLater = [], requests }: NonNullable<RunRecords['end']>): Reason[] {
  const all = Object.values(requests).reduce((sum, count) => sum + count, 0);
  return takenLater.map(({ answer, count, request }) => {
    const each = count === 1 ? 'it was taken when it was sent again' : 'each was taken when it was sent again';
    const first = count === 1 ? request : `first ${request}`;
    const text = `the target answered ${answer} to ${count} of ${counted(all, 'request')} (${first}): ${each}`;
    return because(EXIT.ok, text);
  });
}

/** What a fault says and what to do, which may be a list with a line for each thing, as one sentence. */
const inOneLine = (text: string) => text.replace(/:\s*\n\s*/g, ': ').replace(/\s*\n\s*/g, '; ');

function runReasons(records: RunRecords, cleanup: Report['cleanup']): Reason[] {
  const { end } = records;
  const { leftAlone = [] } = cleanup;
  const signal = end?.signal;
  const usable = records.results.length + records.cells.length > 0;
  const cut = usable ? EXIT.inconclusive : EXIT.untested;
  return present(
    ...(end?.faults ?? []).map(({ kind, code, message, hint }) =>
      because(FAULT_EXITS[kind], inOneLine(`${message.trim()} (${code})${hint === undefined ? '' : `: ${hint}`}`)),
    ),
    signal !== undefined &&
      because(signal === 'SIGINT' ? EXIT.interrupted : EXIT.terminated, `ended early by ${signal}`),
    residueReason(cleanup, records.baseline !== undefined),
    ...leftAlone.slice(0, 1).map(({ why }) => {
      const number = counted(leftOf(leftAlone), 'record');
      return because(EXIT.residue, `${number} left alone that may be of the run: ${namesOf(leftAlone)}; ${why}`);
    }),
    ...(end === null ? [because(cut, 'the run was cut: it has no last record')] : takenLaterReasons(end)),
    records.catalogue.families.length === 0 && because(cut, 'the catalogue of the run is missing'),
    ...missingRecords(records).map((text) => because(cut, text)),
    records.damage.length > 0 && because(cut, `records that cannot be read: ${some(records.damage, 2)}`),
  );
}

/** How much is open, which requirements have no proof at all, and the most frequent reason, unless the run's first sentence says it. */
function openWords(records: RunRecords, { results, verdict }: ConformanceReport, excused: Excused): string {
  const open = openStated(results, excused).length;
  const unproven = unprovenRequirements(records, excused);
  const where = unproven.length === 0 ? '' : `; without a single proof: ${some(unproven)}`;
  const most =
    verdict === 'inconclusive' ? '' : mostReason(results.filter((result) => !excused.has(resultKey(result))));
  const why = most === '' ? '' : `, ${most}`;
  return `${counted(open, 'result that must hold', 'results that must hold')} ${be(open)} unclear${why}${where} (--allow-inconclusive N accepts so many)`;
}

/** Whether enough was shown: as much as the baseline says was enough, or nearly all. */
function coverageReasons(records: RunRecords, part: ConformanceReport, scope: Scope): Reason[] {
  const least = leastOf(part.baseline, part.coverage, scope);
  const { words: number, testable, enough, missing } = coverageShare(part.coverage, least);
  const less = seesLess(part.baseline?.least, scope).join(' and ');
  const open = missing.length === 0 ? '' : `; not: ${some(missing)}`;
  if (scope.someChecks) return [];
  const little =
    least === undefined
      ? `only ${number}; 95% of ${testable} is needed${less === '' ? '' : `, for the run was of ${less}`}`
      : `shows less: ${number}, ${least.shown} before`;
  return present(
    !enough && because(EXIT.inconclusive, `${little}${open}`),
    enough && least !== undefined && missing.length > 0 && because(EXIT.ok, `${number}${open}`),
    sawNoRecord(part.coverage, records.catalogue, scope) &&
      because(EXIT.inconclusive, 'no record of any family was read: nothing is proven about records'),
  );
}

function conformanceReasons(records: RunRecords, part: ConformanceReport, scope: Scope): Reason[] {
  const { counts } = part;
  if (!hasProven(part)) {
    const words = `conformance: nothing was proven: of ${counted(part.results.length, 'result')}, none passed, warned or failed`;
    return [because(EXIT.untested, words)];
  }
  const failed = new Set(part.results.filter(({ verdict }) => verdict === 'fail').map(resultKey));
  const exchanges = new Map(records.exchanges.map((exchange) => [exchange.id, exchange]));
  // What rests on a failure is told with that failure.
  const told = consequencesOf(part.results, failed, exchanges);
  const excused = new Set([...part.results.filter(isExpected).map(resultKey), ...told]);
  const open = part.results.filter((result) => isOpen(result.verdict) && !excused.has(resultKey(result))).length;
  const most = mayStayOpen(scope, leastOf(part.baseline, part.coverage, scope));
  const tooOpen = openStated(part.results, excused).length > most;
  // What an interrupted run did not reach is told with the interruption.
  const isCut = records.end?.signal !== undefined;
  return present(
    ...failureReasons(part, scope),
    ...(scope.strict
      ? []
      : warningReasons(
          causesIn(records, part.results, (verdict) => verdict === 'warn'),
          part,
        )),
    counts.error > 0 && because(EXIT.inconclusive, `${counted(counts.error, 'check')} ended in an error`),
    tooOpen && !isCut && because(EXIT.inconclusive, openWords(records, part, excused)),
    ...(isCut ? [] : coverageReasons(records, part, scope)),
    !isCut &&
      scope.someChecks &&
      most === 0 &&
      open > counts.error &&
      because(EXIT.inconclusive, `${counted(open, 'result')} of the selected checks ${be(open)} unclear`),
  );
}

/** What has to be done now so that a later change can be compared with this load. */
const FOR_LATER =
  'to compare a later run with this one, run the same load three times now and keep the three folders: one run cannot show how much runs differ by chance';

/** Every reason for the end of a run: what was recorded of the run itself, then of its parts. */
export function reasonsOf(
  records: RunRecords,
  parts: Pick<Report, 'conformance' | 'load' | 'capacity' | 'cleanup'>,
  scope: Scope,
): Reason[] {
  const { conformance, load, capacity, cleanup } = parts;
  const loads = load === null ? [] : loadReasons(load, scope);
  const isEmpty = conformance === null && load === null && capacity === undefined;
  const own = runReasons(records, cleanup);
  // That nothing was proven follows from what ended it.
  if ((records.end?.faults.length ?? 0) > 0 && !hasShown(parts)) return own;
  return present(
    ...own,
    ...(conformance === null ? [] : conformanceReasons(records, conformance, scope)),
    ...loads,
    load !== null && conformance === null && loads.length === 0 && because(EXIT.ok, FOR_LATER),
    ...(capacity === undefined ? [] : capacityReasons(capacity, scope)),
    isEmpty && because(EXIT.untested, 'the run recorded nothing'),
  );
}
