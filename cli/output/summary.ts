import { join } from 'node:path';
import { capacitySentence } from '../../lib/judge/capacity/answer.ts';
import { loadCellName } from '../../lib/judge/cell/name.ts';
import { fingerprintWords } from '../../lib/judge/left-as-found.ts';
import { FILES } from '../../lib/records/folder.ts';
import type { Report } from '../../lib/records/report.ts';

function conformanceLines(report: Report): string[] {
  const part = report.conformance;
  if (part === null) return [];
  const { counts, coverage } = part;
  const notProven = (counts.blocked ?? 0) + (counts.inconclusive ?? 0) + (counts.error ?? 0);
  const cells = (
    name: string,
    { exercised, total, untestable }: { exercised: number; total: number; untestable: number },
  ) => `${name} ${exercised}/${total}${untestable > 0 ? ` (${untestable} not testable, reasons in the report)` : ''}`;
  const conformant = part.families.filter((family) => family.verdict === 'conformant').length;
  return [
    `conformance: ${part.verdict}: ${conformant} of ${part.families.length} families conformant; ${part.results.length} results: ` +
      `${counts.pass ?? 0} pass, ${counts.fail ?? 0} fail, ${counts.warn ?? 0} warn, ${counts.info ?? 0} info, ` +
      `${notProven} not proven (${counts.error ?? 0} error), ${counts['not-applicable'] ?? 0} not applicable`,
    `exercised with a witness: ${cells('operations', coverage.operations)}, ${cells('filter cells', coverage.filterCells)}, ${cells('sort cells', coverage.sortCells)}`,
  ];
}

function loadLines(report: Report): string[] {
  if (report.load === null) return [];
  const { cells, verdict } = report.load;
  const count = (word: string) => cells.filter((cell) => cell.verdict === word).length;
  const bad = cells.filter((cell) => cell.verdict !== 'met');
  return [
    `load: ${verdict}: ${count('met')} cells met, ${count('violated')} violated, ${count('invalid')} invalid`,
    ...bad.map((cell) => `  ${cell.verdict} ${loadCellName(cell)}: ${cell.reasons.join('; ')}`),
  ];
}

function capacityLines({ capacity }: Report): string[] {
  if (capacity === undefined) return [];
  return capacity.answers.flatMap((answer) => [
    `capacity: ${answer.profile} ${answer.operation} on ${answer.connections} connections: ${capacitySentence(answer)}`,
    ...answer.sweep.map(
      ({ connections, heldPerSecond, atLeast, littleBoundPerSecond }) =>
        `  ${connections} connections: ${heldPerSecond === null ? 'no rate held' : `${atLeast ? 'at least ' : ''}${heldPerSecond}/s held`}` +
        (littleBoundPerSecond === null ? '' : `, Little's bound ${Math.round(littleBoundPerSecond)}/s`),
    ),
  ]);
}

/** The last lines of a run: what was proven, why it ends as it ends, where the report is. */
export function summaryLines(report: Report, folder: string): string[] {
  const { residue, leftAlone = [], fingerprint } = report.cleanup;
  return [
    ...conformanceLines(report),
    ...loadLines(report),
    ...capacityLines(report),
    ...residue.map(({ family, id, command }) => `left on the target: ${family} ${id}; remove it with: ${command}`),
    ...leftAlone.map(({ family, id, why, command }) => `not ours, left alone: ${family} ${id}: ${why}; ${command}`),
    ...(fingerprint?.equal === false ? [`records that the run did not make: ${fingerprintWords(fingerprint)}`] : []),
    ...report.exit.reasons.map(({ code, text }) => `exit ${code}: ${text}`),
    `${report.verdict} (exit ${report.exit.code})`,
    `report: ${join(folder, FILES.html)}`,
  ];
}
