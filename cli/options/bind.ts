import { type Command, Option as CommanderOption, InvalidArgumentError } from 'commander';
import type * as z from 'zod';
import { loadFamilies } from '../../families/load.ts';
import { FAMILIES } from '../../lib/contract/families.ts';
import type { Family } from '../../lib/contract/types.ts';
import { counted } from '../../lib/numbers.ts';
import { type Option, optionsOf } from '../../lib/option.ts';
import { inert } from '../../lib/text.ts';
import { createOutput } from '../output/output.ts';
import { loosened } from './config/trust.ts';
import { CONFIG_OPTION, effectiveOptions } from './effective.ts';

/** Characters of a value that is shown. */
const LONGEST = 200;

/** Text of `--help`: what the option does, its default and its variable. */
function helpText({ given, default: value, onOff, shown }: Option): string {
  const words = given.otherwise ?? (onOff || value === undefined ? undefined : shown(value));
  const notes = [
    ...(words === undefined || words === '' ? [] : [`default: ${words}`]),
    ...(given.env === undefined ? [] : [`env: ${given.env}`]),
  ];
  return notes.length === 0 ? given.text : `${given.text} (${notes.join('; ')})`;
}

function commanderOption(option: Option): CommanderOption {
  const { given, schema, list, onOff } = option;
  const made = new CommanderOption(given.flag, helpText(option));
  if (given.hidden === true) made.hideHelp();
  if (onOff) return made;
  return made.argParser((text: string, before: unknown) => {
    const parsed = schema.safeParse(text);
    if (!parsed.success) throw new InvalidArgumentError(parsed.error.issues[0]?.message ?? 'malformed');
    return list && Array.isArray(before) ? [...before, ...(parsed.data as unknown[])] : parsed.data;
  });
}

/** Adds the options of a schema to a command. */
export function withOptions(command: Command, schema: z.ZodObject): Command {
  for (const option of optionsOf(schema)) command.addOption(commanderOption(option));
  command.addOption(CONFIG_OPTION);
  return command;
}

/** What a command declares beside its schema. The flag of an option may be spelled like the member of another one. */
function ownOptions(command: Command, schema: z.ZodObject): Record<string, unknown> {
  const shared = new Set(optionsOf(schema).map(({ given }) => new CommanderOption(given.flag).attributeName()));
  return Object.fromEntries(Object.entries(command.opts()).filter(([name]) => !shared.has(name)));
}

/**
 * Adds the options of a schema to a command, and runs it with their effective values: flag, then environment, then configuration
 * file, then default. Options that the command declares itself are passed on as they are.
 */
export function bind<Schema extends z.ZodObject, Args extends unknown[] = [], Own = unknown>(
  command: Command,
  schema: Schema,
  action: (...given: [...Args, z.output<Schema> & Own]) => void | Promise<void>,
): Command {
  return withOptions(command, schema).action(async (...given: unknown[]) => {
    const { options, effective, environment, file, target } = effectiveOptions(command, schema, process.env);
    if (file !== undefined && command.opts()['quiet'] !== true) {
      createOutput({}).say(`configuration: ${file}${target === undefined ? '' : `, target ${target}`}`);
    }
    // Whoever asked for no words still has to know that a file made the run less careful.
    for (const { option, value, from } of loosened(effective))
      createOutput({}).warn(`${from}: ${option.name} ${inert(String(value), LONGEST)}`);
    const { familyFiles = [] } = options as { readonly familyFiles?: readonly string[] };
    loadFamilies(familyFiles);
    const imported = Object.values<Family>(FAMILIES).filter((family) => family.imported !== undefined);
    if (imported.length > 0 && command.opts()['quiet'] !== true)
      createOutput({}).say(
        `${counted(imported.length, 'imported family', 'imported families')}: held to published definitions, not to the specification`,
      );
    const args = given.slice(0, -2) as Args;
    await action(...args, { ...ownOptions(command, schema), ...options, environment } as z.output<Schema> & Own);
  });
}
