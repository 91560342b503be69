import { EXIT, type ExitCode, worstExit } from '../exit-codes.ts';
import { be, counted } from '../numbers.ts';
import { resultKey } from '../records/conformance.ts';
import type { RunRecords } from '../records/folder/reader.ts';
import type { CapacityReport } from '../records/load/capacity.ts';
import type { ConformanceReport, Report } from '../records/report.ts';
import { some } from '../text.ts';
import { capacitySentence } from './capacity/answer.ts';
import { missingSearches } from './capacity/judge-capacity.ts';
import { type LoadReport, missingNames } from './cell/judge-load.ts';
import { loadCellName } from './cell/name.ts';
import { isExpected } from './conformance/baseline/known.ts';
import { coverageShare, type Excused, sawNoRecord } from './conformance/coverage.ts';
import { failureReasons } from './conformance/failure-reasons.ts';
import { isOpen } from './conformance/rollup.ts';
import { isTooOpen, unprovenRequirements } from './conformance/unproven.ts';
import { missingRecords } from './missing-records.ts';
import type { Scope } from './scope.ts';

interface Reason {
  readonly code: ExitCode;
  readonly text: string;
}

const because = (code: ExitCode, text: string): Reason => ({ code, text });

const FAULT_CODES = { harness: EXIT.fault, target: EXIT.untested, usage: EXIT.usage, generator: EXIT.inconclusive };

/** What is left and how many: no baseline accepts it, `--allow-residue` alone does. */
function residueReasons({ residue, allowed = 0 }: Report['cleanup'], hasBaseline: boolean): Reason[] {
  if (residue.length === 0) return [];
  const number = counted(residue.length, 'record');
  const named = some(residue.map(({ family, id }) => `${family} ${id}`));
  if (residue.length <= allowed)
    return [because(EXIT.ok, `left on the target: ${number}, accepted by --allow-residue ${allowed}: ${named}`)];
  const hint = hasBaseline ? ' (a baseline does not accept that; --allow-residue N does)' : '';
  const limit = allowed > 0 ? `, more than the ${allowed} that --allow-residue accepts` : hint;
  const [reason] = residue.flatMap(({ why }) => why ?? []);
  const why = reason === undefined ? '' : `; ${reason}`;
  return [because(EXIT.residue, `left on the target: ${number}${limit}: ${named}${why}`)];
}

function runReasons(records: RunRecords, cleanup: Report['cleanup']): Reason[] {
  const { end } = records;
  const { leftAlone = [] } = cleanup;
  const named = (left: readonly { readonly family: string; readonly id: string }[]) =>
    some(left.map(({ family, id }) => `${family} ${id}`));
  const signal = end?.signal;
  const usable = records.results.length + records.cells.length > 0;
  const cut = usable ? EXIT.inconclusive : EXIT.untested;
  return [
    ...(end?.faults ?? []).map(({ kind, code, message, hint }) =>
      because(FAULT_CODES[kind], `${message} (${code})${hint === undefined ? '' : `: ${hint}`}`),
    ),
    ...(signal === undefined
      ? []
      : [because(signal === 'SIGINT' ? EXIT.interrupted : EXIT.terminated, `ended early by ${signal}`)]),
    ...residueReasons(cleanup, records.baseline !== undefined),
    ...(leftAlone.length === 0 ? [] : [because(EXIT.residue, `not ours, left alone: ${named(leftAlone)}`)]),
    ...(end === null ? [because(cut, 'the run was cut: it has no last record')] : []),
    ...(records.catalogue.families.length > 0 ? [] : [because(cut, 'the catalogue of the run is missing')]),
    ...missingRecords(records).map((text) => because(cut, text)),
    ...(records.damage.length === 0 ? [] : [because(cut, `records that cannot be read: ${some(records.damage, 2)}`)]),
  ];
}

/** How much is open, and where a requirement has no proof at all. */
function openWords(records: RunRecords, { openStated }: ConformanceReport, excused: Excused): string {
  const unproven = unprovenRequirements(records, excused);
  const where = unproven.length === 0 ? '' : `; without a single proof: ${some(unproven)}`;
  return `${counted(openStated, 'stated result')} ${be(openStated)} not proven${where} (--allow-inconclusive N accepts so many)`;
}

