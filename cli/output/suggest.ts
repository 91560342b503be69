import type { Command } from 'commander';
import { nearest } from '../../lib/did-you-mean.ts';

/** Spellings that were once taken, and words of other tools, with what does the same here. */
const MEANT: Readonly<Record<string, readonly string[]>> = {
  '--tier': ['--depth'],
  '--list': ['--dry-run'],
  'compare-ab': ['report compare --pairs'],
  run: ['conformance', 'load'],
  test: ['conformance', 'load'],
  check: ['conformance', 'doctor'],
  diff: ['report compare'],
  help: ['--help'],
  version: ['--version'],
};

/** The shown commands below a command, by the words they are typed with. */
function pathsOf(command: Command, before = ''): readonly string[] {
  // Those below `config` are the same names again.
  if (command.name() === 'config') return [];
  return command
    .createHelp()
    .visibleCommands(command)
    .flatMap((one) => [`${before}${one.name()}`, ...pathsOf(one, `${before}${one.name()} `)]);
}

/** The command that the words of a command line lead to. */
function commandOf(program: Command, words: readonly string[]): Command {
  let found = program;
  for (const word of words) found = found.commands.find((one) => one.name() === word) ?? found;
  return found;
}

const flagsOf = (command: Command): readonly string[] => command.options.flatMap(({ long }) => long ?? []);

/**
 * The line below an error of the command line that says what was probably meant: the two likeliest commands or options, or where a URL
 * goes. Undefined where nothing is near.
 *
 * @param words What was typed behind the program's name.
 */
export function suggestionFor(error: string, program: Command, words: readonly string[]): string | undefined {
  const [, what, typed = ''] = /unknown (command|option) '([^'=]+)/.exec(error) ?? [];
  if (what === undefined) {
    const url = words.find((word) => /^https?:\/\//.test(word));
    return error.includes('too many arguments') && url !== undefined
      ? `name the deployment: --base-url ${url}`
      : undefined;
  }
  const known = what === 'option' ? flagsOf(commandOf(program, words)) : pathsOf(program);
  const found = [...(MEANT[typed] ?? []), ...nearest(typed, known, 2)].slice(0, 2);
  return found.length === 0 ? undefined : `Did you mean ${found.join(' or ')}?`;
}
