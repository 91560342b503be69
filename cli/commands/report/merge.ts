import { resolve } from 'node:path';
import type { Command } from 'commander';
import * as z from 'zod';
import { ResultsError } from '../../../lib/errors.ts';
import { option } from '../../../lib/option.ts';
import { text } from '../../../lib/option-values.ts';
import { readRunFolder } from '../../../lib/records/folder/reader.ts';
import { openRunFolder } from '../../../lib/records/folder/writer.ts';
import { mergeRuns } from '../../../lib/records/merge/runs.ts';
import { renderRun } from '../../../reports/render-run.ts';
import { bindLocal } from '../../options/bind.ts';
import { JsonSpec } from '../../options/output-spec.ts';
import { createOutput } from '../../output/output.ts';
import { summaryLines } from '../../output/summary.ts';

const MergeSpec = z.object({
  out: option('--out <dir>', 'new folder for the merged run', text()),
  ...JsonSpec.shape,
});

function merge(folders: readonly string[], options: z.output<typeof MergeSpec>): void {
  const output = createOutput(options);
  const twice = folders.find((folder, at) => folders.findIndex((other) => resolve(other) === resolve(folder)) !== at);
  if (twice !== undefined) {
    throw new ResultsError('segment-doubled', `${twice} is named twice`, { hint: 'name each folder once' });
  }
  const merged = mergeRuns(folders.map((folder) => ({ folder, records: readRunFolder(folder) })));
  const writer = openRunFolder(options.out);
  writer.header(merged.header);
  writer.catalogue(merged.catalogue);
  for (const { facts, samples } of merged.cells) writer.cell(facts, samples);
  writer.end(merged.end);
  writer.close();
  const { report, files } = renderRun(readRunFolder(options.out));
  for (const { name, content } of files) writer.file(name, content);
  if (options.json) output.data(JSON.stringify(report));
  for (const line of summaryLines(report, options.out, output.resultPaint)) output.result(line);
  process.exitCode = report.exit.code;
}

/** `ers-harness report merge DIR...`: one run from what several generators recorded of it. */
export function reportMergeCommand(report: Command): void {
  const command = report
    .command('merge')
    .argument('<dirs...>', 'run folders of all segments of one load, such as runs/latest/records/segments/*')
    .summary('merge the records of several generators')
    .description('merge the records of several generators; exit 3 if a segment is missing, doubled, foreign or cut off')
    .addHelpText('after', '\nExample:\n  ers-harness report merge runs/latest/records/segments/* --out runs/merged');
  bindLocal<typeof MergeSpec, [string[]]>(command, MergeSpec, merge);
}
