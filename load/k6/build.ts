import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { systemClock, timeLimit } from '../../lib/clock.ts';
import { GeneratorError } from '../../lib/errors.ts';
import { releaseLock, takeLock } from '../../lib/file-lock.ts';
import { type Env, onPath, sealCached } from './binary/cache.ts';

const PACKAGE = 'go.k6.io/k6/v2';
const BUILD_TIMEOUT_MS = 15 * 60_000;
const LOCK_POLL_MS = 300;
const TELL_EVERY_MS = 10_000;
const OUTPUT_TAIL = 400;
const GO = process.platform === 'win32' ? 'go.exe' : 'go';

/** What Go needs to find its folders and the module proxy; the login of the target is not among it. */
const PASSED_ON = [
  ...['PATH', 'HOME', 'USERPROFILE', 'LOCALAPPDATA', 'SystemRoot', 'TMPDIR', 'TEMP', 'XDG_CACHE_HOME'],
  ...['GOPATH', 'GOCACHE', 'GOMODCACHE', 'GOPROXY', 'GOSUMDB', 'GONOSUMDB', 'GONOPROXY', 'GOPRIVATE'],
  ...['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY', 'http_proxy', 'https_proxy', 'no_proxy'],
  ...['SSL_CERT_FILE', 'SSL_CERT_DIR'],
];

/** The toolchain that is there, no C compiler, the checksums as they are: what was measured, and the same to the byte. */
const SETTINGS = { GOTOOLCHAIN: 'local', CGO_ENABLED: '0', GOWORK: 'off', GOFLAGS: '-mod=readonly' };

export interface BuildOptions {
  /** Folder with go.mod and go.sum. */
  readonly source: string;
  /** Path the binary gets, only when it is whole. */
  readonly output: string;
  readonly env: Env;
  readonly onProgress: (text: string) => void;
  readonly signal?: AbortSignal;
}

async function compile({ source, env, signal, onProgress }: BuildOptions, target: string): Promise<void> {
  const [go] = onPath(GO, env);
  if (go === undefined) throw new GeneratorError('go-missing', 'Go is not installed, so k6 cannot be built');
  const limit = timeLimit(BUILD_TIMEOUT_MS, signal);
  const child = spawn(go, ['build', '-trimpath', '-v', '-o', target, PACKAGE], {
    cwd: source,
    // Nothing of ours but what Go needs: `GOFLAGS` of the caller could run any program.
    env: { ...Object.fromEntries(PASSED_ON.map((name) => [name, env[name]])), ...SETTINGS },
    stdio: ['ignore', 'ignore', 'pipe'],
    signal: limit,
  });
  let [packages, said, tail] = [0, performance.now(), ''];
  createInterface({ input: child.stderr }).on('line', (line) => {
    packages += 1;
    tail = `${tail}${line}\n`.slice(-OUTPUT_TAIL);
    if (performance.now() - said < TELL_EVERY_MS) return;
    said = performance.now();
    onProgress(`building k6: ${packages} packages compiled`);
  });
  const [code] = await once(child, 'close').catch((cause: Error) => {
    throw new GeneratorError('k6-build', `go build failed: ${cause.message}`, { cause });
  });
  if (code !== 0) throw new GeneratorError('k6-build', `go build failed: ${tail.trim()}`);
}

/** Builds k6 once, also for processes that come meanwhile. Throws `GeneratorError` `go-missing` or `k6-build`. */
export async function buildK6(options: BuildOptions): Promise<void> {
  const folder = dirname(options.output);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
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
    await sealCached(options.output, partial);
    renameSync(partial, options.output);
  } finally {
    rmSync(partial, { force: true });
    releaseLock(lock);
  }
}
