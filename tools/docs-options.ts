import type * as z from 'zod';
import { COMMAND_SPECS } from '../cli/options/specs.ts';
import { type Option, optionsOf } from '../lib/option.ts';
import { markdownTable } from './docs-tables.ts';

/** Commands that must share an option before it is explained apart from all of them. */
const COMMON_FROM = 3;

function defaultWords({ given, default: value, onOff, shown }: Option): string {
  if (given.otherwise !== undefined) return given.otherwise;
  if (onOff) return value === true ? 'on' : 'off';
  return value === undefined ? 'none' : shown(value);
}

const listed = (schema: z.ZodObject): readonly Option[] =>
  optionsOf(schema).filter(({ given }) => given.help !== 'none');

function optionTable(options: readonly Option[]): string {
  return markdownTable(
    ['Option', 'Default', 'Environment', 'What it does'],
    options.map((option) => [
      `\`${option.given.flag}\``,
      defaultWords(option),
      option.given.env === undefined ? '' : `\`${option.given.env}\``,
      option.given.text,
    ]),
  );
}

/**
 * What the page of options is filled in with, by the names of its markers: those of each command, without those that are explained once for
 * all of them. An option is one record, so it is known by that.
 */
export function optionsBlocks(): Readonly<Record<string, string>> {
  const commands = Object.entries(COMMAND_SPECS).map(([name, schema]) => ({ name, options: listed(schema) }));
  const all = commands.flatMap(({ options }) => options);
  const times = (one: Option) => all.filter(({ schema }) => schema === one.schema).length;
  const common = all.filter((one, at) => all.findIndex(({ schema }) => schema === one.schema) === at);
  const own = commands.map(
    ({ name, options }) => `## ${name}\n\n${optionTable(options.filter((one) => times(one) < COMMON_FROM))}`,
  );
  return { common: optionTable(common.filter((one) => times(one) >= COMMON_FROM)), commands: own.join('\n\n') };
}
