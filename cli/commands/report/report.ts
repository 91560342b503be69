import { join } from 'node:path';
import type { Command } from 'commander';
import { EXIT } from '../../../lib/exit-codes.ts';
import { readRunFolder } from '../../../lib/records/folder/reader.ts';
import { compareConformance, differentCircumstances } from '../../../reports/compare/conformance.ts';
import { conformanceLines } from '../../../reports/compare/conformance-lines.ts';
import { compareLoad } from '../../../reports/compare/load.ts';
import { loadLines } from '../../../reports/compare/load-lines.ts';
import { renderRun } from '../../../reports/render-run.ts';
import { bind } from '../../options/bind.ts';
import { collect } from '../../options/options.ts';
import { RedactSpec } from '../../options/output-spec.ts';
import { createOutput } from '../../output/output.ts';
import { summaryLines } from '../../output/summary.ts';
import { renderShared, SHARE_FOLDER, writeReports } from '../../session/share.ts';
import { readLoadRun } from '../../stages/load-run.ts';
import { reportCollectCommand } from './collect.ts';
import { reportMergeCommand } from './merge.ts';
import { reportRunsCommands } from './runs.ts';

interface RenderOptions extends RedactSpec {
  readonly out?: string;
  readonly json?: boolean;
}

function render(folder: string, options: RenderOptions): void {
  const output = createOutput(options);
  const records = readRunFolder(folder);
  const whole = renderRun(records);
  const shared =
    options.redact === undefined ? undefined : renderShared({ report: whole.report, exchanges: records.exchanges });
  const report = shared?.shown.report ?? whole.report;
  // What may be given away never takes the place of what the run wrote.
  const into = options.out ?? (shared === undefined ? folder : join(folder, SHARE_FOLDER));
  writeReports(into, shared?.files ?? whole.files);
  if (options.json === true) output.data(JSON.stringify(report));
  for (const line of summaryLines(report, into, output.resultPaint)) output.result(line);
  process.exitCode = report.exit.code;
}

interface CompareOptions {
  readonly json?: boolean;
  readonly alsoBefore?: readonly string[];
  readonly alsoAfter?: readonly string[];
}

function compare(before: string, after: string, options: CompareOptions): void {
  const output = createOutput(options);
  const [was, is] = [readLoadRun(before), readLoadRun(after)];
  const [a, b] = [was.report, is.report];
  const load = compareLoad(
    [was, ...(options.alsoBefore ?? []).map(readLoadRun)],
    [is, ...(options.alsoAfter ?? []).map(readLoadRun)],
  );
  const conformance = compareConformance(a, b);
  const circumstances = differentCircumstances(a, b);
  if (options.json === true) {
    const runs = { before: a.run.runId, after: b.run.runId };
    output.data(JSON.stringify({ ...runs, circumstances, conformance, load }));
  }
  output.result(`${a.run.runId} (${a.verdict}) → ${b.run.runId} (${b.verdict})`);
  for (const line of circumstances) output.result(`not alike: ${line}`);
  for (const line of conformanceLines(conformance)) output.result(line);
  for (const line of loadLines(load)) output.result(line);
  const some = (word: string) => load?.cells.some(({ verdict }) => verdict === word) === true;
  const failed = some('worse') || (conformance?.newlyFailing.length ?? 0) > 0;
  process.exitCode = failed ? EXIT.failed : some('not comparable') ? EXIT.inconclusive : EXIT.ok;
}

/** `ers-harness report render DIR`: the reports of a run, made again from its records; `report compare A B`: what changed. */
export function reportCommand(program: Command): void {
  const report = program.command('report').description('work with the records of runs');
  const again = report
    .command('render')
    .argument('<dir>', 'folder of a run, such as runs/latest')
    .description('make the reports of a run again from its records; the target is not touched')
    .option('--out <dir>', 'folder for the reports (default: the folder of the run)')
    .option('--json', 'print report.json to stdout');
  again.addHelpText(
    'after',
    '\nExamples:\n  ers-harness report render runs/latest\n' +
      '  ers-harness report render runs/latest --redact share --out for-the-vendor',
  );
  bind<typeof RedactSpec, [string], RenderOptions>(again, RedactSpec, render);
  report
    .command('compare')
    .argument('<before>', 'folder of a run, or its report.json')
    .argument('<after>', 'folder of a later run, or its report.json')
    .description(
      'what newly fails, is fixed, is no longer proven, came or went between two runs, and which load cells are better or worse; ' +
        'exit 1 where something newly fails or a cell is worse, 4 where cells cannot be compared',
    )
    .option(
      '--also-before <dir>',
      'a further run of the first kind; from three on each side a cell may be called worse; repeatable',
      collect,
    )
    .option('--also-after <dir>', 'a further run of the second kind; repeatable', collect)
    .option('--json', 'print the comparison to stdout')
    .addHelpText('after', '\nExample:\n  ers-harness report compare runs/20260131-020000-abcd runs/latest')
    .action(compare);
  reportRunsCommands(report);
  reportMergeCommand(report);
  reportCollectCommand(report);
}
