import { once } from 'node:events';
import type { Command } from 'commander';
import type * as z from 'zod';
import { defined } from '../../lib/defined.ts';
import { present } from '../../lib/present.ts';
import { count } from '../../lib/text.ts';
import { type ReferenceOptions, startReference } from '../../reference/server.ts';
import { bind } from '../options/bind.ts';
import { ServeCommandSpec } from '../options/specs.ts';
import { isLoopback } from '../options/target.ts';
import { createOutput } from '../output/output.ts';
import { watchSignals } from '../session/signals.ts';
import type { ServeReady } from '../stages/embedded.ts';

type Options = z.output<typeof ServeCommandSpec>;

function referenceOptions(options: Options, env: NodeJS.ProcessEnv): ReferenceOptions {
  const { ERS_USERNAME: username, ERS_PASSWORD: password } = env;
  const { clientCa, host, nullTarget, sessions, tied: _tied, quiet: _quiet, familyFiles: _files, ...given } = options;
  const credentials = username !== undefined && password !== undefined ? { username, password } : undefined;
  return { ...given, ...defined({ clientCa, host, nullTarget, sessions, credentials }) };
}

async function serve(options: Options): Promise<void> {
  const output = createOutput(options);
  // Whoever started it for a run ends it by closing its standard input, and may outlive the terminal.
  const signals = watchSignals(() => undefined, { hangup: options.tied ? 'goes on' : 'ends' });
  const asked = referenceOptions(options, process.env);
  const server = await startReference(asked);
  const { baseUrl, username, endpoints, profile, sessions, caFile } = server;
  const ready: ServeReady = {
    ...{ baseUrl, username, ...(asked.credentials === undefined ? { password: server.password } : {}) },
    ...{ endpoints, policies: [...server.policies], profile, sessions, ...defined({ caFile }) },
  };
  const { hostname, protocol } = new URL(baseUrl);
  if (protocol === 'http:' && !isLoopback(hostname)) {
    output.warn(`${baseUrl} uses plain HTTP on a public address: others can read the login; add --tls`);
  }
  output.data(JSON.stringify(ready));
  output.say(`serving ${count(sessions)} sessions at ${baseUrl}; press Ctrl-C to stop`);
  // Started for a run: when the parent is gone, its end of the pipe closes, and the server stops.
  const parentGone = present(options.tied && once(process.stdin.resume(), 'end'));
  await Promise.race([once(signals.abort, 'abort'), ...parentGone]);
  await server.close();
  signals.stop();
  process.stdin.pause();
}

export const serveCommand = (program: Command): Command =>
  bind(program.command('serve'), ServeCommandSpec, serve, {
    does: 'run the embedded deployment; print one JSON line when ready',
    examples: ['serve --port 0 --profile 200k --fault latency=200ms', 'serve --port 0 --persona 3.5'],
  });
