import { SCENARIO_ENV, type ScenarioParameter } from '../../lib/wire/scenario.ts';
import type { CellSpec } from '../k6-cell-types.ts';
import { k6Arguments, scenarioParameters } from '../k6-command.ts';
import type { TestRun } from './test-run-schema.ts';

/** Secret that holds the login under these two keys; it is named here and never written. */
export const LOGIN_SECRET = 'ers-harness-login';
const SECRET_KEYS = ['username', 'password'] as const satisfies readonly ScenarioParameter[];
export const BUNDLES = 'ers-harness-bundles';
export const SAMPLES = 'ers-harness-samples';
const SAMPLES_PATH = '/samples';

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
    { name: 'K6_CSV_TIME_FORMAT', value: 'unix_micro' },
    { name: 'K6_CSV_SAVE_INTERVAL', value: '250ms' },
    { name: 'K6_AUTO_EXTENSION_RESOLUTION', value: 'false' },
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

/** Seconds at the start that no figure includes. */
export const WARMUP_LABEL = 'ers-harness/warmup-seconds';

export interface TestRunOptions {
  readonly name: string;
  readonly segments: number;
  readonly image: string;
  readonly warmupSeconds: number;
}

/** The manifest of one cell: as many runners as segments, each with its share of the arrivals. */
export function testRun(spec: CellSpec, { name, segments, image, warmupSeconds }: TestRunOptions): TestRun {
  const env = environment(spec);
  return {
    apiVersion: 'k6.io/v1alpha1',
    kind: 'TestRun',
    metadata: { name, labels: { 'app.kubernetes.io/part-of': 'ers-harness', [WARMUP_LABEL]: String(warmupSeconds) } },
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
        resources: { requests: { cpu: '1', memory: '512Mi' }, limits: { cpu: '2', memory: '1Gi' } },
        volumes: [{ name: 'samples', persistentVolumeClaim: { claimName: SAMPLES } }],
        volumeMounts: [{ name: 'samples', mountPath: SAMPLES_PATH }],
      },
    },
  };
}
