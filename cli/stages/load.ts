import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type * as z from 'zod';
import { preflight } from '../../lib/client/http/preflight.ts';
import type { ErsClient, Recordable, TargetConfig } from '../../lib/client/types.ts';
import { systemClock } from '../../lib/clock.ts';
import { defined } from '../../lib/defined.ts';
import { UsageError } from '../../lib/errors.ts';
import { packageRoot, packageVersion } from '../../lib/package-root.ts';
import { makeFolder } from '../../lib/records/folder/disk.ts';
import { counted } from '../../lib/text.ts';
import { runCapacity } from '../../load/capacity/capacity.ts';
import { type CapacityPlan, capacityPhases, timeText } from '../../load/capacity/plan-capacity.ts';
import { findK6, type K6Binary, measuresWrongly, pinnedVersion } from '../../load/k6/binary/binary.ts';
import { checkOutputs } from '../../load/k6/command.ts';
import { checkEmitted, clusterCells } from '../../load/kubernetes/cluster-cell.ts';
import { type EmittedFile, kubernetesManifests } from '../../load/kubernetes/manifests.ts';
import type { NamedPolicyPool } from '../../load/plan/cell-spec.ts';
import { describePlan, planText } from '../../load/plan/describe.ts';
import { loadPhases, type Phase } from '../../load/plan/phases.ts';
import { type LoadPlan, planLoad } from '../../load/plan/plan.ts';
import type { LoadGiven } from '../../load/plan/spec.ts';
import type { PoolResult } from '../../load/run/prepared-pool.ts';
import { type LoadDeps, runLoad } from '../../load/run/run.ts';
import { readAuthority } from '../options/client-certificate.ts';
import type { LoadCommandSpec } from '../options/specs.ts';
import { progressView } from '../output/load-progress.ts';
import { type Output, writing } from '../output/output.ts';
import { cleanupLimit, withClient } from '../session/client.ts';
import type { RunSession } from '../session/run-session.ts';

/** The plan of a load, and its description for --dry-run. Throws `UsageError`. */
export function loadPlan(spec: LoadGiven, named: NamedPolicyPool) {
  const plan = planLoad(spec, named);
  checkOutputs(plan.spec.k6Outputs);
  const describe = (json: boolean, baseUrl: string) =>
    json ? JSON.stringify(describePlan(plan, baseUrl)) : planText(plan, baseUrl);
  return { plan, describe };
}

/** Runs a load through a client of its own and records its outcome. A fault is recorded, not thrown. */
async function withLoadClient(
  session: RunSession,
  { target, pool, cluster, laterSeconds }: Omit<Stage<unknown>, 'plan'>,
  phases: readonly Phase[],
  output: Output,
  run: (deps: LoadDeps) => Promise<PoolResult>,
): Promise<void> {
  const isCut = () => session.signals.abort.aborted;
  const view = progressView(output, phases, laterSeconds, isCut, session.live);
  const onExchange = ({ record }: Recordable) => session.writer.exchange(record());
  const ours = { target, mode: 'full', pool, onExchange, cleanupMs: cleanupLimit() } as const;
  const work = async (client: ErsClient) => {
    const findings = { onProgress: output.say, onWarning: output.warn, signal: session.signals.abort };
    const k6 = cluster?.k6 ?? (await findK6(findings));
    const wrong = measuresWrongly(k6.version, target.proxy);
    if (wrong !== undefined) output.warn(`warning: ${wrong}`);
    await preflight(client);
    const result = await run({
      ...{ client, clock: systemClock, k6, writer: session.writer },
      ...defined({ runCell: cluster?.cells(session) }),
      ...{ env: process.env, signal: session.signals.abort, onProgress: view.show },
    });
    session.addCleanup(result.cleanup);
    if (result.fault !== undefined) session.fault(result.fault);
  };
  try {
    await withClient(session, ours, work);
  } catch (fault) {
    if (!isCut()) session.fault(fault);
  } finally {
    view.stop();
  }
}

