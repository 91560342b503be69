import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
// @ts-expect-error plain JavaScript without types
import { buildScenarios, checkBundle, foreignInputs } from '../../../build.mjs';
import { ANC_OPERATION_NAMES } from '../../../lib/contract/anc.ts';
import { folderOfTests } from '../../helpers/folder.ts';

const outdir = folderOfTests();

describe('scenario bundles', () => {
  it('are made for every ANC operation, small, and import nothing but k6', async () => {
    const built: { file: string; bytes: number }[] = await buildScenarios({ outdir });
    const names = built.map(({ file }) => file.slice(outdir.length + 1));
    for (const operation of ANC_OPERATION_NAMES) expect(names).toContain(`anc-${operation}.js`);
    for (const { file, bytes } of built) {
      const imports = [...readFileSync(file, 'utf8').matchAll(/^import .* from "(.+)";$/gm)].map(([, from]) => from);
      expect(imports.length).toBeGreaterThan(0);
      expect(imports.filter((from) => !/^k6(\/|$)/.test(from ?? ''))).toEqual([]);
      expect(bytes).toBeLessThan(200_000);
    }
  });

  it('are the same bytes each time', async () => {
    const digests = async () => (await buildScenarios({ outdir })).map(({ sha256 }: { sha256: string }) => sha256);
    expect(await digests()).toEqual(await digests());
  });

  it('may hold nothing from other rooms', async () => {
    const folder = join(outdir, 'package');
    mkdirSync(join(folder, 'scenarios'), { recursive: true });
    mkdirSync(join(folder, 'load'));
    writeFileSync(join(folder, 'load', 'plan.ts'), 'export const plan = 1;\n');
    const script = "import { plan } from '../load/plan.ts';\nexport default () => plan;\n";
    writeFileSync(join(folder, 'scenarios', 'a.ts'), script);
    await expect(buildScenarios({ folder })).rejects.toThrow('holds load/plan.ts');
    const inputs = { 'lib/wire/a.ts': {}, 'lib/records/b.ts': {}, 'node_modules/c.js': {} };
    expect(foreignInputs({ inputs })).toEqual(['lib/records/b.ts', 'node_modules/c.js']);
  });

  it('may not grow beyond their limit', () => {
    expect(() => checkBundle('a.js', { inputs: { a: {} } }, 11, 10, [])).toThrow('11 bytes');
  });
});
