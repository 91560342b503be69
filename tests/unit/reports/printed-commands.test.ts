import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { judge } from '../../../lib/judge/judge.ts';
import { RunHeader } from '../../../lib/records/run.ts';
import { renderHtml } from '../../../reports/html/page/page.tsx';
import { curlOf } from '../../../reports/model/command-line.ts';
import { renderMarkdown } from '../../../reports/render/markdown.ts';
import { cellOf } from '../../helpers/a-cell-report.ts';
import { aMixedReport } from '../../helpers/a-report.ts';
import { aHeader, anEnd, anExchange, aRun, fullResults } from '../../helpers/a-run.ts';

/** Words that a shell makes of a command, with the base URL set. */
function words(command: string): string[] {
  const script = `curl() { printf '%s\\n' "$@"; }; ERS_BASE=https://target.example:9060 ERS_USERNAME=u ERS_PASSWORD=p; ${command}`;
  return execFileSync('sh', ['-c', script], { encoding: 'utf8' }).trimEnd().split('\n');
}

it.each(['@evil.example/', '.evil.example/', ':1@evil.example/', '//evil.example/', "';touch x;'"])(
  'the command of an exchange from a run folder goes to the target alone, whatever its path says: %s',
  (path) => {
    const url = words(curlOf(anExchange({ path }))).at(-1) ?? '';
    expect(new URL(url).host).toBe('target.example:9060');
  },
);

describe('the commands of a report', () => {
  const leaving = (options: Record<string, string>, command: string) => {
    const residue = [{ family: 'sgt', id: '1', name: 'cfm-1', command }];
    const end = anEnd({ cleanup: { created: 1, removed: 0, residue } });
    const header = aHeader({ options });
    return judge({ ...aRun({ header, results: fullResults() }), end }, cellOf);
  };

  it('name the run by the folder that it was written to, which every command takes', () => {
    for (const [options, folder] of [
      [{ out: 'out/f05' }, 'out/f05'],
      [{}, `runs/${aHeader().runId}`],
    ] as const) {
      const report = leaving(options, 'curl x');
      for (const text of [renderMarkdown(report), renderHtml(report, [])])
        expect(text).toContain(`ers-harness sweep --journal ${folder} --base-url`);
    }
  });

  it.each([{ command: 'load; touch x' }, { options: { 'x; touch y': true } }])(
    'hold no text of a header from elsewhere that a shell may run: %j',
    (text) => {
      expect(RunHeader.safeParse(aHeader()).success).toBe(true);
      expect(RunHeader.safeParse({ ...aHeader(), ...text }).success).toBe(false);
    },
  );

  it('stand in the raw text of the summary as a shell takes them', () => {
    const url = "'https://target.example:9060/ers/config/sgt/a_b*c`d`'";
    const command = `curl -u "$ERS_USERNAME:$ERS_PASSWORD" -X DELETE ${url}`;
    const line = renderMarkdown(leaving({}, command))
      .split('\n')
      .find((one) => one.includes('remove it with: '));
    const pasted = /: (`+)(.*)\1$/.exec(line ?? '')?.[2] ?? '';
    expect(words(pasted)).toEqual(words(command));
  });
});

it('the summary in Markdown shows what a deployment said as text, and never as markup', () => {
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