/** Runners of a cluster, in place of the k6 of this machine. */
export interface Cluster {
  readonly k6: K6Binary;
  readonly cells: (session: RunSession) => NonNullable<LoadDeps['runCell']>;
}

interface Stage<Plan> {
  readonly target: TargetConfig;
  readonly plan: Plan;
  readonly pool: NamedPolicyPool;
  readonly cluster?: Cluster | undefined;
  /** Planned seconds of what comes after this load in the run. */
  readonly laterSeconds?: number;
}

/** Runs the cells of a plan and records them. A fault of the target or of the harness is recorded, not thrown. */
export function loadStage(session: RunSession, stage: Stage<LoadPlan>, output: Output): Promise<void> {
  return withLoadClient(session, stage, loadPhases(stage.plan), output, (deps) => runLoad(stage.plan, deps));
}

/** Runs a search for the capacity and records its steps, in the same way. */
export function capacityStage(session: RunSession, stage: Stage<CapacityPlan>, output: Output): Promise<void> {
  output.say(timeText(stage.plan));
  return withLoadClient(session, stage, capacityPhases(stage.plan), output, (deps) => runCapacity(stage.plan, deps));
}

type EmitOptions = Pick<z.output<typeof LoadCommandSpec>, 'baseUrl' | 'insecure' | 'ca' | 'csrf'>;

/** A certificate authority to hand to the runners. Throws `UsageError` for a file that is none, or that holds a key. */
function authority(path: string): string {
  const pem = readAuthority(path);
  if (!pem.includes('PRIVATE KEY')) return pem;
  throw new UsageError('ca-file', `${path} contains a private key, which must not go into a manifest`, {
    hint: 'name a file that holds only certificates',
  });
}

function manifestsOf(plan: LoadPlan, options: EmitOptions): EmittedFile[] {
  const { baseUrl = '', insecure, csrf, ca } = options;
  const made = { k6Version: pinnedVersion(packageRoot()), userAgent: `ers-harness/${packageVersion()} (kubernetes)` };
  return kubernetesManifests(plan, { baseUrl, insecure, csrf, ...defined({ ca: ca && authority(ca) }), ...made });
}

const isUsed = (folder: string): boolean => existsSync(folder) && readdirSync(folder).length > 0;

/** Writes the manifests of a plan into a folder that is new or empty; nothing is sent. Throws `UsageError`. */
export function emitKubernetes(folder: string, plan: LoadPlan, options: EmitOptions, output: Output): void {
  if (isUsed(folder)) throw new UsageError('emit-in-use', `${folder} is not empty`, { hint: 'name a new folder' });
  const files = manifestsOf(plan, options);
  writing(folder, '--emit-kubernetes or --cluster', () => {
    makeFolder(folder);
    for (const { name, content, executable } of files)
      writeFileSync(join(folder, name), content, { mode: executable === true ? 0o755 : 0o644 });
  });
  const [made, cells] = [counted(files.length, 'file'), counted(plan.cells.length, 'cell')];
  output.say(`${made} for ${cells} in ${folder}; see its README.md for the next steps`);
}

/** Runners of a cluster: emits into the folder where it is new, else it has to hold what would be emitted. Throws `UsageError`. */
export function clusterOf(folder: string, plan: LoadPlan, options: EmitOptions, output: Output): Cluster {
  if (isUsed(folder)) checkEmitted(folder, manifestsOf(plan, options));
  else emitKubernetes(folder, plan, options, output);
  const [k6Version, { csrf }] = [pinnedVersion(packageRoot()), options];
  return {
    k6: { path: `grafana/k6:${k6Version}`, version: k6Version, sha256: '' },
    cells: ({ id }) => clusterCells({ folder, runId: id, csrf, k6Version, env: process.env, say: output.say }),
  };
}
