import { spawnSync } from 'node:child_process';
import { packageRoot } from '../../lib/package-root.ts';

/** What `npm pack` put into a tarball, or would put. */
export interface Tarball {
  readonly filename: string;
  /** Compressed, in bytes. */
  readonly size: number;
  readonly files: readonly { readonly path: string; readonly size: number; readonly mode: number }[];
}

/** Packs the package as it is built, into a folder; without one nothing is written. Throws where npm fails. */
export function pack(folder?: string): Tarball {
  const where = folder === undefined ? ['--dry-run'] : ['--pack-destination', folder];
  const { status, stdout, stderr } = spawnSync('npm', ['pack', '--json', '--ignore-scripts', ...where], {
    cwd: packageRoot(),
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`npm pack ended with ${status}: ${stderr}`);
  const said: unknown = JSON.parse(stdout);
  // npm 11 names the package, earlier ones give a list.
  const [packed] = Array.isArray(said) ? said : Object.values(said as object);
  return packed as Tarball;
}
