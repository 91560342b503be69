import { existsSync, lstatSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { UsageError } from '../../../lib/errors.ts';
import type { Effective } from '../effective.ts';

/** Bits of a mode that let a group, and everybody, write. */
const [GROUP, OTHERS] = [0o020, 0o002];

/** Options by which a run is less careful, believes somebody else, passes with what it left, or writes over a file of any kind. */
const LOOSENING: ReadonlySet<string> = new Set([
  ...['base-url', 'insecure', 'allow-http', 'ca', 'take-over', 'allow-foreign-endpoints', 'mode'],
  ...['allow-disruptive-policy', 'allow-residue', 'allow-inconclusive', 'k6-out'],
]);

/** Options that say what a run uses, reads or writes: as good as loosening if somebody else says it. */
const NAMING: ReadonlySet<string> = new Set([
  ...['cert', 'key', 'endpoints', 'policy', 'baseline', 'history', 'families', 'metrics'],
  ...['template', 'redact'],
]);

const CAREFUL: ReadonlySet<unknown> = new Set([undefined, false, 0, 'read-only']);

/** Values of a configuration file that make a run less careful than it is by default. */
export function loosened(effective: readonly Effective[]): readonly Effective[] {
  return effective.filter(({ option, value, inFile }) => inFile && LOOSENING.has(option.name) && !CAREFUL.has(value));
}

/** Folders in which a file is looked for: from the working folder up to the home or the root of the repository; else that folder alone. */
export function searchedFolders(folder: string, home: string = homedir()): readonly string[] {
  const path: string[] = [];
  for (let at = resolve(folder); ; at = dirname(at)) {
    path.push(at);
    if (at === home || existsSync(join(at, '.git'))) return path;
    if (dirname(at) === at) return path.slice(0, 1);
  }
}

/** Throws `UsageError` for a file that somebody else owns or can write: whoever writes it says where the login goes. */
export function checkTrust(path: string): void {
  const own = process.getuid?.();
  if (own === undefined) return;
  for (const { uid, gid, mode } of [lstatSync(path), statSync(path)]) {
    const isOwn = uid === own || uid === 0;
    const isLink = (mode & 0o170000) === 0o120000;
    const isOpen = (mode & OTHERS) !== 0 || ((mode & GROUP) !== 0 && gid !== process.getgid?.() && gid !== 0);
    if (isOwn && (isLink || !isOpen)) continue;
    throw new UsageError(
      'untrusted-config',
      `${path} ${isOwn ? 'can be written by others' : 'belongs to somebody else'}`,
      { hint: 'name it with --config if you trust it, or read none: --config none' },
    );
  }
}

/** Throws `UsageError` if a file found above the working folder loosens something. */
export function refuseFromAbove(path: string, effective: readonly Effective[]): void {
  const found = [
    ...loosened(effective),
    ...effective.filter(({ option, value, inFile }) => inFile && NAMING.has(option.name) && value !== undefined),
  ];
  if (found.length === 0) return;
  const names = found.map(({ option, from }) => `${option.name} (${from})`).join(', ');
  throw new UsageError('config-from-above', `${path} lies above the working folder and sets ${names}`, {
    hint: `use it by name: --config ${path}; or read none: --config none`,
  });
}
