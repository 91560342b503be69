import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { checkTrust, searchedFolders } from '../../../../cli/options/config/trust.ts';

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'config-trust-'));
  file = join(folder, 'ers-harness.yaml');
  writeFileSync(file, 'targets: {}\n', { mode: 0o600 });
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('a configuration file', () => {
  it('is not trusted where everybody may write it, by itself or behind a link', () => {
    expect(() => checkTrust(file)).not.toThrow();
    symlinkSync(file, join(folder, 'link.yaml'));
    expect(() => checkTrust(join(folder, 'link.yaml'))).not.toThrow();
    chmodSync(file, 0o602);
    expect(() => checkTrust(file)).toThrow('can be written by others');
    expect(() => checkTrust(join(folder, 'link.yaml'))).toThrow('can be written by others');
  });

  it('is looked for up to the home or the root of the repository, and else in the working folder alone', () => {
    const deep = join(folder, 'a', 'b');
    mkdirSync(deep, { recursive: true });
    expect(searchedFolders(deep, '/nowhere')).toEqual([deep]);
    expect(searchedFolders(deep, folder)).toEqual([deep, join(folder, 'a'), folder]);
    mkdirSync(join(folder, 'a', '.git'));
    expect(searchedFolders(deep, folder)).toEqual([deep, join(folder, 'a')]);
  });
});
