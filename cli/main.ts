import { Command, CommanderError } from 'commander';
import { HarnessError, messageOf } from '../lib/errors.ts';
import { EXIT, EXIT_MEANINGS } from '../lib/exit-codes.ts';
import { packageVersion } from '../lib/package-root.ts';
import { capacityCommand } from './commands/capacity.ts';
import { compareAbCommand } from './commands/compare-ab.ts';
import { configCommand } from './commands/config.ts';
import { conformanceCommand } from './commands/conformance.ts';
import { doctorCommand } from './commands/doctor.ts';
import { explainCommand } from './commands/explain.ts';
import { exploreCommand } from './commands/explore.ts';
import { historyCommand } from './commands/history/history.ts';
import { initCommand } from './commands/init.ts';
import { loadCommand } from './commands/load.ts';
import { replayCommand } from './commands/replay.ts';
import { reportCommand } from './commands/report/report.ts';
import { selftestCommand } from './commands/selftest/selftest.ts';
import { serveCommand } from './commands/serve.ts';
import { setupK6Command } from './commands/setup-k6.ts';
import { sweepCommand } from './commands/sweep.ts';
import { verifyCommand } from './commands/verify.ts';
import { createOutput, faultLines } from './output/output.ts';
import { exitOf } from './session/exit.ts';

function exitCodesHelp(): string {
  const rows = Object.entries(EXIT_MEANINGS).map(([code, text]) => `  ${code.padStart(3)}  ${text}`);
  return `\nExit codes:\n${rows.join('\n')}\n\nCredentials come from ERS_USERNAME and ERS_PASSWORD, or from the file named by ERS_CREDENTIALS_FILE\n(mode 0600, two lines: "username: NAME" and "password: SECRET"). Options come from the environment and from ers-harness.yaml too:\n\`ers-harness config\` shows every value and where it came from.`;
}

function createProgram(): Command {
  const program = new Command('ers-harness')
    .description(
      'Proves that a deployment of the Configuration Resource API does what its specification says, and holds the published ANC rate.',
    )
    .version(packageVersion())
    .addHelpText('after', exitCodesHelp())
    .showHelpAfterError('(add --help for the options)')
    .exitOverride();
  // exitOverride is copied to a subcommand when it is made, so it stands above these.
  for (const add of [
    verifyCommand,
    conformanceCommand,
    exploreCommand,
    loadCommand,
    capacityCommand,
    compareAbCommand,
    configCommand,
    initCommand,
    serveCommand,
    doctorCommand,
    reportCommand,
    historyCommand,
    selftestCommand,
    sweepCommand,
    replayCommand,
    explainCommand,
    setupK6Command,
  ]) {
    add(program);
  }
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

// A reader of our output that went away is no fault: `ers-harness ... | head` ends quietly.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (fault: NodeJS.ErrnoException) => {
    if (fault.code !== 'EPIPE') throw fault;
  });
}

try {
  await createProgram().parseAsync();
} catch (fault) {
  explain(fault);
  process.exitCode = exitOf(fault);
}
