import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { defined } from '../../../lib/defined.ts';
import { messageOf, UsageError } from '../../../lib/errors.ts';
import { packageRoot } from '../../../lib/package-root.ts';
import { buildK6 } from '../build.ts';
import { cacheFault, cacheFolder, digestOf, dropCached, type Env, isExecutable, onPath } from './cache.ts';

/** What was built or released under a digest: builds of tools/k6/go.mod are the same to the byte for one Go, system and processor. */
const KNOWN = [
  {
    sha256: '3f081e0f31563f792c47bfe72f93d2bafa1303e36459eff4c86813e3ab44dd71',
    origin: 'k6 2.2.0, built from tools/k6 with Go 1.26.8 for linux/amd64',
  },
];

/** License of k6, and where the source of a version is. It is a program of its own: run as it is, and never linked with ours. */
export const k6License = (version: string) =>
  ({ spdx: 'AGPL-3.0-only', source: `https://github.com/grafana/k6/tree/v${version}` }) as const;

/** What a version is known to measure wrongly on the way to a target; undefined if nothing is known. */
export function measuresWrongly(version: string, proxy: string | undefined): string | undefined {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const isOld = major < 2 || (major === 2 && minor <= 2);
  return isOld && proxy?.startsWith('https:') === true
    ? `k6 ${version} is known to measure wrongly behind an HTTPS proxy`
    : undefined;
}

/** Where a binary with this digest comes from; undefined if that is not known. */
export function originOf(sha256: string): string | undefined {
  return KNOWN.find((binary) => binary.sha256 === sha256)?.origin;
}

const run = promisify(execFile);
const VERSION_TIMEOUT_MS = 20_000;
const EXECUTABLE = process.platform === 'win32' ? 'k6.exe' : 'k6';

/** The load generator as it will be run; version and digest are in the record of every cell. */
export interface K6Binary {
  /** Absolute. */
  readonly path: string;
  /** Without the leading `v`. */
  readonly version: string;
  readonly sha256: string;
}

interface FindK6Options {
  readonly env?: Env;
  readonly root?: string;
  readonly onProgress?: (text: string) => void;
  /** Told what the operator has to know, even where nothing else is to be printed. */
  readonly onWarning?: (text: string) => void;
  readonly signal?: AbortSignal;
  /** False: one that is missing is not built. */
  readonly build?: boolean;
}

/** Version that tools/k6/go.mod pins. Throws if the file names none. */
export function pinnedVersion(root: string): string {
  const found = /go\.k6\.io\/k6\/v2 v(\d+\.\d+\.\d+)/.exec(readFileSync(join(root, 'tools', 'k6', 'go.mod'), 'utf8'));
  if (found?.[1] === undefined) throw new Error('tools/k6/go.mod names no version of k6');
  return found[1];
}

/** True if a version is of the pinned major version and not of an older series; a release only. */
export function isAccepted(version: string, pinned: string): boolean {
  if (!/^\d+\.\d+\.\d+$/.test(version)) return false;
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [pinnedMajor = 0, pinnedMinor = 0] = pinned.split('.').map(Number);
  return major === pinnedMajor && minor >= pinnedMinor;
}

/** Version a binary reports; throws if it does not run or is not k6. It gets none of our environment: that holds the login. */
async function versionOf(path: string): Promise<string> {
  const { stdout } = await run(path, ['version'], { timeout: VERSION_TIMEOUT_MS, env: {} });
  const found = /^k6(?:\.exe)? v(\d+\.\d+\.\d+\S*)/.exec(stdout);
  if (found?.[1] === undefined) throw new Error(`${path} version answers "${stdout.slice(0, 60).trim()}"`);
  return found[1];
}

/** The binary where it runs and its version is accepted; otherwise adds the reason to `tried`. */
async function accepted(path: string, pinned: string, tried: string[]): Promise<K6Binary | undefined> {
  try {
    const version = await versionOf(path);
    if (isAccepted(version, pinned)) return { path, version, sha256: await digestOf(path) };
    tried.push(`${path} is version ${version}`);
  } catch (fault) {
    tried.push(`${path}: ${messageOf(fault).trim()}`);
  }
  return undefined;
}

function missing(pinned: string, tried: readonly string[], cause?: unknown): UsageError {
  const series = pinned.replace(/^(\d+)\.(\d+)\..*$/, '$1.x from $1.$2 on');
  return new UsageError(
    'k6-missing',
    `k6 ${series} was not found${tried.length === 0 ? '' : ` (${tried.join('; ')})`}`,
    {
      cause,
      hint: [
        'one of these gives it:',
        `  install Go 1.25 or later and start again: k6 is built once, into your cache folder (about a minute)`,
        `  put a k6 ${pinned} on PATH (https://github.com/grafana/k6/releases), or name one: K6_PATH=/path/to/k6`,
      ].join('\n'),
    },
  );
}

/** The cached binary where it is the one that was put there. Anything else there is removed: it is built again. */
async function fromCache(cached: string, pinned: string, tried: string[]): Promise<K6Binary | undefined> {
  if (!isExecutable(cached)) return undefined;
  const fault = await cacheFault(cached);
  if (fault !== undefined) tried.push(fault);
  const found = fault === undefined ? await accepted(cached, pinned, tried) : undefined;
  if (found === undefined) dropCached(cached);
  return found;
}

/** `K6_PATH`; the user's cache; an accepted version on PATH; else builds it with Go. It receives the login, so paths are absolute. */
export async function findK6(options: FindK6Options = {}): Promise<K6Binary> {
  const { env = process.env, root = packageRoot(), onProgress = () => undefined, signal } = options;
  const pinned = pinnedVersion(root);
  const tried: string[] = [];
  const named = env['K6_PATH'];
  if (named !== undefined && named !== '') {
    // A binary that was asked for by name is never silently replaced by another.
    const found = await accepted(resolve(named), pinned, tried);
    if (found === undefined) throw missing(pinned, ['K6_PATH is set', ...tried]);
    return found;
  }
  const cached = join(cacheFolder(env), 'k6', pinned, EXECUTABLE);
  const kept = await fromCache(cached, pinned, tried);
  if (kept !== undefined) return kept;
  for (const path of onPath(EXECUTABLE, env)) {
    const found = await accepted(path, pinned, tried);
    if (found === undefined) continue;
    if (originOf(found.sha256) === undefined) {
      const text = `warning: ${path} (SHA-256 ${found.sha256}) is on PATH and not known to this version. It will receive the login of the target.`;
      options.onWarning?.(`${text} To use another one, set K6_PATH.`);
    }
    return found;
  }
  if (options.build === false) throw missing(pinned, tried);
  if (tried.length === 0) tried.push(`none in K6_PATH, in ${cached} or on PATH`);
  try {
    await buildK6({ source: join(root, 'tools', 'k6'), output: cached, ...defined({ env, onProgress, signal }) });
  } catch (cause) {
    throw missing(pinned, [...tried, messageOf(cause).trim()], cause);
  }
  const built = await accepted(cached, pinned, tried);
  if (built === undefined) throw missing(pinned, tried);
  return built;
}
