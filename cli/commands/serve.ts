import { type Command, Option } from 'commander';
import { PROFILE_NAMES, type ProfileName } from '../../lib/contract/anc.ts';
import { defined } from '../../lib/defined.ts';
import { UsageError } from '../../lib/errors.ts';
import { type ReferenceOptions, startReference } from '../../reference/server.ts';
import { collect, integer } from '../options/options.ts';
import { createOutput } from '../output/output.ts';
import { watchSignals } from '../session/signals.ts';
import type { ServeReady } from '../stages/embedded.ts';

interface ServeOptions {
  readonly port: number;
  readonly host?: string;
  readonly profile: string;
  readonly sessions?: number;
  readonly seed?: number;
  readonly tls?: boolean;
  readonly csrf?: boolean;
  readonly fault?: readonly string[];
  readonly defect?: readonly string[];
  readonly variation?: readonly string[];
  readonly nullTarget?: string;
  readonly quiet?: boolean;
  readonly tied?: boolean;
}

function profileOf(text: string): ProfileName {
  const found = PROFILE_NAMES.find((name) => name === text);
  if (found === undefined)
    throw new UsageError('bad-profile', `no profile ${text}`, { hint: `one of ${PROFILE_NAMES.join(', ')}` });
  return found;
}

function referenceOptions(options: ServeOptions, env: NodeJS.ProcessEnv): ReferenceOptions {
  const { ERS_USERNAME: username, ERS_PASSWORD: password } = env;
  return {
    port: options.port,
    profile: profileOf(options.profile),
    tls: options.tls === true,
    csrf: options.csrf === true,
    faults: options.fault ?? [],
    defects: options.defect ?? [],
    variations: options.variation ?? [],
    ...defined({ host: options.host, sessions: options.sessions, seed: options.seed, nullTarget: options.nullTarget }),
    ...(username !== undefined && password !== undefined ? { credentials: { username, password } } : {}),
  };
}

async function serve(options: ServeOptions): Promise<void> {
  const output = createOutput(options);
  const signals = watchSignals(() => undefined);
  const given = process.env['ERS_USERNAME'] !== undefined && process.env['ERS_PASSWORD'] !== undefined;
  const server = await startReference(referenceOptions(options, process.env));
  const ready: ServeReady = {
    baseUrl: server.baseUrl,
    username: server.username,
    ...(given ? {} : { password: server.password }),
    endpoints: server.endpoints,
    policies: [...server.policies],
    profile: server.profile,
    sessions: server.sessions,
    ...defined({ caFile: server.caFile }),
  };
  output.data(JSON.stringify(ready));
  output.say(`serving ${server.sessions} sessions at ${server.baseUrl}; Ctrl-C ends it`);
  // Tied to whoever started it for a run: when that one is gone, its end of the pipe closes and nobody would stop us.
  const tied = options.tied === true;
  const parentGone = new Promise<void>((resolve) => {
    if (tied) process.stdin.once('end', resolve).resume();
  });
  const signaled = new Promise<void>((resolve) =>
    signals.abort.addEventListener('abort', () => resolve(), { once: true }),
  );
  await Promise.race([signaled, parentGone]);
  await server.close();
  signals.stop();
  process.stdin.pause();
}

/** `ers-harness serve`: the embedded deployment until a signal ends it. */
export function serveCommand(program: Command): void {
  program
    .command('serve')
    .description('run the embedded reference deployment; prints one JSON line when it is ready')
    .option('--port <n>', 'port; 0 takes a free one', integer(0, 65535), 9060)
    .option('--host <address>', 'address to listen on (default: loopback)')
    .option('--profile <name>', `sessions it is seeded with: ${PROFILE_NAMES.join(', ')}`, '60k')
    .option('--sessions <n>', 'sessions, instead of those of the profile', integer(1, 2_000_000))
    .option('--seed <n>', 'seed of generated records', integer(0, 0xffffffff))
    .option('--tls', 'serve https with a generated certificate; its authority file is printed')
    .option('--csrf', 'demand a CSRF token for writes')
    .option(
      '--fault <fault>',
      'latency=200ms, stall=2s@10s, error=5%, status=503:1%, reset=1%, refuse=DELETE:405, no-store, no-store=10%, late-store=4s@2s, rate=180/s, rate=180/s:apply; repeatable',
      collect,
    )
    .option('--defect <id>', 'seeded defect M01 to M60; repeatable', collect)
    .option('--variation <id>', 'allowed variation V01 to V25; repeatable', collect)
    .option('--null-target <id>', 'answer like null target N01 to N10')
    .option('--quiet', 'only the JSON line')
    .addOption(new Option('--tied', 'end when standard input closes').hideHelp())
    .addHelpText('after', '\nExample:\n  ers-harness serve --port 0 --profile 200k --fault latency=200ms')
    .action(serve);
}
