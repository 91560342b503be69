import { oneLine } from '../../lib/text.ts';
import { curlFile } from './formats/curl.ts';
import { httpFile } from './formats/http.ts';
import { hurlFile } from './formats/hurl.ts';
import { pytestFile } from './formats/pytest.ts';
import { type Script, slugOf } from './script.ts';
import type { Exported } from './scripts-of.ts';

interface Form {
  readonly name: (slug: string) => string;
  readonly file: (script: Script) => string;
  readonly walks: boolean;
}

export const FORMATS = {
  http: { name: (slug) => `${slug}.http`, file: httpFile, walks: false },
  hurl: { name: (slug) => `${slug}.hurl`, file: hurlFile, walks: false },
  curl: { name: (slug) => `${slug}.sh`, file: curlFile, walks: true },
  pytest: { name: (slug) => `test_${slug.replaceAll('-', '_')}.py`, file: pytestFile, walks: true },
} as const satisfies Record<string, Form>;
export type Format = keyof typeof FORMATS;

const lackOf = ({ request }: Script, format: Format): string | undefined =>
  request.walks && !FORMATS[format].walks
    ? `it shows on the pages of a walk, which no ${format} file can follow: use --format curl or pytest`
    : undefined;

/** One file for each cause; numbers keep apart the names that would be alike. `why` is there where the cause cannot be run. Pure. */
export function renderExport(exported: readonly Exported[], format: Format) {
  return exported.map((one, at) => {
    const { cause } = one;
    const slug = `${String(at + 1).padStart(2, '0')}-${slugOf(cause.id, '-').slice(0, 80)}`;
    const why = 'why' in one ? one.why : lackOf(one.script, format);
    if ('script' in one && why === undefined)
      return { name: FORMATS[format].name(slug), content: FORMATS[format].file(one.script), cause: cause.id };
    const said = [cause.title, `Cause: ${cause.id}`, '', `Nothing that runs by itself could be made of it: ${why}.`];
    const content = `${said.map((text) => oneLine(text)).join('\n')}\n`;
    return { name: `${slug}.txt`, content, cause: cause.id, why };
  });
}
