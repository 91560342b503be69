import { join } from 'node:path';
import { type Command, Option } from 'commander';
import { FAMILIES } from '../../../lib/contract/families.ts';
import { counted } from '../../../lib/numbers.ts';
import { makeFolder, writeWhole } from '../../../lib/records/folder/disk.ts';
import { FORMATS, type Format, renderExport } from '../../../reports/export/files.ts';
import { scriptsOf } from '../../../reports/export/scripts-of.ts';
import { renderRun } from '../../../reports/render-run.ts';
import { createOutput } from '../../output/output.ts';
import { readRun } from '../../session/judged-again.ts';

interface ExportOptions {
  readonly format: Format;
  readonly out?: string;
  readonly whole?: boolean;
}

function exportCauses(folder: string, { format, whole = false, out = join(folder, 'export') }: ExportOptions): void {
  const output = createOutput({});
  const records = readRun(folder);
  const exported = scriptsOf(renderRun(records).report, records, FAMILIES, whole);
  makeFolder(out);
  const files = renderExport(exported, format);
  for (const { name, content, cause, why } of files) {
    writeWhole(join(out, name), content);
    output.result(
      why === undefined ? `${join(out, name)}: ${cause}` : `no file for ${cause}: ${why} (${join(out, name)})`,
    );
  }
  const made = files.filter(({ why }) => why === undefined).length;
  output.result(`${counted(made, 'file')} for ${counted(exported.length, 'cause')}`);
}

/** `ers-harness report export RUN`: a file for each new cause that shows it again, without this program. */
export function reportExportCommand(report: Command): void {
  report
    .command('export')
    .argument('<dir>', 'run folder, such as runs/latest')
    .description(
      'write one runnable file for each cause of failures: set-up, request, assertion, clean-up; no login in it',
    )
    .addOption(new Option('--format <format>', 'form of the files').choices(Object.keys(FORMATS)).makeOptionMandatory())
    .option('--out <dir>', 'folder for the files (default: export/ in the run folder)')
    .option('--whole', 'do all that the run had written before, and not only what the failure needs')
    .addHelpText('after', '\nExample:\n  ers-harness report export runs/latest --format curl --out for-the-vendor')
    .action(exportCauses);
}
