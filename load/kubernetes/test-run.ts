import { SCENARIO_ENV, type ScenarioParameter } from '../../lib/wire/scenario.ts';
import { K6_SETTINGS, K6_TUNING, k6Arguments, scenarioParameters } from '../k6/command.ts';
import type { CellSpec } from '../plan/cell-spec.ts';
import type { PlannedCell } from '../plan/plan.ts';
import type { TestRun } from './test-run-schema.ts';

/** Of a runner: beyond the soft limit k6 collects as often as it needs to, so that it never comes to the hard one. */
const MEMORY = { soft: '768MiB', limit: '1Gi' } as const;

/** Secret that holds the login under these two keys; it is named here and never written. */
export const LOGIN_SECRET = 'ers-harness-login';
const SECRET_KEYS = ['username', 'password'] as const satisfies readonly ScenarioParameter[];
export const BUNDLES = 'ers-harness-bundles';
export const SAMPLES = 'ers-harness-samples';
const SAMPLES_PATH = '/samples';
/** ConfigMap with the certificate authority of the target, where it has one of its own; a certificate is no secret. */
export const AUTHORITY = 'ers-harness-ca';
export const CA_FILE = 'ca.pem';
const CA_PATH = '/etc/ers-harness';

type Env = NonNullable<NonNullable<TestRun['spec']['runner']>['env']>;

function environment(spec: CellSpec): Env {
  const given = scenarioParameters(spec);
  const secret = (name: string) => SECRET_KEYS.some((key) => key === name);
  const plain = Object.entries(given)
    .filter(([name]) => !secret(name))
    .map(([name, value]) => ({ name: SCENARIO_ENV[name as ScenarioParameter], value }));
  const login = SECRET_KEYS.map((key) => ({
    name: SCENARIO_ENV[key],
    valueFrom: { secretKeyRef: { name: LOGIN_SECRET, key } },
  }));
  return [
    ...plain,
    ...login,
    ...Object.entries({ ...K6_TUNING, GOMEMLIMIT: MEMORY.soft, ...K6_SETTINGS }).map(([name, value]) => ({
      name,
      value,
    })),
    ...(spec.caFile === undefined ? [] : [{ name: 'SSL_CERT_FILE', value: `${CA_PATH}/${CA_FILE}` }]),
    { name: 'POD_NAME', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
  ];
}

/** Arguments as the harness gives them to k6 itself; the operator adds `run`, the script and its segment. */
function argumentsOf(spec: CellSpec, name: string): string[] {
  const bundle = 'bundle.js';
  const own = k6Arguments(spec, bundle).filter((arg) => !['run', '--quiet', bundle].includes(arg));
  // Every pod writes a file of its own: the kubelet puts the pod's name in.
  return own.map((arg) => (arg === 'csv=-' ? `csv=${SAMPLES_PATH}/${name}-$(POD_NAME).csv` : arg));
}

/** What of the plan only the judge needs: seconds at the start that no figure includes, and length of a bucket. */
export const WARMUP_LABEL = 'ers-harness/warmup-seconds';
export const BUCKET_LABEL = 'ers-harness/bucket-seconds';
export const PROFILE_LABEL = 'ers-harness/profile';
export const OPERATION_LABEL = 'ers-harness/operation';

export interface TestRunOptions {
  readonly name: string;
  readonly segments: number;
  readonly image: string;
  readonly cell: Pick<PlannedCell, 'profile' | 'operation' | 'warmupSeconds' | 'bucketSeconds'>;
}

/** Places that a runner finds its files at. */
function mounts({ caFile }: CellSpec): Pick<NonNullable<TestRun['spec']['runner']>, 'volumes' | 'volumeMounts'> {
  const samples = { name: 'samples', persistentVolumeClaim: { claimName: SAMPLES } };
  const authority = { name: 'authority', configMap: { name: AUTHORITY } };
  const at = [{ name: 'samples', mountPath: SAMPLES_PATH }];
  if (caFile === undefined) return { volumes: [samples], volumeMounts: at };
  return { volumes: [samples, authority], volumeMounts: [...at, { name: 'authority', mountPath: CA_PATH }] };
}

/** The manifest of one cell: as many runners as segments, each with its share of the arrivals. */
export function testRun(spec: CellSpec, { name, segments, image, cell }: TestRunOptions): TestRun {
  const env = environment(spec);
  return {
    apiVersion: 'k6.io/v1alpha1',
    kind: 'TestRun',
    metadata: {
      name,
      labels: {
        'app.kubernetes.io/part-of': 'ers-harness',
        [PROFILE_LABEL]: cell.profile,
        [OPERATION_LABEL]: cell.operation,
        [WARMUP_LABEL]: String(cell.warmupSeconds),
        [BUCKET_LABEL]: String(cell.bucketSeconds),
      },
    },
    spec: {
      parallelism: segments,
      // One runner on a node: two would compete for its processor and its network.
      separate: segments > 1,
      quiet: 'true',
      script: { configMap: { name: BUNDLES, file: `anc-${spec.operation}.js` } },
      args: argumentsOf(spec, name),
      initializer: { image, env },
      runner: {
        image,
        env,
        resources: { requests: { cpu: '1', memory: '512Mi' }, limits: { cpu: '2', memory: MEMORY.limit } },
        ...mounts(spec),
      },
    },
  };
}
