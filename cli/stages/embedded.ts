import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import * as z from 'zod';
import type { TargetSpec } from '../../lib/client/target-spec.ts';
import type { TargetConfig } from '../../lib/client/types.ts';
import type { ProfileName } from '../../lib/contract/anc.ts';
import { HarnessError, UsageError } from '../../lib/errors.ts';
import type { NamedPolicyPool } from '../../load/plan/cell-spec.ts';
import { requiredPool } from '../options/needs.ts';
import { targetConfig } from '../options/target.ts';

/** What `serve` prints on stdout when it is ready. */
export const ServeReady = z.object({
  baseUrl: z.string(),
  username: z.string(),
  /** Absent if the environment set it: it is known already, and is not repeated. */
  password: z.string().optional(),
  endpoints: z.string(),
  policies: z.array(z.string()),
  profile: z.string(),
  sessions: z.int(),
  caFile: z.string().optional(),
});
export type ServeReady = z.infer<typeof ServeReady>;

/** Starts `serve` on a free port, with such faults, in a process of its own, so that its work is not ours, and waits until it is ready. */
async function startEmbedded(profile: ProfileName, faults: readonly string[]) {
  const program = process.argv[1];
  if (program === undefined)
    throw new HarnessError('no-program', 'cannot find the program to start the embedded deployment with');
  const { ERS_USERNAME: _user, ERS_PASSWORD: _password, ERS_CREDENTIALS_FILE: _file, ...env } = process.env;
  const serve = ['serve', '--port', '0', '--profile', profile, '--quiet', '--tied', '--config', 'none'];
  const args = [...process.execArgv, program, ...serve, ...faults.flatMap((fault) => ['--fault', fault])];
  // A group of its own: Ctrl-C on the terminal must reach us alone, so that we can clean up before it goes.
  const child = spawn(process.execPath, args, { env, detached: true, stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = new Promise<undefined>((resolve) => child.once('close', () => resolve(undefined)));
  const lines = createInterface({ input: child.stdout });
  const line = await Promise.race([new Promise<string>((resolve) => lines.once('line', resolve)), ended]);
  if (line === undefined)
    throw new HarnessError(
      'embedded-start',
      `the embedded deployment ended with code ${child.exitCode} before it was ready`,
    );
  const ready = ServeReady.parse(JSON.parse(line));
  const close = async () => {
    child.kill('SIGTERM');
    await ended;
  };
  return { ...ready, password: ready.password ?? '', close };
}

/** Connections of a load on our own deployment, which needs no politeness: at 250 arrivals a second they ride out a stall of 0.4 s. */
export const OWN_LOAD_CONNECTIONS = 101;

export const dryRunEmbedded = () =>
  new UsageError('dry-run-embedded', '--dry-run needs a target: the embedded deployment has nothing to protect', {
    hint: 'name the target with --base-url',
  });

/** Connections of preparation and read-back there. */
const OWN_CONNECTIONS = 32;

/** An embedded deployment as a target: with more connections than a guest would take, and all of its endpoints. */
export interface OwnTarget {
  readonly deployment: ServeReady;
  readonly target: TargetConfig;
  readonly pool: NamedPolicyPool;
}

/** Does work with an embedded deployment of a profile, with such faults, and ends it. */
export async function withEmbedded(
  profile: ProfileName,
  options: Partial<Omit<TargetSpec, 'seed'>>,
  work: (own: OwnTarget) => Promise<void>,
  faults: readonly string[] = [],
): Promise<void> {
  const deployment = await startEmbedded(profile, faults);
  try {
    const { username, password, endpoints, policies } = deployment;
    const ours = { ...options, connections: Math.max(OWN_CONNECTIONS, options.connections ?? 0) };
    const target = targetConfig(deployment.baseUrl, ours, { username, password });
    await work({ deployment, target, pool: requiredPool({ endpoints, policies }) });
  } finally {
    await deployment.close();
  }
}
