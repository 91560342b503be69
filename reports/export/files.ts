import { curlFile } from './formats/curl.ts';
import { oneLine } from './formats/head.ts';
import { httpFile } from './formats/http.ts';
import { hurlFile } from './formats/hurl.ts';
import { pytestFile } from './formats/pytest.ts';
import type { Script } from './script.ts';
import type { Exported } from './scripts-of.ts';

/** Forms of an exported cause: how its file is named and written. */
export const FORMATS = {
  http: { name: (slug) => `${slug}.http`, file: httpFile },
  hurl: { name: (slug) => `${slug}.hurl`, file: hurlFile },
  curl: { name: (slug) => `${slug}.sh`, file: curlFile },
  pytest: { name: (slug) => `test_${slug.replaceAll('-', '_')}.py`, file: pytestFile },
} as const satisfies Record<string, { name: (slug: string) => string; file: (script: Script) => string }>;
export type Format = keyof typeof FORMATS;

const slugOf = (id: string): string =>
  id
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 80);

/** One file for each cause; numbers keep apart the names that would be alike. `why` is there where the cause cannot be run. Pure. */
export function renderExport(exported: readonly Exported[], format: Format) {
  return exported.map((one, at) => {
    const { cause } = one;
    const slug = `${String(at + 1).padStart(2, '0')}-${slugOf(cause.id)}`;
    if ('script' in one)
      return { name: FORMATS[format].name(slug), content: FORMATS[format].file(one.script), cause: cause.id };
    const said = [
      cause.title,
      `Cause: ${cause.id}`,
      '',
      `Nothing that runs by itself could be made of it: ${one.why}.`,
    ];
    const content = `${said.map(oneLine).join('\n')}\n`;
    return { name: `${slug}.txt`, content, cause: cause.id, why: one.why };
  });
}
