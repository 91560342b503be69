import { randomBytes } from 'node:crypto';
import { constants, lstatSync, mkdirSync, openSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { UsageError } from '../../errors.ts';
import { scrubbed } from '../../outgoing.ts';

/** Records and reports hold what a deployment answered: they are for their owner alone. */
const OWNER_FILE = 0o600;
const OWNER_FOLDER = 0o700;

function refuseLink(path: string): void {
  if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() !== true) return;
  throw new UsageError('link-in-folder', `${path} is a link; nothing is written through links`, {
    hint: 'use --out to name a new folder',
  });
}

/** Makes a folder and those above it, one by one: where the system makes none, such as below /proc, Node's own way never ends. */
function makePath(path: string): void {
  const isThere = () => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  if (isThere()) return;
  if (dirname(path) !== path) makePath(dirname(path));
  try {
    mkdirSync(path, { mode: OWNER_FOLDER });
  } catch (fault) {
    // Another program may have made it meanwhile.
    if (!isThere()) throw fault;
  }
}

/** Makes a folder for records or reports; one that is there stays as it is. Throws `UsageError` for a link inside a run folder. */
export function makeFolder(folder: string, inside?: string): string {
  const path = inside === undefined ? folder : join(folder, inside);
  if (inside !== undefined) refuseLink(path);
  makePath(path);
  return path;
}

/** Path of a file of a run, with the folders that it lies in made. Throws `UsageError` for a link among them, or in place of `folder`. */
export function placeIn(folder: string, name: string): string {
  refuseLink(folder);
  const within = dirname(name)
    .split('/')
    .reduce((path, part) => (part === '.' ? path : makeFolder(path, part)), folder);
  return join(within, basename(name));
}

/** Writes a whole file: beside its place, and then there, so that neither a link nor half a file is ever written through. */
export function writeWhole(path: string, content: string | Uint8Array): void {
  const fresh = join(dirname(path), `.${basename(path)}.${randomBytes(6).toString('hex')}`);
  try {
    const whole = typeof content === 'string' ? scrubbed(content) : content;
    writeFileSync(fresh, whole, { mode: OWNER_FILE, flag: 'wx' });
    renameSync(fresh, path);
  } catch (fault) {
    rmSync(fresh, { force: true });
    throw fault;
  }
}

/** Opens a file to append to, never through a link. */
export function openForAppend(path: string): number {
  const { O_APPEND, O_CREAT, O_WRONLY, O_NOFOLLOW = 0 } = constants;
  return openSync(path, O_APPEND | O_CREAT | O_WRONLY | O_NOFOLLOW, OWNER_FILE);
}
