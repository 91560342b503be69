import type { Command } from 'commander';
import { beforeAll, describe, expect, it } from 'vitest';
import { createProgram, suggestionFor } from '../../../cli/program.ts';

let program: Command;
beforeAll(async () => {
  program = await createProgram(undefined);
});

/** A command and every one below it, with the words it is typed with. */
function all(command: Command, words: readonly string[] = []): { words: readonly string[]; command: Command }[] {
  return [{ words, command }, ...command.commands.flatMap((one) => all(one, [...words, one.name()]))];
}

/** What `--help` prints, examples too. */
function helpOf(command: Command): string {
  const parts: string[] = [];
  command.configureOutput({ writeOut: (part) => void parts.push(part), getOutHelpWidth: () => 80 });
  command.outputHelp();
  return parts.join('');
}

describe('help', () => {
  it('fits on one screen for every command, and is shown whole by its --help-all', () => {
    const commands = all(program).filter(({ words }) => words[0] !== 'config');
    for (const { words, command } of commands) {
      expect(helpOf(command).trimEnd().split('\n').length, words.join(' ')).toBeLessThanOrEqual(40);
      expect(helpOf(command), words.join(' ')).not.toMatch(/^.{113}/m);
      expect(command.options.map(({ long }) => long)).toContain('--help-all');
    }
  });

  it.each(['conformance', 'load', 'capacity', 'report compare', 'report', 'doctor'])(
    'of %s is that of the command, whole, if --help-all stands behind it',
    async (words) => {
      const [first = ''] = words.split(' ');
      const alone = await createProgram(first);
      const parts: string[] = [];
      const asked = all(alone).find((one) => one.words.join(' ') === words)?.command;
      for (const { command } of all(alone)) command.configureOutput({ writeOut: (part) => void parts.push(part) });
      await expect(alone.parseAsync(['node', 'ers-harness', ...words.split(' '), '--help-all'])).rejects.toThrow();
      const options = asked?.options.flatMap(({ long, hidden }) => (hidden ? [] : [String(long)])) ?? [];
      expect(parts.join('')).toMatch(new RegExp(`^Usage: ers-harness ${words} `));
      expect(options.filter((long) => !parts.join('').includes(long))).toEqual([]);
    },
  );

  it('has examples that a shell takes as they are, and none that writes a file by itself', () => {
    const loose = all(program).flatMap(({ command }) => {
      const examples = helpOf(command).match(/^ {2}ers-harness .*$/gm) ?? [];
      return examples.filter((line) => /[<>&|;()*?$`!]/.test(line.replace(/'[^']*'|"[^"$`!]*"/g, '')));
    });
    expect(loose).toEqual([]);
  });

  it('begins with the six commands that a newcomer needs', () => {
    const shown = [...helpOf(program).matchAll(/^ {2}([a-z0-9-]+) /gm)].map(([, name]) => name);
    expect(shown.slice(0, 6)).toEqual(['doctor', 'verify', 'conformance', 'load', 'capacity', 'report']);
    expect(shown).not.toContain('selftest');
  });

  it.each([
    ["error: unknown option '--duraton'", ['load', '--duraton'], 'Did you mean --duration?'],
    ["error: unknown option '--tier'", ['load', '--tier'], 'Did you mean --depth?'],
    ["error: unknown command 'run'", ['run'], 'Did you mean conformance or load?'],
    ["error: unknown command 'verfy'", ['verfy'], 'Did you mean verify?'],
    ["error: unknown command 'replay'", ['replay'], 'Did you mean report replay?'],
    ["error: unknown command 'compare-ab'", ['compare-ab'], 'Did you mean report compare --pairs?'],
    ["error: too many arguments for 'doctor'.", ['doctor', 'https://a'], 'name the deployment: --base-url https://a'],
    ["error: too many arguments for 'load'.", ['load', '--base-url', 'https://a', 'b'], undefined],
    ["error: unknown option '--title'", ['capacity', '--title'], undefined],
  ])('%s shows what was likely meant', (error, words, expected) => {
    expect(suggestionFor(error, program, words)).toBe(expected);
  });
});
