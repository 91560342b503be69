import { setFlagsFromString } from 'node:v8';
import { CommanderError } from 'commander';
import { EXIT } from '../lib/exit-codes.ts';
import { oldNode } from '../lib/package-root.ts';
import { createOutput, faultLines, systemHint } from './output/output.ts';
import { createProgram } from './program.ts';
import { exitOf, leaveTerminal } from './session/signals.ts';

/** Says what went wrong, in the words of the fault; the stack only with --debug, or where the fault is ours. */
function explain(fault: unknown): void {
  if (fault instanceof CommanderError) return;
  const output = createOutput({});
  for (const line of faultLines(fault)) output.warn(line);
  const stack = fault instanceof Error ? fault.stack : undefined;
  if (
    stack !== undefined &&
    (process.argv.includes('--debug') || (exitOf(fault) === EXIT.fault && systemHint(fault) === undefined))
  )
    for (const line of stack.split('\n')) output.warn(line);
}

let isCut = false;

/** Output that the disk does not take ends no run in the middle of its work; but what was not printed is no success. */
function outputIsCut(fault: Error): void {
  if (isCut) return;
  isCut = true;
  process.once('exit', (code) => {
    if (code === EXIT.ok) process.exitCode = EXIT.fault;
  });
  createOutput({}).warn(`the output cannot be written: ${fault.message}`);
}

// A reader of our output that went away is no fault: `ers-harness ... | head` ends quietly, and a run outlives its terminal.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (fault: NodeJS.ErrnoException) => {
    if (fault.code === 'EIO') leaveTerminal();
    else if (fault.code !== 'EPIPE') outputIsCut(fault);
  });
}

// Node lets the heap grow to four times what is in use. Where each answer is megabytes long, that is half a gigabyte of
// garbage. 1.6 times costs a few percent of processor time. Node 24 accepts the flag and ignores it.
setFlagsFromString('--heap-growing-percent=60');

try {
  const old = oldNode(process.versions.node);
  const isQuiet = ['--json', '--quiet'].some((flag) => process.argv.includes(flag));
  if (old !== undefined && !isQuiet && process.env['NODE_NO_WARNINGS'] !== '1') createOutput({}).warn(old);
  // Families that the environment names: every command has them, also those that talk to no target.
  const files = process.env['ERS_FAMILIES'];
  if (files) (await import('../lib/families/read.ts')).loadFamilies(files.split(','));
  const program = await createProgram(process.argv[2]);
  await program.parseAsync();
} catch (fault) {
  explain(fault);
  process.exitCode = exitOf(fault);
}
