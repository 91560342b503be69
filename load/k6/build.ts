import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { systemClock } from '../../lib/clock.ts';
import { GeneratorError } from '../../lib/errors.ts';

const run = promisify(execFile);
const PACKAGE = 'go.k6.io/k6/v2';
const BUILD_TIMEOUT_MS = 15 * 60_000;
const LOCK_POLL_MS = 300;
const OUTPUT_TAIL = 400;

export interface BuildOptions {
  /** Folder with go.mod and go.sum. */
  readonly source: string;
  /** Path the binary gets, only when it is whole. */
  readonly output: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly onProgress: (text: string) => void;
  readonly signal?: AbortSignal;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (fault) {
    return (fault as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Takes the lock when it is free or its owner is dead; false when a living process holds it. */
function takeLock(lock: string): boolean {
  try {
    writeFileSync(lock, String(process.pid), { flag: 'wx' });
    return true;
  } catch (fault) {
    if ((fault as NodeJS.ErrnoException).code !== 'EEXIST') throw fault;
  }
  try {
    const owner = Number(readFileSync(lock, 'utf8'));
    if (owner > 0 && !isAlive(owner)) rmSync(lock, { force: true });
  } catch {
    // Removed between the two calls: the next try takes it.
  }
  return false;
}

async function compile({ source, env, signal }: BuildOptions, target: string): Promise<void> {
  const options = {
    cwd: source,
    // The toolchain that is there, no C compiler: what was measured, and reproducible to the byte.
    env: { ...env, GOTOOLCHAIN: 'local', CGO_ENABLED: '0', GOWORK: 'off' },
    timeout: BUILD_TIMEOUT_MS,
    maxBuffer: 16 * 1024 * 1024,
    ...(signal ? { signal } : {}),
  };
  try {
    await run('go', ['build', '-trimpath', '-o', target, PACKAGE], options);
  } catch (cause) {
    const { code, stderr = '' } = cause as { code?: unknown; stderr?: string };
    if (code === 'ENOENT') throw new GeneratorError('go-missing', 'there is no Go to build it with', { cause });
    const said = stderr.trim().slice(-OUTPUT_TAIL);
    throw new GeneratorError('k6-build', `go build failed: ${said === '' ? String(cause) : said}`, { cause });
  }
}

/**
 * Builds k6 from the pinned module, once: processes that come at the same time wait for the first one.
 * Throws `GeneratorError` `go-missing` or `k6-build`.
 */
export async function buildK6(options: BuildOptions): Promise<void> {
  const folder = dirname(options.output);
  mkdirSync(folder, { recursive: true });
  const lock = join(folder, '.building');
  let told = false;
  while (!takeLock(lock)) {
    if (!told) options.onProgress('waiting for another process that builds k6');
    told = true;
    await systemClock.sleep(LOCK_POLL_MS, options.signal);
  }
  const partial = `${options.output}.${process.pid}`;
  try {
    if (existsSync(options.output)) return;
    options.onProgress('building k6 with Go, once (about a minute)');
    await compile(options, partial);
    renameSync(partial, options.output);
  } finally {
    rmSync(partial, { force: true });
    rmSync(lock, { force: true });
  }
}
