import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
// @ts-expect-error plain JavaScript without types
import { CLI_OPTIONS } from '../../build.mjs';
import { packageRoot } from '../../lib/package-root.ts';
import { pack } from '../helpers/tarball.ts';

const LIMIT_BYTES = 3 * 1024 * 1024;
const ALLOWED =
  /^(dist\/|docs\/(tables\/)?[^/]+\.(md|schema\.json)$|deploy\/|tools\/k6\/go\.(mod|sum)$|(package\.json|llms\.txt|README\.md|LICENSE|CHANGELOG\.md|THIRD-PARTY-NOTICES\.md|action\.yml)$)/;

describe('the package', () => {
  const { files, size } = pack();
  const paths = files.map(({ path }) => path);
  const manifest = JSON.parse(readFileSync(join(packageRoot(), 'package.json'), 'utf8'));

  it('holds what is needed to run, and nothing else', () => {
    const scenarios = readdirSync(join(packageRoot(), 'scenarios')).filter((name) => name.endsWith('.ts'));
    const needed = [
      ...scenarios.map((name) => `dist/scenarios/${name.replace(/ts$/, 'js')}`),
      ...['dist/ers-harness.js', 'tools/k6/go.mod', 'tools/k6/go.sum', 'README.md', 'LICENSE'],
      ...['THIRD-PARTY-NOTICES.md', 'action.yml', 'docs/report.schema.json'],
    ];
    expect(needed.filter((path) => !paths.includes(path))).toEqual([]);
    expect(paths.filter((path) => !ALLOWED.test(path) || path.endsWith('.map'))).toEqual([]);
    expect(files.find(({ path }) => path === manifest.bin['ers-harness'])?.mode).toBe(0o755);
  });

  it('has at most 3 MB', () => {
    expect(size).toBeLessThan(LIMIT_BYTES);
    // Most of them are the parts of the program that commands load on demand.
    expect(files.length).toBeLessThan(160);
  });

  it('holds the packages that its program needs, with their notices, and names those that it loads', () => {
    const program = paths
      .filter((path) => /^dist\/(chunks\/)?[^/]+\.js$/.test(path))
      .map((path) => readFileSync(join(packageRoot(), path), 'utf8'))
      .join('\n');
    const imported = [...program.matchAll(/^(?:import|export) .*from "([^"./][^"]*)";$|import\("([^"./][^"]*)"\)/gm)]
      .map(([, from, dynamic]) => from ?? dynamic ?? '')
      .filter((name) => !name.startsWith('node:'))
      .map((name) =>
        name
          .split('/')
          .slice(0, name.startsWith('@') ? 2 : 1)
          .join('/'),
      );
    const left: readonly string[] = CLI_OPTIONS.external;
    expect([...new Set(imported)].sort()).toEqual(left.toSorted());
    expect(left.filter((name) => !(name in manifest.dependencies))).toEqual([]);
    const bundled = [...program.matchAll(/^\/\/ node_modules\/((?:@[^/\s]+\/)?[^/\s]+)/gm)].map(([, name]) => name);
    const needed = Object.keys(manifest.dependencies).filter((name) => !left.includes(name));
    expect(needed.filter((name) => !bundled.includes(name))).toEqual([]);
    const notices = readFileSync(join(packageRoot(), 'THIRD-PARTY-NOTICES.md'), 'utf8');
    expect([...new Set(bundled)].filter((name) => !notices.includes(`\n## ${name} `))).toEqual([]);
  });

  it('has the notices of every package that is installed with it', () => {
    const notices = readFileSync(join(packageRoot(), 'THIRD-PARTY-NOTICES.md'), 'utf8');
    const { packages } = JSON.parse(readFileSync(join(packageRoot(), 'package-lock.json'), 'utf8')) as {
      packages: Record<string, { version: string; dev?: boolean; devOptional?: boolean; optional?: boolean }>;
    };
    const installed = Object.entries(packages)
      .filter(([path, { dev, devOptional, optional }]) => path !== '' && !dev && !devOptional && !optional)
      .map(([path, { version }]) => `## ${path.split('node_modules/').at(-1)} ${version}\n`);
    expect(installed.length).toBeGreaterThan(20);
    expect(installed.filter((title) => !notices.includes(title))).toEqual([]);
  });
});
