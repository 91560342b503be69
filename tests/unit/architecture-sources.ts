import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, sep } from 'node:path';
import { packageRoot } from '../../lib/package-root.ts';

/** A source file: path from the package root with `/`, text as it stands, and code without its comments. */
export interface Source {
  readonly file: string;
  readonly lines: number;
  readonly code: string;
  /** Files of ours that it imports, as paths from the package root. */
  readonly ours: readonly string[];
  /** Those of them that it needs when it runs: imports of types alone leave no trace. */
  readonly atRunTime: readonly string[];
  /** Modules and packages that it imports. */
  readonly modules: readonly string[];
}

const FOLDERS = [
  'lib',
  'reference',
  'scenarios',
  'load',
  'conformance',
  'history',
  'reports',
  'explore',
  'families',
  'selftest',
  'cli',
  'tools',
  'tests',
];
const SPECIFIER = /(?:\bfrom\s*|\bimport\s*\(?\s*)(['"])([^'"]+)\1/g;

/** Code without comments; strings stay, so that `//` in a URL does not end a line. */
export function withoutComments(text: string): string {
  return text.replace(/(['"`])(?:\\.|(?!\1)[^\\])*?\1|\/\*[\s\S]*?\*\/|\/\/[^\n]*/g, (match) =>
    match.startsWith('/') ? ' ' : match,
  );
}

/** Specifiers that a file imports or re-exports from, types included. */
export function specifiersOf(code: string): string[] {
  return [...code.matchAll(SPECIFIER)].map((match) => match[2] ?? '');
}

/** Code without the imports and re-exports that are of types alone. */
export function withoutTypeImports(code: string): string {
  return code.replace(/\b(?:import|export)\s+type\b[^;]*?\bfrom\s*(['"])[^'"]+\1/g, '');
}

function read(file: string): Source {
  const text = readFileSync(join(packageRoot(), file), 'utf8');
  const code = withoutComments(text);
  const specifiers = specifiersOf(code);
  const resolved = (all: readonly string[]) =>
    all
      .filter((specifier) => specifier.startsWith('.'))
      .map((specifier) =>
        normalize(join(dirname(file), specifier))
          .split(sep)
          .join('/'),
      );
  return {
    file,
    lines: text.split('\n').length - 1,
    code,
    ours: resolved(specifiers),
    atRunTime: resolved(specifiersOf(withoutTypeImports(code))),
    modules: specifiers.filter((specifier) => !specifier.startsWith('.')),
  };
}

/** All TypeScript and JavaScript of the project, build products left out. */
export function sources(): Source[] {
  return FOLDERS.flatMap((folder) =>
    readdirSync(join(packageRoot(), folder), { recursive: true, encoding: 'utf8' })
      .map((name) => `${folder}/${name.split(sep).join('/')}`)
      .filter((file) => /\.(ts|tsx|mjs)$/.test(file) && !file.includes('node_modules')),
  ).map(read);
}

/** Files on an import cycle, as one path from a file back to itself; undefined where there is none. */
export function findCycle(graph: ReadonlyMap<string, readonly string[]>): string[] | undefined {
  const done = new Set<string>();
  const walk = (file: string, trail: readonly string[]): string[] | undefined => {
    if (trail.includes(file)) return [...trail.slice(trail.indexOf(file)), file];
    if (done.has(file)) return undefined;
    for (const next of graph.get(file) ?? []) {
      const cycle = walk(next, [...trail, file]);
      if (cycle) return cycle;
    }
    done.add(file);
    return undefined;
  };
  for (const file of graph.keys()) {
    const cycle = walk(file, []);
    if (cycle) return cycle;
  }
  return undefined;
}
