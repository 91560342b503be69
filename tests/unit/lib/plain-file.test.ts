import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readBaseline } from '../../../cli/options/baseline/read-baseline.ts';
import { readAuthority } from '../../../cli/options/client-certificate.ts';
import { readTemplates } from '../../../cli/options/templates.ts';
import { readPool } from '../../../lib/client/anc/pool.ts';
import { readDefinition } from '../../../lib/families/import/document.ts';
import { readFamilies } from '../../../lib/families/read.ts';
import { plainText } from '../../../lib/plain-file.ts';
import { YamlFile } from '../../../lib/yaml-file.ts';
import { folderOfTests } from '../../helpers/folder.ts';

const folder = folderOfTests();

const READERS: Readonly<Record<string, (path: string) => unknown>> = {
  definition: readDefinition,
  families: readFamilies,
  config: (path) => new YamlFile(path),
  template: (path) => readTemplates([path]),
  authority: readAuthority,
  baseline: (path) => readBaseline(path),
  endpoints: (path) => readPool(path),
};

describe.skipIf(process.platform === 'win32')('a file that a user names', () => {
  const pipe = join(folder, 'pipe');
  execFileSync('mkfifo', [pipe]);

  it.each(Object.entries(READERS))('is a plain one, else it is refused and not waited for: %s', (_, read) => {
    for (const path of [pipe, '/dev/zero']) expect(() => read(path)).toThrow(/no plain file/);
  });

  it('is not read beyond its bound', () => {
    const path = join(folder, 'long');
    writeFileSync(path, 'x'.repeat(2049));
    expect(() => plainText(path, 2048)).toThrow('it is larger than 2 KiB');
    expect(plainText(path, 2049)).toHaveLength(2049);
  });
});
