import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import * as z from 'zod';
import { FAMILIES } from '../../../lib/contract/families.ts';
import { UsageError } from '../../../lib/errors.ts';
import { counted } from '../../../lib/numbers.ts';
import { option } from '../../../lib/option.ts';
import { choice, onOff, text } from '../../../lib/option-values.ts';
import { makeFolder, writeWhole } from '../../../lib/records/folder/disk.ts';
import { FORMATS, type Format, renderExport } from '../../../reports/export/files.ts';
import { scriptsOf } from '../../../reports/export/scripts-of.ts';
import { renderRun } from '../../../reports/render-run.ts';
import { bind } from '../../options/bind.ts';
import { JsonSpec } from '../../options/output-spec.ts';
import { RUNS_FOLDER, runFolder } from '../../options/runs.ts';
import { createOutput } from '../../output/output.ts';
import { readRun } from '../../session/judged-again.ts';

const NAMES = Object.keys(FORMATS) as [Format, ...Format[]];

const ExportSpec = z.object({
  format: option('--format <format>', `form of the files: ${NAMES.join(', ')}`, choice(NAMES).default('curl')),
  out: option('--out <dir>', 'folder for the files', text().optional(), { otherwise: 'export/ in the run folder' }),
  whole: option(
    '--whole',
    'do all that the run had written before, and not only what the failure needs',
    onOff().default(false),
  ),
  ...JsonSpec.shape,
});

function exportCauses(given: string, { format, whole, json, out: named }: z.output<typeof ExportSpec>): void {
  const output = createOutput({ json });
  const folder = runFolder(given, RUNS_FOLDER);
  const out = named ?? join(folder, 'export');
  const records = readRun(folder);
  const exported = scriptsOf(renderRun(records).report, records, FAMILIES, whole);
  if (named === undefined && lstatSync(out, { throwIfNoEntry: false })?.isSymbolicLink() === true)
    throw new UsageError('export-is-link', `${out} is a link`, { hint: 'use --out to name the folder itself' });
  makeFolder(out);
  const files = renderExport(exported, format);
  for (const { name, content, cause, why } of files) {
    writeWhole(join(out, name), content);
    output.result(
      why === undefined ? `${join(out, name)}: ${cause}` : `no file for ${cause}: ${why} (${join(out, name)})`,
    );
  }
  if (json) output.data(JSON.stringify(files.map(({ name, cause, why }) => ({ file: join(out, name), cause, why }))));
  const made = files.filter(({ why }) => why === undefined).length;
  output.result(`${counted(made, 'file')} for ${counted(exported.length, 'cause')}`);
}

/** `ers-harness report export RUN`: a file for each new cause that shows it again, without this program. */
export function reportExportCommand(report: Command): void {
  const command = report
    .command('export')
    .argument('<run>', 'id of the run, or its beginning, or its folder')
    .description('write a file for each cause of failures that shows it again by itself, without a login in it')
    .addHelpText('after', '\nExample:\n  ers-harness report export runs/latest --format curl --out for-the-vendor');
  bind<typeof ExportSpec, [string]>(command, ExportSpec, exportCauses);
}
