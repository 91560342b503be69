import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Folder of package.json, found upwards from this module, so that it holds for sources and for the bundle. */
export function packageRoot(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'package.json'))) {
    const parent = dirname(folder);
    if (parent === folder) throw new Error('package.json not found above the program');
    folder = parent;
  }
  return folder;
}

const manifest = (): { readonly version: string; readonly engines: { readonly node: string } } =>
  JSON.parse(readFileSync(join(packageRoot(), 'package.json'), 'utf8'));

export const packageVersion = (): string => manifest().version;

/** What to know of a release of Node that is older than those this package is made for; undefined of any other. */
export function oldNode(release: string): string | undefined {
  const [first = 0, own = 0] = [manifest().engines.node, release].map((text) => Number(/\d+/.exec(text)?.[0]));
  return own >= first ? undefined : `Node ${own} has ended: use Node ${first} or later`;
}
