import { createHash } from 'node:crypto';
import { accessSync, constants, createReadStream, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { delimiter, isAbsolute, join } from 'node:path';
import { pipeline } from 'node:stream/promises';

export type Env = Readonly<Record<string, string | undefined>>;

const ACCESS_BY_OTHERS = 0o022;

/** Folder for what the program may make again, of the user and not of the package. Always an absolute path. */
export function cacheFolder(env: Env): string {
  const { platform } = process;
  // A job may run with an empty HOME.
  const home = [env['HOME'], homedir()].find((folder) => folder !== undefined && isAbsolute(folder)) ?? tmpdir();
  const named = platform === 'win32' ? env['LOCALAPPDATA'] : env['XDG_CACHE_HOME'];
  if (named !== undefined && isAbsolute(named)) return join(named, 'ers-harness');
  return join(home, platform === 'darwin' ? 'Library/Caches' : '.cache', 'ers-harness');
}

export function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** Programs of this name on PATH, first ones first. Entries that are not absolute mean something else in each folder: left out. */
export function onPath(name: string, env: Env): readonly string[] {
  const folders = (env['PATH'] ?? '').split(delimiter).filter((folder) => isAbsolute(folder));
  return folders.map((folder) => join(folder, name)).filter(isExecutable);
}

/** SHA-256 of a file, in hexadecimal. */
export async function digestOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}

const digestFile = (path: string) => `${path}.sha256`;

/** Notes the digest of the file that is about to become the cached one. */
export async function sealCached(path: string, made: string): Promise<void> {
  writeFileSync(digestFile(path), `${await digestOf(made)}\n`, { mode: 0o600 });
}

/** Why a cached binary may not be run, or undefined if it is the one that was put there. */
export async function cacheFault(path: string): Promise<string | undefined> {
  const { uid, mode } = statSync(path);
  const own = process.getuid?.();
  if (own !== undefined && uid !== own && uid !== 0) return `${path} belongs to another user`;
  if (own !== undefined && (mode & ACCESS_BY_OTHERS) !== 0) return `${path} can be changed by other users`;
  try {
    const noted = readFileSync(digestFile(path), 'utf8').trim();
    return noted === (await digestOf(path)) ? undefined : `${path} is not the file that was built`;
  } catch {
    return `${path} has no digest beside it`;
  }
}

export function dropCached(path: string): void {
  rmSync(path, { force: true });
  rmSync(digestFile(path), { force: true });
}
