import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { accessSync, constants, createReadStream, existsSync, readFileSync, rmSync, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { messageOf, UsageError } from '../../lib/errors.ts';
import { packageRoot } from '../../lib/package-root.ts';
import { buildK6 } from './build.ts';

const run = promisify(execFile);
const VERSION_TIMEOUT_MS = 20_000;
const EXECUTABLE = process.platform === 'win32' ? 'k6.exe' : 'k6';

/** The load generator as it will be run; both figures are in the record of every cell. */
export interface K6Binary {
  readonly path: string;
  /** Without the leading `v`. */
  readonly version: string;
  readonly sha256: string;
}

export interface FindK6Options {
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Package folder: holds tools/k6 and .cache. */
  readonly root?: string;
  /** Told what takes long. */
  readonly onProgress?: (text: string) => void;
  readonly signal?: AbortSignal;
}

/** Version that tools/k6/go.mod pins. Throws where the file names none. */
export function pinnedVersion(root: string): string {
  const found = /go\.k6\.io\/k6\/v2 v(\d+\.\d+\.\d+)/.exec(readFileSync(join(root, 'tools', 'k6', 'go.mod'), 'utf8'));
  if (found?.[1] === undefined) throw new Error('tools/k6/go.mod names no version of k6');
  return found[1];
}

/** True where a version is the pinned one or differs in its last part only: its stream and flags are those measured. */
export function isAccepted(version: string, pinned: string): boolean {
  const series = (text: string) => text.split('.').slice(0, 2).join('.');
  return /^\d+\.\d+\.\d+$/.test(version) && series(version) === series(pinned);
}

/** Version a binary reports; throws where it does not run or is not k6. */
export async function versionOf(path: string): Promise<string> {
  const { stdout } = await run(path, ['version'], { timeout: VERSION_TIMEOUT_MS });
  const found = /^k6(?:\.exe)? v(\d+\.\d+\.\d+\S*)/.exec(stdout);
  if (found?.[1] === undefined) throw new Error(`${path} version answers "${stdout.slice(0, 60).trim()}"`);
  return found[1];
}

async function digestOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** Version where the binary runs and is accepted; otherwise adds the reason to `tried`. */
async function accepted(path: string, pinned: string, tried: string[]): Promise<string | undefined> {
  try {
    const version = await versionOf(path);
    if (isAccepted(version, pinned)) return version;
    tried.push(`${path} is version ${version}`);
  } catch (fault) {
    tried.push(`${path}: ${messageOf(fault)}`);
  }
  return undefined;
}

function missing(pinned: string, tried: readonly string[], cause?: unknown): UsageError {
  const series = pinned.replace(/\.\d+$/, '.x');
  return new UsageError('k6-missing', `k6 ${series} was not found (${tried.join('; ')})`, {
    cause,
    hint: [
      'one of these gives it:',
      `  install Go 1.25 or later and start again: k6 is built once into .cache/k6 from tools/k6/go.mod (about a minute)`,
      `  put a k6 ${series} on PATH (https://github.com/grafana/k6/releases)`,
      '  name one: K6_PATH=/path/to/k6',
    ].join('\n'),
  });
}

/**
 * Finds k6: `K6_PATH`, then PATH with an accepted version, then the cache, else builds it once with Go into the cache.
 * Throws `UsageError` that lists the ways to get one.
 */
export async function findK6(options: FindK6Options = {}): Promise<K6Binary> {
  const { env = process.env, root = packageRoot(), onProgress = () => undefined, signal } = options;
  const pinned = pinnedVersion(root);
  const tried: string[] = [];
  const named = env['K6_PATH'];
  if (named !== undefined && named !== '') {
    const version = await accepted(named, pinned, tried);
    // A binary that was asked for by name is never silently replaced by another.
    if (version === undefined) throw missing(pinned, ['K6_PATH is set', ...tried]);
    return { path: named, version, sha256: await digestOf(named) };
  }
  const onPath = (env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  const cached = join(root, '.cache', 'k6', pinned, EXECUTABLE);
  for (const path of [...onPath.map((folder) => join(folder, EXECUTABLE)), cached].filter(isExecutable)) {
    const version = await accepted(path, pinned, tried);
    if (version !== undefined) return { path, version, sha256: await digestOf(path) };
  }
  if (tried.length === 0) tried.push('none in K6_PATH, on PATH or in .cache/k6');
  // What lies in the cache and was not accepted is damaged: it is built again.
  rmSync(cached, { force: true });
  try {
    await buildK6({
      source: join(root, 'tools', 'k6'),
      output: cached,
      env,
      onProgress,
      ...(signal ? { signal } : {}),
    });
  } catch (cause) {
    throw missing(pinned, [...tried, messageOf(cause)], cause);
  }
  const version = await accepted(cached, pinned, tried);
  if (version === undefined || !existsSync(cached)) throw missing(pinned, tried);
  return { path: cached, version, sha256: await digestOf(cached) };
}
