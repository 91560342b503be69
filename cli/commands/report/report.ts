import { join } from 'node:path';
import type { Command } from 'commander';
import * as z from 'zod';
import { option } from '../../../lib/option.ts';
import { text } from '../../../lib/option-values.ts';
import { renderRun } from '../../../reports/render-run.ts';
import { bind } from '../../options/bind.ts';
import { JsonSpec, RedactSpec } from '../../options/output-spec.ts';
import { createOutput } from '../../output/output.ts';
import { summaryLines } from '../../output/summary.ts';
import { readRun } from '../../session/judged-again.ts';
import { renderShared, SHARE_FOLDER, writeReports } from '../../session/share.ts';
import { reportCompareCommand } from './compare.ts';
import { reportExportCommand } from './export.ts';
import { reportReplayCommand } from './replay.ts';
import { reportRunsCommands } from './runs.ts';

const RenderSpec = z.object({
  out: option('--out <dir>', 'folder for the reports', text().optional(), { otherwise: 'the run folder' }),
  ...JsonSpec.shape,
  ...RedactSpec.shape,
});

function render(folder: string, options: z.output<typeof RenderSpec>): void {
  const output = createOutput(options);
  const records = readRun(folder);
  const whole = renderRun(records);
  const shared =
    options.redact === undefined ? undefined : renderShared({ report: whole.report, exchanges: records.exchanges });
  const report = shared?.shown.report ?? whole.report;
  // What may be given away never takes the place of what the run wrote.
  const into = options.out ?? (shared === undefined ? folder : join(folder, SHARE_FOLDER));
  writeReports(into, shared?.files ?? whole.files);
  if (options.json) output.data(JSON.stringify(report));
  for (const line of summaryLines(report, into, output.resultPaint)) output.result(line);
  process.exitCode = report.exit.code;
}

/** `ers-harness report`: `report render DIR` makes the reports of a run again from its records. */
export function reportCommand(program: Command): void {
  const report = program.command('report').description('work with the records of runs');
  const again = report
    .command('render')
    .argument('<dir>', 'run folder, such as runs/latest')
    .description('rebuild the reports of a run from its records, without touching the target')
    .addHelpText(
      'after',
      '\nExamples:\n  ers-harness report render runs/latest\n' +
        '  ers-harness report render runs/latest --redact share --out for-the-vendor',
    );
  bind<typeof RenderSpec, [string]>(again, RenderSpec, render);
  reportCompareCommand(report);
  reportExportCommand(report);
  reportRunsCommands(report);
  reportReplayCommand(report);
}
