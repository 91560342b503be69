import { expect, it } from 'vitest';
import { operationChecks } from '../../../conformance/checks/operations.ts';
import { viewChecks } from '../../../conformance/checks/views/view.ts';
import { startReference } from '../../../reference/server.ts';
import { runAgainst } from '../../helpers/conformance-run.ts';
import { type Otherwise, recordingProxy } from '../../helpers/recording-proxy.ts';

/** Results of operations and views against a deployment behind a proxy that does something else. */
async function resultsBehind(otherwise: Otherwise) {
  const server = await startReference({ sessions: 100 });
  const proxy = await recordingProxy(server.baseUrl, () => 0, otherwise);
  try {
    const credentials = { username: server.username, password: server.password };
    const options = { mode: 'own-data' as const, seed: 1, visibilityMs: 60 };
    const catalog = [...operationChecks, ...viewChecks];
    const { written, faults } = await runAgainst({ baseUrl: proxy.baseUrl, credentials, catalog }, options);
    return { written, faults, failed: written.filter(({ verdict }) => verdict === 'fail') };
  } finally {
    await proxy.close();
    await server.close();
  }
}

it('a connection that breaks at one address leaves the other families tested', async () => {
  const refuses = ({ path }: { readonly path: string }) => (path.startsWith('/ers/config/smsprovider') ? 0 : undefined);
  const { written, faults, failed } = await resultsBehind({ refuses });
  const open = written.filter(({ verdict }) => verdict === 'blocked');
  expect([faults, failed]).toEqual([[], []]);
  expect(new Set(open.map(({ family }) => family))).toEqual(new Set(['smsprovider']));
  expect(open[0]?.reason).toContain('no answer to GET /ers/config/smsprovider');
});

it('a create that is refused in one family accuses no other', async () => {
  const refuses = ({ method, path }: { readonly method: string; readonly path: string }) =>
    method === 'POST' && path.startsWith('/ers/config/hotspotportal') ? 415 : undefined;
  const { failed } = await resultsBehind({ refuses });
  expect(failed.map(({ family, requirement }) => `${family} ${requirement}`)).toEqual([
    'hotspotportal OP-hotspotportal-C',
  ]);
});
