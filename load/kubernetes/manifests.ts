import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { UsageError } from '../../lib/errors.ts';
import { packageRoot } from '../../lib/package-root.ts';
import { counted } from '../../lib/text.ts';
import { scenarioBundle } from '../k6/command.ts';
import { type CellSpec, cellSpecOf } from '../plan/cell-spec.ts';
import { checkSegments, type LoadPlan, type PlannedCell } from '../plan/plan.ts';
import { AUTHORITY, BUNDLES, CA_FILE, LOGIN_SECRET, PROBE, testRun } from './test-run.ts';
import { readerPod, SAMPLES, samplesClaim } from './volume.ts';

/** How to carry out the emitted manifests, for the folder they lie in. */
function readme(cells: number, segments: number, baseUrl: string): string {
  return `# ANC load on ${segments} generators

Written by \`ers-harness load --emit-kubernetes\` for ${baseUrl}. It needs:

- the k6-operator, 1.2.0 to 1.6.0 (TestRun, k6.io/v1alpha1)
- a storage class whose volumes several nodes can write (ReadWriteMany), for the claim \`${SAMPLES}\`
- ${segments} nodes with a free core each: every runner gets a node of its own

All pods satisfy PodSecurity *restricted*.

## Run

From a machine that reaches the cluster and the target:

\`\`\`
kubectl create secret generic ${LOGIN_SECRET} --from-literal=username=… --from-literal=password=…
ers-harness load … --cluster .
\`\`\`

That prepares the endpoints, runs the cells, reads the endpoints back, judges and cleans up.

\`run.sh\` runs ${counted(cells, 'cell')} in order and copies what the runners wrote into a folder named after the
run. Its exit code is 0 when every cell finished, and 3 with the reason when one did not: a runner failed or was lost, pods
were stuck, or a cell took five minutes longer than planned. 4: it cannot run until something is changed. 5: runners are
left that may load the target.

The order matters: a clear cell needs the policies that its apply cell put on. Try the login first (\`ers-harness doctor\`):
accounts are suspended after a few refused logins, and no abort rule acts on a cluster.

A missing, doubled, foreign or cut file ends with exit 3, never with a smaller total.
\`ers-harness sweep\` clears what is left on the endpoints.
`;
}

const CONFIG_MAP_BYTES = 1_048_576;

/** Every value where it is read, none by reference to another place. */
const PLAIN = { aliasDuplicateObjects: false } as const;

export interface EmittedFile {
  readonly name: string;
  readonly content: string;
  readonly executable?: true;
}

export interface EmitOptions {
  readonly baseUrl: string;
  readonly insecure: boolean;
  /** Certificate authority of the target as PEM, where it has one of its own. */
  readonly ca?: string;
  /** Fetch a CSRF token on every connection: nothing is asked of the target here, so somebody has to know. */
  readonly csrf: boolean;
  /** Pinned version of k6, which names its stock image. */
  readonly k6Version: string;
  readonly userAgent: string;
  readonly bundle?: (operation: CellSpec['operation']) => string;
  /** Folder of the scripts that run in pods and beside them; that of the build unless set. */
  readonly scripts?: string;
}

function bundlesOf(plan: LoadPlan, bundle: (operation: CellSpec['operation']) => string): EmittedFile[] {
  const operations = [...new Set(plan.cells.map(({ operation }) => operation))];
  // The map of the sources would take up most of what a ConfigMap may hold.
  const map = /\n\/\/# sourceMappingURL=.*\s*$/;
  const files = operations.map((operation) => ({
    name: `anc-${operation}.js`,
    content: readFileSync(bundle(operation), 'utf8').replace(map, '\n'),
  }));
  const bytes = files.reduce((sum, { content }) => sum + Buffer.byteLength(content), 0);
  if (bytes < CONFIG_MAP_BYTES) return files;
  throw new UsageError('bundle-too-large', `the scenarios have ${bytes} bytes, a ConfigMap holds ${CONFIG_MAP_BYTES}`, {
    hint: 'emit fewer operations at once',
  });
}

export function cellName({ profile, operation }: Pick<PlannedCell, 'profile' | 'operation'>): string {
  return `ers-${profile}-${operation}`;
}

/** Seconds that a cell takes at most when nothing holds it up: its arrivals, and the last transaction's time limit. */
function plannedSeconds({ warmupSeconds, durationSeconds, ramp }: PlannedCell, timeoutMs: number): number {
  return Math.ceil((ramp?.seconds ?? 0) + warmupSeconds + durationSeconds + timeoutMs / 1000) + 2;
}

/** Manifests for the k6-operator. Throws `UsageError` for a pool in a file, which no ConfigMap could hold, and for uneven segments. */
export function kubernetesManifests(plan: LoadPlan, options: EmitOptions): EmittedFile[] {
  if (plan.cells.some(({ pool }) => pool.source.kind === 'file')) {
    throw new UsageError('pool-file', 'runners cannot read a pool from a file', {
      hint: 'name the pool as a range, such as 02:00:00:00:00:00+60000@10.0.0.0',
    });
  }
  const { segments, timeoutMs } = plan.spec;
  for (const { connections } of plan.cells) checkSegments(connections, segments);
  const bundles = bundlesOf(plan, options.bundle ?? scenarioBundle);
  const image = `grafana/k6:${options.k6Version}`;
  const { baseUrl, insecure, csrf, userAgent, ca } = options;
  // Credentials stay out: the login is a secret of the cluster.
  const sender = {
    ...{ baseUrl, insecure, csrf, userAgent },
    credentials: null,
    caFile: ca === undefined ? undefined : CA_FILE,
  };
  const runs = plan.cells.map((cell): EmittedFile => {
    const name = cellName(cell);
    const spec = cellSpecOf(plan, cell, sender);
    return { name: `${name}.yaml`, content: stringify(testRun(spec, { name, segments, image }), PLAIN) };
  });
  const { scripts = join(packageRoot(), 'dist', 'kubernetes') } = options;
  const script = (file: string) => readFileSync(join(scripts, file), 'utf8');
  /** A line for each cell, in order: its name, the seconds it is planned to take, the number of its runners. */
  const list = plan.cells.map((cell) => `${cellName(cell)} ${plannedSeconds(cell, timeoutMs)} ${segments}\n`);
  const generator = { name: BUNDLES, files: bundles.map(({ name }) => name) };
  const probe = { name: PROBE, files: ['k6'] };
  const authority = ca === undefined ? [] : [{ name: AUTHORITY, files: [CA_FILE] }];
  const common = {
    apiVersion: 'kustomize.config.k8s.io/v1beta1',
    kind: 'Kustomization',
    configMapGenerator: [generator, probe, ...authority],
    // The manifests name the map as it is.
    generatorOptions: { disableNameSuffixHash: true },
  };
  return [
    { name: 'kustomization.yaml', content: stringify({ ...common, resources: ['samples.yaml'] }) },
    { name: 'samples.yaml', content: stringify(samplesClaim(plan.cells), PLAIN) },
    { name: 'reader.yaml', content: stringify(readerPod(image), PLAIN) },
    { name: 'k6', content: script('k6-probe.sh'), executable: true },
    { name: 'run.sh', content: script('run.sh'), executable: true },
    { name: 'cells.txt', content: list.join('') },
    ...runs,
    ...bundles,
    ...(ca === undefined ? [] : [{ name: CA_FILE, content: ca }]),
    { name: 'README.md', content: readme(plan.cells.length, segments, baseUrl) },
  ];
}
