import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { ServeReady } from '../../cli/stages/embedded.ts';
import { defined } from '../../lib/defined.ts';
import { packageRoot } from '../../lib/package-root.ts';
import { Report } from '../../lib/records/report.ts';

/** The built program. */
export const PROGRAM = join(packageRoot(), 'dist', 'ers-harness.js');

export interface CliResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CliOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** Working folder; that of this process unless set. */
  readonly cwd?: string;
  /** Called with the process and each line of stderr. */
  readonly onLine?: (line: string, child: ChildProcess) => void;
  readonly onStart?: (child: ChildProcess) => void;
}

/** Environment of this process without what would steer the program under test, or have it speak of the Node of this machine. */
function cleanEnv(extra: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('ERS_')));
  return { ...env, NO_COLOR: '1', NODE_NO_WARNINGS: '1', ...extra };
}

/** How a program is started; the environment is the whole one that it gets. */
interface ProgramOptions extends Pick<CliOptions, 'onLine' | 'onStart'> {
  readonly env: NodeJS.ProcessEnv;
  readonly cwd?: string;
  readonly uid?: number;
  readonly gid?: number;
}

export function runProgram(command: readonly string[], options: ProgramOptions): Promise<CliResult> {
  const { onLine, onStart, ...given } = options;
  const [program = '', ...args] = command;
  const child = spawn(program, args, { ...given, stdio: ['ignore', 'pipe', 'pipe'] });
  onStart?.(child);
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  createInterface({ input: child.stderr }).on('line', (line) => {
    stderr += `${line}\n`;
    onLine?.(line, child);
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, stdout, stderr }));
  });
}

/** Runs the built program to its end. */
export function runCli(args: readonly string[], options: CliOptions = {}): Promise<CliResult> {
  const { onLine, onStart, cwd } = options;
  return runProgram([process.execPath, PROGRAM, ...args], {
    env: cleanEnv(options.env),
    ...defined({ onLine, onStart, cwd }),
  });
}

export interface ServedDeployment extends ServeReady {
  readonly password: string;
  readonly env: Readonly<Record<string, string>>;
  /** Options that name its endpoints and one of its policies. */
  readonly pool: readonly string[];
  readonly close: () => Promise<void>;
}

/** Starts `serve` on a free port; `env` holds the login for `runCli`. */
export async function serveCli(
  args: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): Promise<ServedDeployment> {
  const child = spawn(process.execPath, [PROGRAM, 'serve', '--port', '0', '--quiet', '--tied', ...args], {
    env: cleanEnv(env),
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const line = await Promise.race([
    new Promise<string>((resolve) => createInterface({ input: child.stdout }).once('line', resolve)),
    closed.then(() => Promise.reject(new Error(`serve ended with ${child.exitCode}`))),
  ]);
  const ready = ServeReady.parse(JSON.parse(line));
  const { username, password = env['ERS_PASSWORD'] ?? '' } = ready;
  return {
    ...{ ...ready, password, pool: ['--endpoints', ready.endpoints, '--policy', ready.policies[0] ?? ''] },
    env: { ERS_USERNAME: username, ERS_PASSWORD: password },
    close: async () => {
      child.kill('SIGTERM');
      await closed;
    },
  };
}

export const reportIn = (run: string): Report =>
  Report.parse(JSON.parse(readFileSync(join(run, 'report.json'), 'utf8')));
