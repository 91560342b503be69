import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type BuildOptions, build, type Metafile } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { packageRoot } from '../../lib/package-root.ts';
import { roomOf } from '../../tools/rooms.ts';

const { SCENARIO_OPTIONS } = (await import(pathToFileURL(join(packageRoot(), 'build.mjs')).href)) as {
  SCENARIO_OPTIONS: BuildOptions;
};
const entries = readdirSync(join(packageRoot(), 'scenarios')).filter((name) => name.endsWith('.ts'));

async function metafileOf(entry: string): Promise<Metafile> {
  const result = await build({
    ...SCENARIO_OPTIONS,
    absWorkingDir: packageRoot(),
    entryPoints: [`scenarios/${entry}`],
    metafile: true,
    write: false,
  });
  return result.metafile;
}

describe('the k6 bundles', () => {
  it('finds the scenarios', () => {
    expect(entries.length).toBeGreaterThanOrEqual(5);
  });

  it.each(entries)('puts nothing but scenarios, wire and contract into %s', async (entry) => {
    const { inputs } = await metafileOf(entry);
    const rooms = new Set(Object.keys(inputs).map(roomOf));
    expect([...rooms].sort()).toEqual(['contract', 'scenarios', 'wire']);
    const outside = Object.values(inputs).flatMap(({ imports }) => imports.filter(({ external }) => external));
    for (const { path } of outside) expect(path).toMatch(/^k6(\/|$)/);
  });
});