function conformanceReasons(records: RunRecords, part: ConformanceReport, scope: Scope): Reason[] {
  const { counts } = part;
  if (counts.pass + counts.warn + counts.fail === 0) {
    const words = `conformance: nothing was proven: of ${counted(part.results.length, 'result')}, none passed, warned or failed`;
    return [because(EXIT.untested, words)];
  }
  const share = coverageShare(part.coverage);
  const excused = new Set(part.results.filter(isExpected).map(resultKey));
  const open = part.results.filter((result) => isOpen(result.verdict) && !excused.has(resultKey(result))).length;
  return [
    ...failureReasons(part, scope),
    ...(counts.error === 0 ? [] : [because(EXIT.inconclusive, `${counted(counts.error, 'check')} ended in an error`)]),
    ...(isTooOpen(part.results, scope, excused) ? [because(EXIT.inconclusive, openWords(records, part, excused))] : []),
    ...(scope.someChecks || share.enough
      ? []
      : [
          because(
            EXIT.inconclusive,
            `${share.exercised} of ${share.testable} testable cells were exercised with a witness; 95% is needed`,
          ),
        ]),
    ...(!scope.someChecks && sawNoRecord(part.coverage, records.catalogue, scope)
      ? [because(EXIT.inconclusive, 'no record of any family was read: nothing is proven about records')]
      : []),
    ...(scope.someChecks && scope.allowInconclusive === 0 && open > counts.error
      ? [because(EXIT.inconclusive, `${counted(open, 'result')} of the selected checks ${be(open)} not proven`)]
      : []),
  ];
}

function loadReasons(load: LoadReport, scope: Scope): Reason[] {
  const named = (verdict: string) => load.cells.filter((cell) => cell.verdict === verdict).map(loadCellName);
  const missing = missingNames(load, scope);
  if (load.cells.length === 0) {
    const why = load.notRun === undefined ? '' : `: ${some(missing)}`;
    return [because(EXIT.untested, `load: no cell was run${why}`)];
  }
  const [violated, invalid] = [named('violated'), named('invalid')];
  return [
    ...(violated.length === 0
      ? []
      : [because(EXIT.failed, `${counted(violated.length, 'load cell')} violated: ${some(violated)}`)]),
    ...(invalid.length === 0
      ? []
      : [because(EXIT.inconclusive, `${counted(invalid.length, 'load cell')} invalid: ${some(invalid)}`)]),
    ...(missing.length === 0
      ? []
      : [because(EXIT.inconclusive, `${counted(missing.length, 'requested load cell')} not run: ${some(missing)}`)]),
  ];
}

function capacityReasons(capacity: CapacityReport, scope: Scope): Reason[] {
  if (capacity.answers.length === 0) return [because(EXIT.untested, 'capacity: no step was run')];
  const missing = missingSearches(capacity, scope).map(({ profile, operation }) => `${profile} ${operation}`);
  const short = capacity.answers.filter(({ verdict }) => verdict !== 'met');
  return [
    ...short.map((answer) => {
      const code = answer.verdict === 'violated' ? EXIT.failed : EXIT.inconclusive;
      const name = `capacity of ${answer.profile} ${answer.operation}`;
      return because(
        code,
        `${name} below the ${answer.targetPerSecond}/s of the specification: ${capacitySentence(answer)}`,
      );
    }),
    ...(missing.length === 0
      ? []
      : [
          because(
            EXIT.inconclusive,
            `${counted(missing.length, 'requested search', 'requested searches')} not run: ${some(missing)}`,
          ),
        ]),
  ];
}

/** Exit code of the run with every reason for it: the first of 70, 130/143, 5, 2, 1, 3, 4 that holds, else 0. */
export function exitOf(
  records: RunRecords,
  parts: Pick<Report, 'conformance' | 'load' | 'capacity' | 'cleanup'>,
  scope: Scope,
): { readonly code: ExitCode; readonly reasons: Reason[] } {
  const { conformance, load, capacity, cleanup } = parts;
  const reasons = [
    ...runReasons(records, cleanup),
    ...(conformance === null ? [] : conformanceReasons(records, conformance, scope)),
    ...(load === null ? [] : loadReasons(load, scope)),
    ...(capacity === undefined ? [] : capacityReasons(capacity, scope)),
  ];
  if (conformance === null && load === null && capacity === undefined)
    reasons.push(because(EXIT.untested, 'the run recorded nothing'));
  return { code: worstExit(reasons.map(({ code }) => code)), reasons };
}
