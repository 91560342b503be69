import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readCredentials } from '../../../../lib/client/http/credentials.ts';
import { folderOfTests } from '../../../helpers/folder.ts';

const folder = folderOfTests();

function credentialsFile(text: string, mode = 0o600): { ERS_CREDENTIALS_FILE: string } {
  const path = join(folder, 'login');
  writeFileSync(path, text);
  chmodSync(path, mode);
  return { ERS_CREDENTIALS_FILE: path };
}

const code = (value: string) => expect.objectContaining({ name: 'UsageError', code: value });

describe('the credentials', () => {
  it('come from the environment, which wins over the file, or there are none', () => {
    const file = credentialsFile('other:word');
    const login = { username: 'u', password: 'p:w' };
    expect(readCredentials({ ERS_USERNAME: 'u', ERS_PASSWORD: 'p:w', ...file })).toEqual(login);
    expect(readCredentials({})).toBeNull();
    expect(() => readCredentials({ ERS_USERNAME: 'u' })).toThrow(code('half-credentials'));
  });

  it.each([
    ['one line', 'admin:s3c:ret'],
    ['two lines', '# lab\nusername: admin\npassword: s3c:ret\n'],
  ])('are read from a file of %s', (_, text) => {
    expect(readCredentials(credentialsFile(text))).toEqual({ username: 'admin', password: 's3c:ret' });
  });

  it('are not read from a file that others can read, that holds none, or that is not there', () => {
    expect(() => readCredentials(credentialsFile('admin:secret', 0o644))).toThrow(code('open-credentials-file'));
    expect(() => readCredentials(credentialsFile('username: admin'))).toThrow(code('bad-credentials-file'));
    expect(() => readCredentials({ ERS_CREDENTIALS_FILE: join(folder, 'none') })).toThrow(code('no-credentials-file'));
  });
});
