import type { ConformanceDeps, ConformanceOptions } from '../../conformance/engine/run.ts';
import { readPool } from '../../lib/client/anc/pool.ts';
import { defined } from '../../lib/defined.ts';
import { type ReferenceOptions, type ReferenceServer, startReference } from '../../reference/server.ts';
import { type RecordedRun, type RunAgainst, runAgainst } from './conformance-run.ts';
import { type Otherwise, type RecordingProxy, recordingProxy } from './recording-proxy.ts';

/** What most runs ask: each check at the quick depth, in the order of one seed, with a short wait for late writes. */
const QUICK = { mode: 'own-data', seed: 1, visibilityMs: 60, depth: 'quick' } as const;
type Asked = Partial<ConformanceOptions>;
type More = [
  catalog?: ConformanceDeps['catalog'],
  beside?: (server: ReferenceServer) => { stop: () => Promise<unknown> },
];

/** Runs checks against a deployment of its own, started and stopped here; `beside` goes on beside the run, and is stopped when that is over. */
export async function runOnReference(
  reference: ReferenceOptions,
  options: ConformanceOptions,
  ...[catalog, beside]: More
): Promise<RecordedRun> {
  const server = await startReference({ sessions: 5_000, ...reference });
  const other = beside?.(server);
  try {
    return await runAgainst(
      {
        baseUrl: server.baseUrl,
        credentials: { username: server.username, password: server.password },
        pool: readPool(server.endpoints),
        policies: server.policies,
        ...defined({ catalog }),
      },
      options,
    );
  } finally {
    await other?.stop();
    await server.close();
  }
}

/** The same of a small deployment, with few questions unless more are asked. */
export const quickRun = (reference: ReferenceOptions, options: Asked, ...more: More): Promise<RecordedRun> =>
  runOnReference({ sessions: 500, ...reference }, { ...QUICK, ...options }, ...more);

/** Runs checks against a deployment behind a gateway that does something else; with the requests that came to the gateway. */
export async function runBehind(
  otherwise: Otherwise,
  options: Asked,
  more: Partial<RunAgainst> = {},
): Promise<RecordedRun & Pick<RecordingProxy, 'passed'>> {
  const server = await startReference({ sessions: 200 });
  const proxy = await recordingProxy(server.baseUrl, otherwise);
  try {
    const credentials = { username: server.username, password: server.password };
    const run = await runAgainst({ baseUrl: proxy.baseUrl, credentials, ...more }, { ...QUICK, ...options });
    return { ...run, passed: proxy.passed };
  } finally {
    await proxy.close();
    await server.close();
  }
}
