import type { Command } from 'commander';
import * as z from 'zod';
import { tableLines } from '../../lib/text.ts';
import { withConfig, withHelp, withOptions } from '../options/bind.ts';
import { type Effective, effectiveOptions } from '../options/effective.ts';
import { COMMAND_SPECS, JsonSpec } from '../options/specs.ts';
import { createOutput } from '../output/output.ts';

function shownValue({ option, value, from }: Effective): string {
  if (from === 'default' && option.given.otherwise !== undefined) return option.given.otherwise;
  return value === undefined ? 'none' : option.shown(value);
}

/** Where the login would come from, in words; the login itself is never shown. */
function loginSource(environment: NodeJS.ProcessEnv): string {
  const own = (name: string) => (process.env[name] ?? '') !== '';
  if (own('ERS_USERNAME') && own('ERS_PASSWORD')) return 'environment ERS_USERNAME and ERS_PASSWORD';
  if (own('ERS_CREDENTIALS_FILE')) return 'environment ERS_CREDENTIALS_FILE';
  const { ERS_USERNAME: user = '', ERS_CREDENTIALS_FILE: file = '' } = environment;
  if (user !== '' || file !== '') return 'configuration file, by reference';
  return 'not given';
}

function show(command: Command, spec: z.ZodObject): void {
  const resolved = effectiveOptions(command, spec, process.env);
  // Of the command itself: a configuration file that asks runs for JSON does not mean this one.
  const json = resolved.effective.some(({ option, from }) => option.key === 'json' && from === 'flag');
  const output = createOutput({});
  const listed = resolved.effective.filter(({ option }) => option.given.help !== 'none');
  const rows = listed.map((one) => [one.option.name, shownValue(one), one.from]);
  if (json) {
    const options = listed.map(({ option, value, from }) => ({ name: option.name, value: value ?? null, from }));
    const { file = null, target = null } = resolved;
    output.data(JSON.stringify({ command: command.name(), file, target, options }));
    return;
  }
  output.data(`configuration file: ${resolved.file ?? 'none'}`);
  if (resolved.target !== undefined) output.data(`target: ${resolved.target}`);
  output.data(`login: ${loginSource(resolved.environment)}`);
  output.data(['', ...tableLines([`option of ${command.name()}`, 'value', 'from'], rows)].join('\n'));
}

/** `ers-harness config [command]`: every effective value of a command, and where it came from. Sends nothing. */
export function configCommand(program: Command): void {
  const config = withHelp(program.command('config'), {
    does: 'show the value and the source of every option of a command',
    examples: ['config', 'config load --target staging --depth deep'],
  });
  for (const [name, spec] of Object.entries(COMMAND_SPECS)) {
    const command = config
      .command(name, { isDefault: name === 'verify' })
      .description(`the options of \`ers-harness ${name}\``);
    const schema = z.object({ ...spec.shape, ...JsonSpec.shape });
    withOptions(command, withConfig(schema)).action(() => show(command, schema));
  }
}
