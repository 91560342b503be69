import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { placesOf } from '../../cli/commands/report/report.ts';
import { readRun } from '../../cli/session/judged-again.ts';
import { FAMILIES } from '../../lib/contract/families.ts';
import { renderExport } from '../../reports/export/files.ts';
import { scriptsOf } from '../../reports/export/scripts-of.ts';
import { renderRun } from '../../reports/render-run.ts';
import { type CliResult, runCli, runProgram, type ServedDeployment, serveCli } from './cli.ts';
import { folderOfTests } from './folder.ts';

export const EXPORT_FORMATS = ['http', 'hurl', 'curl', 'pytest'] as const;
type Format = (typeof EXPORT_FORMATS)[number];

const SMALL = ['--sessions', '500'];
const DEFECTS = ['M27', 'M10', 'M23', 'M54'].flatMap((id) => ['--defect', id]);

/** Starts deployments with and without defects with these options, runs these checks against the first, and exports its causes into a folder in each format. */
export async function exportedCauses(checks: string, options: { readonly serve?: readonly string[] } = {}) {
  const folder = folderOfTests();
  const run = join(folder, 'run');
  const serve = [...SMALL, ...(options.serve ?? [])];
  const [bad, sound] = await Promise.all([serveCli([...serve, ...DEFECTS]), serveCli(serve)]);
  const what = ['--family', 'sgt,ancendpoint', '--mode', 'full', ...bad.pool, '--check', checks, '--depth', 'quick'];
  const where = ['--base-url', bad.baseUrl, '--out', run, '--no-retry'];
  await runCli(['conformance', ...where, ...what], { env: bad.env });
  await runCli(['report', 'export', run, '--format', 'curl', '--out', join(folder, 'curl')]);
  const records = readRun(run);
  const causes = scriptsOf(renderRun(records).report, records, FAMILIES, {
    ...{ everything: false, placeOf: placesOf(records.header.options) },
  });
  for (const format of EXPORT_FORMATS.filter((each) => each !== 'curl')) {
    mkdirSync(join(folder, format));
    for (const { name, content } of renderExport(causes, format)) writeFileSync(join(folder, format, name), content);
  }
  const filesOf = (format: Format) =>
    readdirSync(join(folder, format)).filter((name) => !name.endsWith('.txt') && !name.startsWith('__'));
  return {
    ...{ folder, bad, sound, filesOf },
    /** Runs each file of a format against a deployment, and gives how it ended, by its name. */
    async runAll(command: readonly string[], format: Format, { baseUrl, env }: ServedDeployment) {
      const login = { PATH: process.env['PATH'] ?? '', ERS_BASE_URL: baseUrl, ...env };
      const ran: (CliResult & { readonly name: string })[] = [];
      // httpYac takes files below its working folder alone.
      const cwd = join(folder, format);
      for (const name of filesOf(format))
        ran.push({ name, ...(await runProgram([...command, name], { env: login, cwd })) });
      return ran;
    },
    async close() {
      await Promise.all([bad.close(), sound.close()]);
    },
  };
}
export type ExportedCauses = Awaited<ReturnType<typeof exportedCauses>>;
