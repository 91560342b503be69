import { type Command, Option as CommanderOption, InvalidArgumentError } from 'commander';
import * as z from 'zod';
import { suggestion } from '../../lib/did-you-mean.ts';
import { loadFamilies } from '../../lib/families/read.ts';
import { type Option, optionsOf } from '../../lib/option.ts';
import { counted, inert } from '../../lib/text.ts';
import { createOutput } from '../output/output.ts';
import { SECTIONS } from './config/keys.ts';
import { loosened } from './config/trust.ts';
import { ConfigSpec, type EffectiveOptions, effectiveOptions, givenLayers, resolveOptions } from './effective.ts';
import { checkedUrl } from './target.ts';

const LONGEST = 200;

/** Text of the help: what the option does and its default; with `whole` also its variable. */
function helpText({ given, default: value, onOff, shown }: Option, whole: boolean): string {
  const words = given.otherwise ?? (onOff || value === undefined ? undefined : shown(value));
  const notes = [
    ...(words === undefined || words === '' ? [] : [`default: ${words}`]),
    ...(given.env === undefined || !whole ? [] : [`env: ${given.env}`]),
  ];
  return notes.length === 0 ? given.text : `${given.text} (${notes.join('; ')})`;
}

function commanderOption(option: Option): CommanderOption {
  const { given, schema, list, onOff } = option;
  const made = new CommanderOption(given.flag, helpText(option, false)).hideHelp(given.help !== undefined);
  if (onOff) return made;
  return made.argParser((text: string, before: unknown) => {
    const parsed = schema.safeParse(text);
    if (!parsed.success) throw new InvalidArgumentError(parsed.error.issues[0]?.message ?? 'malformed');
    return list && Array.isArray(before) ? [...before, ...(parsed.data as unknown[])] : parsed.data;
  });
}

/** Adds the options of a schema to a command: `--help` shows those that most people need, `--help-all` the others too. */
export function withOptions(command: Command, schema: z.ZodObject): Command {
  const added = optionsOf(schema).map((option) => ({ option, made: commanderOption(option) }));
  for (const { made } of added) command.addOption(made);
  const more = added.filter(({ option }) => option.given.help === 'all');
  if (more.length === 0) return command;
  command.addOption(new CommanderOption('--help-all', `the same with ${counted(more.length, 'more option')}`));
  return command.on('option:help-all', () => {
    for (const { option, made } of added) made.description = helpText(option, true);
    for (const { made } of more) made.hideHelp(false).helpGroup('More options:');
    command.help();
  });
}

/** A schema with the option that names the configuration file. */
export const withConfig = (schema: z.ZodObject): z.ZodObject => z.object({ ...schema.shape, ...ConfigSpec.shape });

/** Variables that no option stands for. */
const OTHERS = ['USERNAME', 'PASSWORD', 'CREDENTIALS_FILE', 'KEY_PASSPHRASE', 'KEY_PASSPHRASE_FILE', 'CONFIG'].map(
  (name) => `ERS_${name}`,
);

/** Variables of the environment that set nothing, and are named nearly like one that would. */
function misspelled(env: Readonly<Record<string, string | undefined>>): readonly string[] {
  const options = [...SECTIONS.values()].flatMap((uses) => [...uses.values()].flat());
  const known = [...OTHERS, ...options.flatMap(({ option }) => option.given.env ?? [])];
  const bare = (name: string) => name.replace(/^ERS_/, '');
  return Object.keys(env)
    .filter((name) => name.startsWith('ERS_') && !known.includes(name))
    .flatMap((name) => {
      const meant = suggestion(bare(name), known.map(bare));
      return meant === undefined ? [] : [`${name} sets nothing. ${meant.replace('mean ', 'mean ERS_')}`];
    });
}

function announce({ options, effective, file, target }: EffectiveOptions<z.ZodObject>): void {
  const { quiet, familyFiles = [] } = options as { readonly quiet?: boolean; readonly familyFiles?: readonly string[] };
  const { say, warn } = createOutput({ quiet: quiet === true });
  if (file !== undefined) say(`configuration: ${file}${target === undefined ? '' : `, target ${target}`}`);
  // Whoever asked for no words still has to know that a file made the run less careful.
  for (const { option, value, from } of loosened(effective))
    warn(`${from}: ${option.name} ${inert(String(value), LONGEST)}`);
  for (const text of misspelled(process.env)) warn(text);
  const imported = loadFamilies(familyFiles);
  if (imported.length > 0)
    say(
      `${counted(imported.length, 'imported family', 'imported families')}: held to published definitions, not to the specification`,
    );
}

type Action<Schema extends z.ZodObject, Args extends unknown[]> = (
  ...given: [...Args, z.output<Schema>]
) => void | Promise<void>;

/** What the help of a command says around its options; a line of an example that begins with a blank goes on with the one before. */
interface Help {
  readonly does: string;
  readonly notes?: readonly string[];
  readonly examples?: readonly string[];
}

export function withHelp(command: Command, { does, notes = [], examples = [] }: Help): Command {
  const begun = examples.map((line) => (line.startsWith(' ') ? `  ${line}` : `  ers-harness ${line}`));
  const several = examples.filter((line) => !line.startsWith(' ')).length > 1;
  const shown = examples.length === 0 ? [] : [`Example${several ? 's' : ''}:`, ...begun];
  const parts = [notes, shown].filter((lines) => lines.length > 0).map((lines) => `\n${lines.join('\n')}`);
  return command.description(does).addHelpText('after', parts.join('\n'));
}

/** Adds the options of a schema to a command, and runs it with its arguments and their effective values. */
export function bind<Schema extends z.ZodObject, Args extends unknown[] = []>(
  command: Command,
  schema: Schema,
  action: Action<Schema, Args>,
  help?: Help,
): Command {
  return withOptions(help === undefined ? command : withHelp(command, help), withConfig(schema)).action(
    async (...given: unknown[]) => {
      const resolved = effectiveOptions(command, schema, process.env);
      announce(resolved);
      const { options, environment } = resolved;
      const { baseUrl } = options;
      // Before a plan prints it: it may hold a login.
      if (typeof baseUrl === 'string') checkedUrl(baseUrl);
      await action(...(given.slice(0, -2) as Args), { ...options, environment } as z.output<Schema>);
    },
  );
}

/** The same for a command that reads files and talks to no target: flag, then environment, then default. */
export function bindLocal<Schema extends z.ZodObject, Args extends unknown[] = []>(
  command: Command,
  schema: Schema,
  action: Action<Schema, Args>,
  help: Help,
): Command {
  return withOptions(withHelp(command, help), schema).action(async (...given: unknown[]) => {
    const { options } = resolveOptions(schema, givenLayers(schema, command, process.env));
    await action(...(given.slice(0, -2) as Args), options);
  });
}
