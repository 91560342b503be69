import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { messageOf, UsageError } from '../../lib/errors.ts';
import { readRunFolder } from '../../lib/records/reader.ts';
import { renderRun } from '../../reports/render-run.ts';
import { createOutput } from '../output.ts';
import { summaryLines } from '../summary.ts';

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

/** `ers-harness report render DIR`: the reports of a run, made again from its records. */
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
}
