import { ANC_OPERATION_NAMES } from '../../lib/contract/anc.ts';
import { judgeCell } from '../../lib/judge/cell/judge-cell.ts';
import { judge } from '../../lib/judge/judge.ts';
import type { RunRecords } from '../../lib/records/folder/reader.ts';
import { renderReport } from '../../reports/render-run.ts';
import { aCell } from '../helpers/a-cell.ts';
import { aHeader, anExchange, aResult, aRun } from '../helpers/a-run.ts';
import { type Figure, figureOf } from './figure.ts';

const CHECKS = 5000;
const RATE = 250;
/** Seconds of a full cell of each profile: one pass over its population. */
const PASSES = { '60k': 240, '200k': 800, '500k': 2000 } as const;

/** Service times that repeat in no short period. */
const serviceUs = (tick: number): number => 900 + ((tick * 2_654_435_761) % 4096);

function fullCells(): RunRecords['cells'] {
  return Object.entries(PASSES).flatMap(([profile, durationSeconds]) => {
    const plan = { durationSeconds, warmupSeconds: 10, bucketSeconds: 10, reuseSeconds: durationSeconds };
    const readBack = { totalBefore: null, totalAfter: null };
    const changes = { plan, readBack };
    const { facts, samples } = aCell((tick) => ({ serviceUs: serviceUs(tick) }), changes, durationSeconds);
    return ANC_OPERATION_NAMES.map((operation) => ({
      facts: { ...facts, id: `${profile}-${operation}-1`, profile, operation },
      samples,
    }));
  });
}

function largeRun(): RunRecords {
  const results = Array.from({ length: CHECKS }, (_, n) =>
    aResult({
      checkId: `list/check-${n % 250}`,
      variant: `name.${n}`,
      ...(n % 250 === 0
        ? { verdict: 'fail' as const, expected: `${n}`, observed: `${n + 1}`, evidence: [`x${n}`] }
        : {}),
    }),
  );
  const exchanges = results.flatMap(({ evidence }) => evidence.map((id) => anExchange({ id })));
  const options = { profile: Object.keys(PASSES), operation: ANC_OPERATION_NAMES };
  return aRun({ header: aHeader({ command: 'verify', options }), results, exchanges, cells: fullCells() });
}

/** Size of the reports of 5,000 checks and 15 full cells, the time to judge 7.6 million arrivals' worth of records and to render them. */
export function benchReport(rounds: number): Figure[] {
  const records = largeRun();
  const arrivals = records.cells.reduce((sum, { samples }) => sum + (samples?.dueUs.length ?? 0), 0);
  if (arrivals !== ANC_OPERATION_NAMES.length * RATE * Object.values(PASSES).reduce((a, b) => a + b, 0)) {
    throw new Error(`the cells hold ${arrivals} arrivals`);
  }
  const begun = performance.now();
  const report = judge(records, judgeCell);
  const judged = (performance.now() - begun) / 1000;
  if (report.load?.verdict !== 'met') throw new Error(`the cells are ${report.load?.verdict}`);
  const times: number[] = [];
  let bytes = 0;
  for (let round = 0; round < rounds; round += 1) {
    const start = performance.now();
    const files = renderReport(report, records.exchanges);
    times.push((performance.now() - start) / 1000);
    bytes = Buffer.byteLength(files.find(({ name }) => name.endsWith('.html'))?.content ?? '');
  }
  return [
    figureOf('report: judging 15 full cells', [judged], 's', 'lower'),
    figureOf('report: rendering 5,000 checks, 15 cells', times, 's', 'lower'),
    figureOf('report: page', [bytes / 1e6], 'MB', 'lower'),
  ];
}
