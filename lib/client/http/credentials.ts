import { readFileSync, statSync } from 'node:fs';
import { messageOf, UsageError } from '../../errors.ts';
import type { TargetConfig } from '../types.ts';

type Credentials = NonNullable<TargetConfig['credentials']>;

function fromText(path: string, text: string): Credentials {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '' && !line.startsWith('#'));
  const member = (name: string) =>
    lines
      .map((line) => new RegExp(`^\\s*${name}\\s*[:=]\\s?(.*)$`, 'i').exec(line)?.[1])
      .find((held) => held !== undefined);
  const [username, password] = [member('username'), member('password')];
  if (username !== undefined && password !== undefined) return { username: username.trim(), password };
  const isHalf = username !== undefined || password !== undefined;
  const pair = lines.length === 1 && !isHalf ? /^([^:]+):(.*)$/.exec(lines[0] ?? '') : null;
  if (pair?.[1] !== undefined && pair[2] !== undefined) return { username: pair[1].trim(), password: pair[2] };
  throw new UsageError('bad-credentials-file', `${path} has no credentials`, {
    hint: 'write two lines, "username: NAME" and "password: SECRET", or one line NAME:SECRET',
  });
}

/** Text of a file with a secret. Throws `UsageError` if it cannot be read, or others can read it. */
export function ownText(path: string, what: 'credentials' | 'key' | 'passphrase'): string {
  try {
    const mode = statSync(path).mode & 0o777;
    if ((mode & 0o077) !== 0 && process.platform !== 'win32')
      throw new UsageError(`open-${what}-file`, `${path} can be read by others (mode ${mode.toString(8)})`, {
        hint: `chmod 600 ${path}`,
      });
    return readFileSync(path, 'utf8');
  } catch (fault) {
    if (fault instanceof UsageError) throw fault;
    throw new UsageError(`no-${what}-file`, `cannot read the ${what} file: ${messageOf(fault)}`, { cause: fault });
  }
}

/**
 * Credentials from `ERS_USERNAME` and `ERS_PASSWORD`, else from the file that `ERS_CREDENTIALS_FILE` names; null if none is set.
 * Throws `UsageError` for half a pair, and for a file that is unreadable, open to others or holds no credentials.
 */
export function readCredentials(env: Readonly<Record<string, string | undefined>>): Credentials | null {
  const { ERS_USERNAME: username = '', ERS_PASSWORD: password = '', ERS_CREDENTIALS_FILE: file = '' } = env;
  if (username !== '' && password !== '') return { username, password };
  if (file !== '') return fromText(file, ownText(file, 'credentials'));
  if (username === '' && password === '') return null;
  throw new UsageError('half-credentials', `${username === '' ? 'ERS_USERNAME' : 'ERS_PASSWORD'} is not set`, {
    hint: 'set both ERS_USERNAME and ERS_PASSWORD',
  });
}
