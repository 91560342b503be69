import { accessSync, constants, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Command } from 'commander';
import * as z from 'zod';
import { preflight } from '../../lib/client/http/preflight.ts';
import { TargetSpec } from '../../lib/client/target-spec.ts';
import { defined } from '../../lib/defined.ts';
import { messageOf, UsageError } from '../../lib/errors.ts';
import { option, text } from '../../lib/option.ts';
import { packageVersion } from '../../lib/package-root.ts';
import { commandLine } from '../../lib/records/answer.ts';
import { bind } from '../options/bind.ts';
import { CONFIG_NAME } from '../options/config/file.ts';
import { checkNeeds } from '../options/needs.ts';
import { TargetCommandSpec } from '../options/specs.ts';
import { givenTarget } from '../options/target.ts';
import { csrfAnswer, rolesOf } from '../output/diagnosis.ts';
import { configText, workflowText } from '../output/init-files.ts';
import { createOutput, writing } from '../output/output.ts';
import { look } from '../session/client.ts';

const WORKFLOW = join('.github', 'workflows', 'ers-harness.yml');

const InitSpec = z.object({
  ...TargetSpec.omit({ connections: true, maxRps: true, seed: true }).shape,
  environment: TargetCommandSpec.shape.environment,
  name: option('--name <name>', 'name of the target in the file', text().optional(), { otherwise: 'its host name' }),
  dir: option('--dir <dir>', 'folder to write into', text().default('.')),
});

function checkFree(paths: readonly string[]): void {
  const taken = paths.filter((path) => existsSync(path));
  if (taken.length === 0) return;
  throw new UsageError('init-in-use', `${taken.join(' and ')} would be overwritten`, {
    hint: 'move it away, or use --dir to name another folder',
  });
}

/** A folder that is there: what is below it will be made. */
const nearestFolder = (path: string): string => (existsSync(path) ? path : nearestFolder(dirname(resolve(path))));

async function init(options: z.output<typeof InitSpec>): Promise<void> {
  const output = createOutput({});
  const [config, workflow] = [join(options.dir, CONFIG_NAME), join(options.dir, WORKFLOW)];
  checkFree([config, workflow]);
  writing(options.dir, '--dir', () => accessSync(`${nearestFolder(options.dir)}/`, constants.W_OK));
  checkNeeds(options, ['--base-url', 'credentials']);
  const target = givenTarget(options);
  const found = await look(target, 'init', async (client) => {
    const { family, listStatus } = await preflight(client);
    const asked = async (what: string, work: Promise<string>) => `${what}: ${await work.catch(messageOf)}`;
    return [
      `login accepted; the list of ${family} answered ${listStatus}`,
      await asked('CSRF', csrfAnswer(client)),
      await asked('nodes', rolesOf(client)),
    ];
  });
  for (const line of found) output.say(line);
  const facts = {
    name: options.name ?? new URL(target.baseUrl).hostname,
    baseUrl: target.baseUrl,
    reached: defined({
      ca: options.ca && resolve(options.ca),
      cert: options.cert && resolve(options.cert),
      key: options.key && resolve(options.key),
      insecure: options.insecure || undefined,
      'allow-http': options.allowHttp || undefined,
    }),
    found,
    version: packageVersion(),
  };
  writing(options.dir, '--dir', () => {
    mkdirSync(dirname(workflow), { recursive: true });
    // Nothing is overwritten, also where a file came up meanwhile.
    writeFileSync(config, configText(facts), { flag: 'wx' });
    writeFileSync(workflow, workflowText(facts), { flag: 'wx' });
  });
  const where = options.dir === '.' ? [] : ['--config', config];
  output.data(`wrote ${config}\nwrote ${workflow}\nnext: ${commandLine(['conformance', ...where], '')}`);
}

/** `ers-harness init`: asks the target with GET alone, and writes a configuration file and a CI workflow. */
export const initCommand = (program: Command): Command =>
  bind(program.command('init'), InitSpec, init, {
    does: 'query the target (GET only); write ers-harness.yaml and a CI workflow',
    examples: ['init --base-url https://policy.example.com:9060'],
  });
