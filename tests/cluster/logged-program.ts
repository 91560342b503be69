import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';

/** Milliseconds that a program has to end after SIGTERM. */
const GRACE_MS = 10_000;

/** Starts a program that writes to a log file, and gives what ends it and waits for that. */
export function startLogged(
  log: string,
  program: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = process.env,
): () => Promise<void> {
  const file = openSync(log, 'a');
  const child = spawn(program, args, { env, stdio: ['ignore', file, file] });
  closeSync(file);
  const closed = new Promise((resolve) => child.once('close', resolve));
  return async () => {
    child.kill('SIGTERM');
    await Promise.race([closed, setTimeout(GRACE_MS, undefined, { ref: false })]);
    child.kill('SIGKILL');
    await closed;
  };
}
