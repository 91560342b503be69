import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { packageRoot } from '../../lib/package-root.ts';

/** One request as the target saw it; wall clock in milliseconds. */
export interface LoggedRequest {
  readonly mac: string;
  readonly cameMs: number;
  readonly answeredMs: number;
}

/** How long the target holds requests: one delay after the other, and at least until the end of a stall. */
export interface Delays {
  readonly delaysMs: readonly number[];
  readonly stall: { readonly afterMs: number; readonly lengthMs: number } | null;
}

/** Starts a target in a process of its own, so that neither the collector nor the test delays it. */
export async function delayServer(delays: Delays) {
  const program = join(packageRoot(), 'tests', 'helpers', 'delay-server.mjs');
  const child = spawn(process.execPath, [program], { stdio: ['pipe', 'pipe', 'inherit'] });
  let text = '';
  const port = new Promise<string>((resolve, reject) => {
    child.once('error', reject);
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
      if (text.includes('\n')) resolve(text.slice(0, text.indexOf('\n')));
    });
  });
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()));
  child.stdin.write(`${JSON.stringify(delays)}\n`);
  const baseUrl = `http://127.0.0.1:${await port}`;
  return {
    baseUrl,
    /** Ends the target and gives its log. */
    async finish() {
      child.stdin.end();
      await closed;
      return JSON.parse(text.slice(text.indexOf('\n') + 1)) as LoggedRequest[];
    },
  };
}
