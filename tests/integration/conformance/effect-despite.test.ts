import { expect, it } from 'vitest';
import { pairChecks } from '../../../conformance/checks/pairs.ts';
import { startReference } from '../../../reference/server.ts';
import { runAgainst } from '../../helpers/conformance-run.ts';
import { recordingProxy } from '../../helpers/recording-proxy.ts';

it('a create that is answered 500 and makes its record is the one thing that fails', async () => {
  const server = await startReference({ sessions: 100 });
  let creates = 0;
  const says = ({ method }: { readonly method: string }, status: number) => {
    if (method !== 'POST' || status !== 201) return status;
    creates += 1;
    return creates % 7 === 0 ? 500 : status;
  };
  const proxy = await recordingProxy(server.baseUrl, () => 0, { says });
  try {
    const credentials = { username: server.username, password: server.password };
    const run = await runAgainst(
      { baseUrl: proxy.baseUrl, credentials, catalog: pairChecks },
      { mode: 'own-data', seed: 1, visibilityMs: 60, depth: 'quick', families: ['sgt'] },
    );
    const failed = run.written.filter(({ verdict }) => verdict === 'fail');
    expect(failed.map(({ failure, observed }) => ({ ...failure, observed }))).toMatchObject([
      {
        ...{ kind: 'no-effect', operation: 'create', subject: 'refusal status' },
        observed: expect.stringMatching(/^POST .* answered 500.*, and the record /),
      },
    ]);
  } finally {
    await proxy.close();
    await server.close();
  }
});
