import { connect } from 'node:net';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { reportIn, runCli } from '../helpers/cli.ts';
import { folderOfTests } from '../helpers/folder.ts';
import { servedOfTests } from '../helpers/served.ts';

const scratch = folderOfTests();
const served = servedOfTests(['--sessions', '20', '--defect', 'M27']);

async function conformance(name: string, ...more: readonly string[]) {
  const out = join(scratch, name);
  const pages: Promise<string>[] = [];
  const { code, stderr } = await runCli(
    [
      ...['conformance', '--base-url', served.baseUrl, '--mode', 'own-data', '--depth', 'quick', '--seed', '5'],
      ...['--family', 'portaltheme', '--check', 'filter/operator,list/', '--out', out],
      ...['--history', 'none', '--quiet', ...more],
    ],
    {
      env: served.env,
      onLine(line) {
        const [address = ''] = /http:\S+/.exec(line.startsWith('live: ') ? line : '') ?? [];
        if (address === '') return;
        const { port, host } = new URL(address);
        pages.push(fetch(`${address}events`).then((answer) => answer.text()));
        // One that never reads, and never goes.
        connect(Number(port), '127.0.0.1').pause().write(`GET /events HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
      },
    },
  );
  const { answer, conformance: part, run } = reportIn(out);
  const verdicts = part?.results.map(({ checkId, variant, verdict }) => [checkId, variant, verdict]);
  return { code, stderr, answer, verdicts, run, pages: await Promise.all(pages) };
}

it('a run that is watched ends as it ends without a page, in spite of a reader that never reads, and the page with it', async () => {
  const alone = await conformance('alone');
  const watched = await conformance('watched', '--live');
  expect(alone.pages).toEqual([]);
  expect(watched.code).toBe(alone.code);
  expect(watched.code).toBe(1);
  expect(watched.verdicts).toEqual(alone.verdicts);
  expect(watched.answer.ending).toBe(alone.answer.ending);
  const [page = ''] = watched.pages;
  expect(page).toContain('"checks":"<h2>Conformance</h2>');
  expect(page).toContain('Causes so far: ');
  expect(page).toContain('The run has ended with exit code 1.');
  expect(page.endsWith('event: end\ndata: {}\n\n')).toBe(true);
  expect(page).not.toContain(served.env['ERS_PASSWORD'] ?? '?');
});
