import { setFlagsFromString } from 'node:v8';
import { Command, CommanderError } from 'commander';
import { HarnessError, messageOf } from '../lib/errors.ts';
import { EXIT, EXIT_MEANINGS } from '../lib/exit-codes.ts';
import { packageVersion } from '../lib/package-root.ts';
import { createOutput, faultLines, outgoingLines } from './output/output.ts';
import { exitOf } from './session/exit.ts';
import { leaveTerminal } from './session/terminal.ts';

function exitCodesHelp(): string {
  const rows = Object.entries(EXIT_MEANINGS).map(([code, text]) => `  ${code.padStart(3)}  ${text}`);
  return `\nExit codes:\n${rows.join('\n')}\n\nCredentials come from ERS_USERNAME and ERS_PASSWORD, or from the file named by ERS_CREDENTIALS_FILE\n(mode 0600, two lines: "username: NAME" and "password: SECRET"). Options come from the environment and from ers-harness.yaml too:\n\`ers-harness config\` shows every value and where it came from.`;
}

/** The command lines of a program, and what adds each to it. */
type Add = (program: Command) => void;

/** Commands in the order of the help. Each is loaded when it is asked for: loading all of them takes twice as long. */
const COMMANDS: ReadonlyMap<string, () => Promise<Add>> = new Map<string, () => Promise<Add>>([
  ['verify', async () => (await import('./commands/verify.ts')).verifyCommand],
  ['conformance', async () => (await import('./commands/conformance.ts')).conformanceCommand],
  ['explore', async () => (await import('./commands/explore.ts')).exploreCommand],
  ['load', async () => (await import('./commands/load.ts')).loadCommand],
  ['capacity', async () => (await import('./commands/capacity.ts')).capacityCommand],
  ['compare-ab', async () => (await import('./commands/compare-ab.ts')).compareAbCommand],
  ['config', async () => (await import('./commands/config.ts')).configCommand],
  ['init', async () => (await import('./commands/init.ts')).initCommand],
  ['families', async () => (await import('./commands/families.ts')).familiesCommand],
  ['serve', async () => (await import('./commands/serve.ts')).serveCommand],
  ['doctor', async () => (await import('./commands/doctor.ts')).doctorCommand],
  ['report', async () => (await import('./commands/report/report.ts')).reportCommand],
  ['history', async () => (await import('./commands/history/history.ts')).historyCommand],
  ['selftest', async () => (await import('./commands/selftest/selftest.ts')).selftestCommand],
  ['sweep', async () => (await import('./commands/sweep.ts')).sweepCommand],
  ['replay', async () => (await import('./commands/replay.ts')).replayCommand],
  ['explain', async () => (await import('./commands/explain.ts')).explainCommand],
  ['setup-k6', async () => (await import('./commands/setup-k6.ts')).setupK6Command],
]);

/** The command that is asked for, or all of them where none is named: the help and the suggestions need all. */
function adders(asked: string | undefined): Promise<readonly Add[]> {
  if (asked === '--version') return Promise.resolve([]);
  const one = asked === undefined ? undefined : COMMANDS.get(asked);
  return Promise.all(one === undefined ? [...COMMANDS.values()].map((load) => load()) : [one()]);
}

/** Families that the environment names: every command has them, also those that talk to no target. */
async function loadInherited(): Promise<void> {
  const files = process.env['ERS_FAMILIES'];
  if (files) (await import('../families/load.ts')).loadFamilies(files.split(','));
}

async function createProgram(asked: string | undefined): Promise<Command> {
  const program = new Command('ers-harness')
    .description(
      'Proves that a deployment of the Configuration Resource API does what its specification says, and holds the published ANC rate.',
    )
    .version(packageVersion())
    .addHelpText('after', exitCodesHelp())
    .showHelpAfterError('(add --help for the options)')
    .configureOutput({
      writeOut: (text) => void process.stdout.write(outgoingLines(text)),
      writeErr: (text) => void process.stderr.write(outgoingLines(text)),
    })
    .exitOverride();
  // exitOverride is copied to a subcommand when it is made, so it stands above these.
  for (const add of await adders(asked)) add(program);
  return program;
}

/** Says what went wrong, in the words of the fault; the stack only with --debug, or where the fault is ours. */
function explain(fault: unknown): void {
  if (fault instanceof CommanderError) return;
  const output = createOutput({});
  const lines =
    fault instanceof HarnessError ? faultLines(fault) : [`fault of ers-harness itself: ${messageOf(fault)}`];
  for (const line of lines) output.warn(line);
  const stack = fault instanceof Error ? fault.stack : undefined;
  if (stack !== undefined && (process.argv.includes('--debug') || exitOf(fault) === EXIT.fault))
    for (const line of stack.split('\n')) output.warn(line);
}

// A reader of our output that went away is no fault: `ers-harness ... | head` ends quietly, and a run outlives its terminal.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (fault: NodeJS.ErrnoException) => {
    if (fault.code === 'EIO') leaveTerminal();
    else if (fault.code !== 'EPIPE') throw fault;
  });
}

// Node lets the heap grow to four times what is in use. Where each answer is megabytes long, that is half a gigabyte of
// garbage. 1.6 times costs a few percent of processor time. Node 24 accepts the flag and ignores it.
setFlagsFromString('--heap-growing-percent=60');

try {
  await loadInherited();
  const program = await createProgram(process.argv[2]);
  await program.parseAsync();
} catch (fault) {
  explain(fault);
  process.exitCode = exitOf(fault);
}
