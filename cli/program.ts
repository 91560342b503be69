import { Command, Option } from 'commander';
import { nearest } from '../lib/did-you-mean.ts';
import { packageVersion } from '../lib/package-root.ts';
import { verboseVersion } from './commands/version.ts';
import { outgoingLines } from './output/output.ts';

/** Spellings that were once taken, and words of other tools, with what does the same here. */
const MEANT: Readonly<Record<string, readonly string[]>> = {
  '--tier': ['--depth'],
  '--vus': ['--connections'],
  '--list': ['--dry-run'],
  'compare-ab': ['report compare --pairs'],
  run: ['conformance', 'load'],
  test: ['conformance', 'load'],
  check: ['conformance', 'doctor'],
  diff: ['report compare'],
  help: ['--help'],
  version: ['--version'],
};

function pathsOf(command: Command, before = ''): readonly string[] {
  // Those below `config` are the same names again.
  if (command.name() === 'config') return [];
  return command
    .createHelp()
    .visibleCommands(command)
    .flatMap((one) => [`${before}${one.name()}`, ...pathsOf(one, `${before}${one.name()} `)]);
}

function commandOf(program: Command, words: readonly string[]): Command {
  let found = program;
  for (const word of words) found = found.commands.find((one) => one.name() === word) ?? found;
  return found;
}

const flagsOf = (command: Command): readonly string[] => command.options.flatMap(({ long }) => long ?? []);

/** The line below an error of the command line that says what was probably meant; undefined if nothing is near. */
export function suggestionFor(error: string, program: Command, words: readonly string[]): string | undefined {
  const [, what, typed = ''] = /unknown (command|option) '([^'=]+)/.exec(error) ?? [];
  if (what === undefined) {
    const url = words.find((word, at) => /^https?:\/\//.test(word) && words[at - 1]?.startsWith('--') !== true);
    if (!error.includes('too many arguments')) return undefined;
    if (url !== undefined) return `name the deployment: --base-url ${url}`;
    const { args, registeredArguments } = commandOf(program, words);
    const [extra] = args.slice(registeredArguments.length);
    return extra && `${extra} is one too many: give each of several values its option, or put commas between them`;
  }
  const known = what === 'option' ? flagsOf(commandOf(program, words)) : pathsOf(program);
  const found = MEANT[typed] ?? nearest(typed, known, 2);
  return found.length === 0 ? undefined : `Did you mean ${found.join(' or ')}?`;
}

const BELOW = `
What an exit code means: \`ers-harness explain exit\`. Every option of a command: --help-all.
The login comes from ERS_USERNAME and ERS_PASSWORD, or from the file that ERS_CREDENTIALS_FILE names
(mode 0600, two lines: "username: NAME" and "password: SECRET"). Options come from the environment and
from ers-harness.yaml too: \`ers-harness config\` shows every value and where it came from.`;

type Add = (program: Command) => void;

/** Headings of the help, and the commands under each in order. Each is loaded when asked for: loading all takes twice as long. */
const COMMANDS: Readonly<Record<string, Readonly<Record<string, () => Promise<Add>>>>> = {
  'Begin with:': {
    doctor: async () => (await import('./commands/doctor.ts')).doctorCommand,
    verify: async () => (await import('./commands/verify.ts')).verifyCommand,
    conformance: async () => (await import('./commands/conformance.ts')).conformanceCommand,
    load: async () => (await import('./commands/load.ts')).loadCommand,
    capacity: async () => (await import('./commands/capacity.ts')).capacityCommand,
    report: async () => (await import('./commands/report/report.ts')).reportCommand,
  },
  'More:': {
    init: async () => (await import('./commands/init.ts')).initCommand,
    explain: async () => (await import('./commands/explain.ts')).explainCommand,
    history: async () => (await import('./commands/history/history.ts')).historyCommand,
    explore: async () => (await import('./commands/explore.ts')).exploreCommand,
    sweep: async () => (await import('./commands/sweep.ts')).sweepCommand,
    config: async () => (await import('./commands/config.ts')).configCommand,
    families: async () => (await import('./commands/families.ts')).familiesCommand,
    serve: async () => (await import('./commands/serve.ts')).serveCommand,
  },
  'For those who change the checks:': {
    selftest: async () => (await import('./commands/selftest/selftest.ts')).selftestCommand,
    'setup-k6': async () => (await import('./commands/version.ts')).setupK6Command,
  },
};

/** Adds the command that is asked for, or all of them where none is named: the help and the suggestions need all. */
async function addCommands(program: Command, asked: string | undefined): Promise<void> {
  if (asked === '--version') return;
  const all = Object.entries(COMMANDS).flatMap(([heading, commands]) =>
    Object.entries(commands).map(([name, load]) => ({ heading, name, load })),
  );
  const named = all.filter(({ name }) => name === asked);
  const added = named.length === 0 ? all : named;
  const adds = await Promise.all(added.map(({ load }) => load()));
  for (const [at, add] of adds.entries()) {
    add(program);
    program.commands.find((command) => command.name() === added[at]?.name)?.helpGroup(added[at]?.heading ?? '');
  }
}

/** A command without further options takes `--help-all` too: as its help. Behind the name of a command it is that command's. */
function withHelpAll(command: Command): void {
  if (command.commands.length > 0) command.enablePositionalOptions();
  if (!command.options.some(({ long }) => long === '--help-all'))
    command.addOption(new Option('--help-all').hideHelp()).on('option:help-all', () => command.help());
  for (const one of command.commands) withHelpAll(one);
}

/** The command line with the command that is asked for, or with all of them. */
export async function createProgram(asked: string | undefined): Promise<Command> {
  const program: Command = new Command('ers-harness')
    .description(
      'Proves that a deployment of the Configuration Resource API does what its specification says, and holds the published ANC rate.',
    )
    .version(process.argv.includes('--verbose') ? await verboseVersion() : packageVersion())
    .addHelpText('after', BELOW)
    .helpCommand(false)
    // A long name leaves little room beside it: commander would not wrap there at all.
    .configureHelp({ minWidthToWrap: 20 })
    .showSuggestionAfterError(false)
    .showHelpAfterError('(add --help for the options)')
    .configureOutput({
      outputError: (text, write) => {
        const meant = suggestionFor(text, program, process.argv.slice(2));
        write(meant === undefined ? text : `${text}${meant}\n`);
      },
      writeOut: (text) => void process.stdout.write(outgoingLines(text)),
      writeErr: (text) => void process.stderr.write(outgoingLines(text)),
    })
    .exitOverride();
  // exitOverride is copied to a subcommand when it is made, so it stands above these.
  await addCommands(program, asked);
  withHelpAll(program);
  return program;
}
