import type { ConformanceDeps, ConformanceOptions } from '../../conformance/engine/run.ts';
import { readPool } from '../../lib/client/anc/pool.ts';
import { defined } from '../../lib/defined.ts';
import { type ReferenceOptions, type ReferenceServer, startReference } from '../../reference/server.ts';
import { type RecordedRun, type RunAgainst, runAgainst } from './conformance-run.ts';
import { type Otherwise, type RecordingProxy, recordingProxy } from './recording-proxy.ts';

/** Runs checks against a deployment of its own, started and stopped here. */
export async function runOnReference(
  reference: ReferenceOptions,
  options: ConformanceOptions,
  catalog?: ConformanceDeps['catalog'],
  /** Goes on beside the run; what it gives is called when the run is over. */
  beside?: (server: ReferenceServer) => { readonly stop: () => Promise<unknown> },
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

/** Runs checks against a deployment behind a gateway that does something else; with the requests that came to the gateway. */
export async function runBehind(
  otherwise: Otherwise,
  options: ConformanceOptions,
  more: Partial<RunAgainst>,
): Promise<RecordedRun & Pick<RecordingProxy, 'passed'>> {
  const server = await startReference({ sessions: 200 });
  const proxy = await recordingProxy(server.baseUrl, otherwise);
  try {
    const credentials = { username: server.username, password: server.password };
    const run = await runAgainst({ baseUrl: proxy.baseUrl, credentials, ...more }, options);
    return { ...run, passed: proxy.passed };
  } finally {
    await proxy.close();
    await server.close();
  }
}
