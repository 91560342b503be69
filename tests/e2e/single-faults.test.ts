import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { reportIn, runCli, type ServedDeployment, scratchFolder, serveCli } from '../helpers/cli.ts';
import { type Otherwise, type Passed, recordingProxy } from '../helpers/recording-proxy.ts';
import { oneIn } from '../helpers/sample.ts';

let server: ServedDeployment;
beforeAll(async () => {
  server = await serveCli(['--sessions', '200']);
});
afterAll(() => server.close());

type Edit = (record: Record<string, unknown>) => void;

/** Refuses what matches, with these words. */
const refusing = (method: string, path: RegExp, status: number, words: string): Otherwise => ({
  refuses: (request: Passed) => (request.method === method && path.test(request.path) ? { status, words } : undefined),
});

/** Changes each object of an answer to what matches. */
const showing = (path: RegExp, edit: Edit): Otherwise => ({
  shows(asked, body) {
    if (!path.test(asked) || !body.startsWith('{')) return body;
    const root = JSON.parse(body) as Record<string, Record<string, unknown>>;
    for (const record of Object.values(root)) edit(record);
    return JSON.stringify(root);
  },
});

/** The causes of a run on one family behind the proxy. */
async function causesBehind(family: string, otherwise: Otherwise) {
  const proxy = await recordingProxy(server.baseUrl, () => 0, otherwise);
  const { path: out, remove } = scratchFolder();
  try {
    const where = ['--base-url', proxy.baseUrl, '--out', join(out, 'run')];
    const args = ['conformance', '--family', family, '--depth', 'quick', '--mode', 'own-data', ...where];
    const { stderr } = await runCli(args, { env: server.env });
    const report = reportIn(join(out, 'run'));
    return { causes: report.conformance?.causes.map(({ title }) => title), stderr };
  } finally {
    remove();
    await proxy.close();
  }
}

describe('one fault of a deployment', () => {
  it.each(
    oneIn<[title: string, family: string, otherwise: Otherwise, says: RegExp]>(3, [
      [
        'a list that fails',
        'sgt',
        refusing('GET', /^\/ers\/config\/sgt(\?|$)/, 500, 'Operation search SGT failed'),
        /GET \/ers\/config\/sgt answers 500 .*Operation search SGT failed/,
      ],
      [
        'an operator that is refused',
        'sgtvnvlan',
        refusing('GET', /filter=\w+\.NCONTAINS/, 400, 'Operator NCONTAINS is not supported'),
        /400 .*Operator NCONTAINS is not supported/,
      ],
      [
        'an update that is refused',
        'mydeviceportal',
        refusing('PUT', /^\/ers\/config\/mydeviceportal/, 500, 'Portal settings could not be saved'),
        /PUT \/ers\/config\/mydeviceportal.* answers 500 .*Portal settings could not be saved/,
      ],
      [
        'version information that fails',
        'byodportal',
        refusing('GET', /versioninfo/, 500, 'NullPointerException'),
        /versioninfo answers 500 .*NullPointerException/,
      ],
      [
        'a later page that fails',
        'portaltheme',
        refusing('GET', /[?&]page=2(&|$)/, 500, 'ResultSet is closed'),
        /500 .*ResultSet is closed/,
      ],
      ['a member that reads lack', 'sgt', showing(/\/sgt\/[^?/]+$/, (record) => delete record['value']), /value/],
    ]),
  )('%s is one cause, in the words of the server', async (_title, family, otherwise, says) => {
    const { causes, stderr } = await causesBehind(family, otherwise);
    expect(causes, stderr).toEqual([expect.stringMatching(says)]);
  });
});
