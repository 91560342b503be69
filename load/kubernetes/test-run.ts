import { SCENARIO_ENV } from '../../lib/wire/scenario.ts';
import { K6_SETTINGS, K6_TUNING, k6Arguments, scenarioCell } from '../k6/command.ts';
import type { CellSpec } from '../plan/cell-spec.ts';
import { CONTAINER_SECURITY, K6_USER, podSecurity, SAMPLES, SAMPLES_PATH, STARTER_USER } from './volume.ts';

/** Of a runner: beyond the soft limit k6 collects as often as it needs to, so that it never comes to the hard one. */
const MEMORY = { soft: '768MiB', limit: '1Gi' } as const;
const CPU = { request: '1', limit: '2' } as const;

/** Secret that holds the login under these two keys; it is named here and never written. */
export const LOGIN_SECRET = 'ers-harness-login';
export const BUNDLES = 'ers-harness-bundles';
/** ConfigMap with the script that stands before k6. */
export const PROBE = 'ers-harness-probe';
const PROBE_PATH = '/ers-harness/bin';
/** Folder of the run on the volume where nobody names one; `run.sh` puts a name of its own in. */
const RUN_BY_HAND = 'by-hand';
/** ConfigMap with the certificate authority of the target, where it has one of its own; a certificate is no secret. */
export const AUTHORITY = 'ers-harness-ca';
export const CA_FILE = 'ca.pem';
const CA_PATH = '/etc/ers-harness';

const cellText = (spec: CellSpec) => JSON.stringify(scenarioCell({ ...spec, markClock: true }));

function runnerEnvironment(spec: CellSpec) {
  const settings = { ...K6_TUNING, GOMEMLIMIT: MEMORY.soft, GOMAXPROCS: CPU.limit, ...K6_SETTINGS };
  const field = (name: string, fieldPath: string) => ({ name, valueFrom: { fieldRef: { fieldPath } } });
  return [
    // The kubelet would put in what a value names as `$(NAME)`.
    { name: SCENARIO_ENV.cell, value: cellText(spec).replaceAll('$(', () => '$$(') },
    ...(['username', 'password'] as const).map((key) => ({
      name: SCENARIO_ENV[key],
      valueFrom: { secretKeyRef: { name: LOGIN_SECRET, key } },
    })),
    ...Object.entries(settings).map(([name, value]) => ({ name, value })),
    ...(spec.caFile === undefined ? [] : [{ name: 'SSL_CERT_FILE', value: `${CA_PATH}/${CA_FILE}` }]),
    field('POD_NAME', 'metadata.name'),
    { name: 'ERS_RUN', value: RUN_BY_HAND },
    // The kubelet puts in what stands above.
    { name: 'ERS_PROBE_FILE', value: `${SAMPLES_PATH}/$(ERS_RUN)/$(POD_NAME).probe` },
    // The probe is called k6 and comes first.
    { name: 'PATH', value: `${PROBE_PATH}:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin` },
  ];
}

/** Arguments of k6 but `run`, script and segment, which the operator adds; in one text, for operators before 1.6. */
function argumentsOf(spec: CellSpec): string {
  const bundle = 'bundle.js';
  const own = k6Arguments(spec, bundle).filter((arg) => !['run', '--quiet', bundle].includes(arg));
  // Every pod writes a file of its own: the kubelet puts the names in.
  return own.map((arg) => (arg === 'csv=-' ? `csv=${SAMPLES_PATH}/$(ERS_RUN)/$(POD_NAME).csv.gz` : arg)).join(' ');
}

function mounts({ caFile }: CellSpec) {
  const places = [
    { name: 'samples', source: { persistentVolumeClaim: { claimName: SAMPLES } }, mountPath: SAMPLES_PATH },
    { name: 'probe', source: { configMap: { name: PROBE, defaultMode: 0o555 } }, mountPath: PROBE_PATH },
    ...(caFile === undefined
      ? []
      : [{ name: 'authority', source: { configMap: { name: AUTHORITY } }, mountPath: CA_PATH }]),
  ];
  return {
    volumes: places.map(({ name, source }) => ({ name, ...source })),
    volumeMounts: places.map(({ name, mountPath }) => ({ name, mountPath })),
  };
}

/** A busy generator may answer late: only one that is silent for a minute is killed. */
const LIVENESS = {
  httpGet: { path: '/v1/status', port: 6565 },
  ...{ initialDelaySeconds: 10, periodSeconds: 10, timeoutSeconds: 10, failureThreshold: 6 },
} as const;

/** The starter asks one runner after the other to begin; with less than a core the last begins late. */
const STARTER_RESOURCES = { requests: { cpu: '1', memory: '64Mi' }, limits: { cpu: '1', memory: '128Mi' } } as const;

/** The manifest of one cell: as many runners as segments, each with its share of the arrivals. */
export function testRun(
  spec: CellSpec,
  { name, segments, image }: { readonly name: string; readonly segments: number; readonly image: string },
) {
  const secure = (user: number) => ({
    securityContext: podSecurity(user),
    containerSecurityContext: CONTAINER_SECURITY,
    automountServiceAccountToken: 'false',
  });
  // Operators 1.3 to 1.5 write it into a command line: it holds no sign of a shell. Before 1.3.1 k6 reads it from the environment.
  const env = [
    { name: SCENARIO_ENV.cell, value: Buffer.from(cellText(spec)).toString('base64url') },
    { name: 'K6_INCLUDE_SYSTEM_ENV_VARS', value: 'true' },
  ];
  return {
    apiVersion: 'k6.io/v1alpha1',
    kind: 'TestRun',
    metadata: { name, labels: { 'app.kubernetes.io/part-of': 'ers-harness' } },
    spec: {
      parallelism: segments,
      // One runner on a node: two would compete for its processor and its network.
      separate: segments > 1,
      quiet: 'true',
      script: { configMap: { name: BUNDLES, file: `anc-${spec.operation}.js` } },
      arguments: argumentsOf(spec),
      initializer: { image, env, ...secure(K6_USER) },
      starter: { resources: STARTER_RESOURCES, ...secure(STARTER_USER) },
      runner: {
        image,
        env: runnerEnvironment(spec),
        resources: {
          requests: { cpu: CPU.request, memory: '512Mi' },
          limits: { cpu: CPU.limit, memory: MEMORY.limit },
        },
        livenessProbe: LIVENESS,
        ...secure(K6_USER),
        ...mounts(spec),
      },
    },
  };
}
