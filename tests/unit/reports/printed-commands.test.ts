import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { curlOf } from '../../../reports/model/curl.ts';
import { renderMarkdown } from '../../../reports/render/markdown.ts';
import { aMixedReport } from '../../helpers/a-report.ts';
import { anExchange } from '../../helpers/a-run.ts';

/** Words that a shell makes of a command, with the base URL set. */
function words(command: string): string[] {
  const script = `curl() { printf '%s\\n' "$@"; }; ERS_BASE=https://target.example:9060 ERS_USERNAME=u ERS_PASSWORD=p; ${command}`;
  return execFileSync('sh', ['-c', script], { encoding: 'utf8' }).trimEnd().split('\n');
}

describe('the command of an exchange from a run folder', () => {
  it.each(['@evil.example/', '.evil.example/', ':1@evil.example/', '//evil.example/', "';touch x;'"])(
    'goes to the target alone, whatever its path says: %s',
    (path) => {
      const url = words(curlOf(anExchange({ path }))).at(-1) ?? '';
      expect(new URL(url).host).toBe('target.example:9060');
    },
  );
});

describe('the summary in Markdown', () => {
  it('shows what a deployment said as text, and never as markup', () => {
    const said = '[x](https://evil.example) <img src=x> @team **bold** | cell';
    const report = aMixedReport();
    const { conformance, load, exit } = report;
    const markdown = renderMarkdown({
      ...report,
      exit: { ...exit, reasons: [{ code: 1, text: said }] },
      conformance: conformance && {
        ...conformance,
        results: conformance.results.map((result) => ({ ...result, observed: said, reason: said })),
        causes: conformance.causes.map((cause) => ({ ...cause, words: said, title: said })),
      },
      load: load && {
        ...load,
        cells: load.cells.map((cell) => ({ ...cell, profile: said, operation: said, reasons: [said] })),
      },
    });
    for (const markup of ['](', '<img', '@team', '**bold**']) expect(markdown).not.toContain(markup);
  });
});
