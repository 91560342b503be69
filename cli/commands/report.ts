import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { messageOf, UsageError } from '../../lib/errors.ts';
import { EXIT } from '../../lib/exit-codes.ts';
import { readRunFolder } from '../../lib/records/reader.ts';
import { compareConformance, differentCircumstances } from '../../reports/compare/conformance.ts';
import { conformanceLines } from '../../reports/compare/conformance-lines.ts';
import { renderRun } from '../../reports/render-run.ts';
import { createOutput } from '../output.ts';
import { readReport } from '../report-source.ts';
import { summaryLines } from '../summary.ts';
import { reportMergeCommand } from './report-merge.ts';

interface RenderOptions {
  readonly out?: string;
  readonly json?: boolean;
}

function render(folder: string, options: RenderOptions): void {
  const output = createOutput({});
  const { report, files } = renderRun(readRunFolder(folder));
  const into = options.out ?? folder;
  try {
    for (const { name, content } of files) writeFileSync(join(into, name), content);
  } catch (cause) {
    throw new UsageError('out-not-writable', `cannot write reports into ${into}: ${messageOf(cause)}`, {
      cause,
      hint: 'name a folder that can be written with --out',
    });
  }
  if (options.json === true) output.data(JSON.stringify(report));
  for (const line of summaryLines(report, into)) output.say(line);
  process.exitCode = report.exit.code;
}

function compare(before: string, after: string, options: { readonly json?: boolean }): void {
  const output = createOutput({});
  const [a, b] = [readReport(before), readReport(after)];
  const conformance = compareConformance(a, b);
  const circumstances = differentCircumstances(a, b);
  if (options.json === true) {
    const runs = { before: a.run.runId, after: b.run.runId };
    output.data(JSON.stringify({ ...runs, circumstances, conformance }));
  }
  output.warn(`${a.run.runId} (${a.verdict}) → ${b.run.runId} (${b.verdict})`);
  for (const line of circumstances) output.warn(`not alike: ${line}`);
  for (const line of conformanceLines(conformance)) output.warn(line);
  process.exitCode = (conformance?.newlyFailing.length ?? 0) > 0 ? EXIT.failed : EXIT.ok;
}

/** `ers-harness report render DIR`: the reports of a run, made again from its records; `report compare A B`: what changed. */
export function reportCommand(program: Command): void {
  const report = program.command('report').description('work with the records of runs');
  report
    .command('render')
    .argument('<dir>', 'folder of a run, such as runs/latest')
    .description('make the reports of a run again from its records; the target is not touched')
    .option('--out <dir>', 'folder for the reports (default: the folder of the run)')
    .option('--json', 'print report.json to stdout')
    .addHelpText('after', '\nExample:\n  ers-harness report render runs/latest')
    .action(render);
  report
    .command('compare')
    .argument('<before>', 'folder of a run, or its report.json')
    .argument('<after>', 'folder of a later run, or its report.json')
    .description(
      'what newly fails, is fixed, is no longer proven, came or went between two runs; exit 1 where something newly fails',
    )
    .option('--json', 'print the comparison to stdout')
    .addHelpText('after', '\nExample:\n  ers-harness report compare runs/20260131-020000-abcd runs/latest')
    .action(compare);
  reportMergeCommand(report);
}
