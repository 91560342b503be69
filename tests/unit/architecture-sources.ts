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
  /** Modules and packages that it imports. */
  readonly modules: readonly string[];
}

const FOLDERS = ['lib', 'reference', 'scenarios', 'load', 'conformance', 'reports', 'cli', 'tools', 'tests'];
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

function read(file: string): Source {
  const text = readFileSync(join(packageRoot(), file), 'utf8');
  const code = withoutComments(text);
  const specifiers = specifiersOf(code);
  const [ours, modules] = [true, false].map((isOurs) => specifiers.filter((one) => one.startsWith('.') === isOurs));
  const resolved = (ours ?? []).map((one) =>
    normalize(join(dirname(file), one))
      .split(sep)
      .join('/'),
  );
  return { file, lines: text.split('\n').length - 1, code, ours: resolved, modules: modules ?? [] };
}

/** All TypeScript and JavaScript of the project, build products left out. */
export function sources(): Source[] {
  return FOLDERS.flatMap((folder) =>
    readdirSync(join(packageRoot(), folder), { recursive: true, encoding: 'utf8' })
      .map((name) => `${folder}/${name.split(sep).join('/')}`)
      .filter((file) => /\.(ts|tsx|mjs)$/.test(file) && !file.includes('node_modules')),
  ).map(read);
}
