import { dirname, resolve } from 'node:path';
import type { Command } from 'commander';
import { messageOf, UsageError } from '../../../lib/errors.ts';
import { makeFolder, writeWhole } from '../../../lib/records/folder/disk.ts';
import { capacityLines } from '../../../reports/compare/capacity.ts';
import {
  type Comparison,
  compareRuns,
  OUTCOME_EXIT,
  outcomeWords,
  runsGivenTwice,
} from '../../../reports/compare/comparison.ts';
import { conformanceLines } from '../../../reports/compare/conformance-lines.ts';
import type { LoadRun } from '../../../reports/compare/load.ts';
import { loadLines } from '../../../reports/compare/load-lines.ts';
import { renderComparison } from '../../../reports/render/comparison.tsx';
import { collect } from '../../options/options.ts';
import { createOutput } from '../../output/output.ts';
import { readLoadRun } from '../../stages/load-run.ts';

interface CompareOptions {
  readonly html?: string;
  readonly json?: boolean;
  readonly alsoBefore?: readonly string[];
  readonly alsoAfter?: readonly string[];
}

function linesOf(comparison: Comparison): readonly string[] {
  const { before, after, circumstances, conformance, load, capacity, reasons } = comparison;
  return [
    `${before.run.runId} (${before.verdict}) → ${after.run.runId} (${after.verdict})`,
    ...circumstances.map((line) => `not alike: ${line}`),
    ...conformanceLines(conformance),
    ...(load === null && capacity !== null ? [] : loadLines(load)),
    ...capacityLines(capacity),
    `${outcomeWords(comparison)}${reasons.length === 0 ? '' : `: ${reasons.slice(0, 5).join('; ')}`}`,
    ...(reasons.length > 5 ? [`  and ${reasons.length - 5} more reasons`] : []),
  ];
}

function writePage(file: string, page: string): void {
  try {
    makeFolder(dirname(resolve(file)));
    writeWhole(file, page);
  } catch (cause) {
    throw new UsageError('out-not-writable', `cannot write ${file}: ${messageOf(cause)}`, {
      cause,
      hint: 'use --html to name a writable file',
    });
  }
}

function compare(first: string, second: string, options: CompareOptions): void {
  const output = createOutput(options);
  const before: [LoadRun, ...LoadRun[]] = [readLoadRun(first), ...(options.alsoBefore ?? []).map(readLoadRun)];
  const after: [LoadRun, ...LoadRun[]] = [readLoadRun(second), ...(options.alsoAfter ?? []).map(readLoadRun)];
  const twice = runsGivenTwice([...before, ...after]);
  if (twice.length > 0) {
    throw new UsageError(
      'same-run',
      `run ${twice.join(', ')} is given more than once: a run is not compared with itself`,
      {
        hint: '`ers-harness report list` shows all runs; runs/latest is the newest one',
      },
    );
  }
  const comparison = compareRuns(before, after);
  const { outcome, reasons, circumstances, conformance, load, capacity } = comparison;
  if (options.json === true) {
    const runs = { before: comparison.before.run.runId, after: comparison.after.run.runId };
    output.data(JSON.stringify({ ...runs, outcome, reasons, circumstances, conformance, load, capacity }));
  }
  for (const line of linesOf(comparison)) output.result(line);
  if (options.html !== undefined) {
    const reports = ([before, after] as const).map((side) => side.map(({ report }) => report));
    writePage(options.html, renderComparison(comparison, reports[0] ?? [], reports[1] ?? []));
    output.result(`page: ${options.html}`);
  }
  process.exitCode = OUTCOME_EXIT[outcome];
}

/** `ers-harness report compare A B`: what changed between two runs. */
export function reportCompareCommand(report: Command): void {
  report
    .command('compare')
    .argument('<before>', 'folder of a run, or its report.json')
    .argument('<after>', 'folder of a later run, or its report.json')
    .description(
      'list what newly fails, is fixed or is no longer proven between two runs, which load cells and which capacity got better or worse; ' +
        'exit 1 if something newly fails or a cell got worse, 4 if a part cannot be compared, 6 if nothing can',
    )
    .option('--html <file>', 'write the comparison as one HTML page, with the charts of both runs over each other')
    .option(
      '--also-before <dir>',
      'a further run of the first kind; from three on each side a cell may be called worse; repeatable',
      collect,
    )
    .option('--also-after <dir>', 'a further run of the second kind; repeatable', collect)
    .option('--json', 'print the comparison to stdout')
    .addHelpText(
      'after',
      '\nExamples:\n  ers-harness report compare runs/20260131-020000-abcd runs/latest\n' +
        '  ers-harness report compare runs/20260131-020000-abcd runs/latest --html compare.html',
    )
    .action(compare);
}
