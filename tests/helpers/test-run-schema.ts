import * as z from 'zod';

const anything = z.looseObject({});
const texts = z.record(z.string(), z.string());
const names = z.strictObject({ name: z.string(), value: z.string() });
const fromRef = z.strictObject({
  name: z.string(),
  valueFrom: z.union([
    z.strictObject({ secretKeyRef: z.strictObject({ name: z.string(), key: z.string() }) }),
    z.strictObject({ fieldRef: z.strictObject({ fieldPath: z.string() }) }),
  ]),
});

/** Overrides of a runner, starter or initializer pod. */
const Pod = z.strictObject({
  automountServiceAccountToken: z.string().optional(),
  containerSecurityContext: anything.optional(),
  env: z.array(z.union([names, fromRef])).optional(),
  image: z.string().optional(),
  livenessProbe: anything.optional(),
  resources: z.strictObject({ requests: texts.optional(), limits: texts.optional() }).optional(),
  securityContext: anything.optional(),
  volumeMounts: z.array(z.strictObject({ name: z.string(), mountPath: z.string() })).optional(),
  volumes: z.array(z.looseObject({ name: z.string() })).optional(),
});

/** `TestRun` of the k6-operator (k6.io/v1alpha1), those of its published fields that are emitted; anything else is refused. */
export const TestRun = z.strictObject({
  apiVersion: z.literal('k6.io/v1alpha1'),
  kind: z.literal('TestRun'),
  metadata: z.strictObject({
    name: z.string().regex(/^[a-z0-9]([-a-z0-9]{0,50}[a-z0-9])?$/),
    labels: texts.optional(),
  }),
  spec: z.strictObject({
    script: z.strictObject({ configMap: z.strictObject({ name: z.string(), file: z.string().regex(/\.js$/) }) }),
    parallelism: z.int().min(1),
    arguments: z.string().optional(),
    separate: z.boolean().optional(),
    quiet: z.string().optional(),
    cleanup: z.literal('post').optional(),
    runner: Pod.optional(),
    starter: Pod.optional(),
    initializer: Pod.optional(),
  }),
});
export type TestRun = z.infer<typeof TestRun>;

/** Versions of the k6-operator of which each writes the command of the initializer in another form. */
export const GENERATIONS = ['1.2.0', '1.3.1', '1.4.0', '1.5.0', '1.6.0'] as const;
export type Generation = (typeof GENERATIONS)[number];

const SCRIPTS = '/test';

/** Path of the script in the pods of the operator. */
export const scriptOf = ({ spec }: TestRun) => `${SCRIPTS}/${spec.script.configMap.file}`;

/** Arguments of `k6 run` that a generation gives to `k6 archive` too: those before 1.6 read no further than `--log-output`. */
function archiveArguments({ spec }: TestRun, generation: Generation): string {
  const all = (spec.arguments ?? '').split(' ');
  const isLog = (arg: string) => arg.startsWith('--log-output');
  const read = generation === '1.6.0' ? all : all.slice(0, all.findIndex(isLog));
  return read
    .filter((arg, at) => !isLog(arg) && arg !== '--no-usage-report' && arg !== '--out' && read[at - 1] !== '--out')
    .join(' ');
}

/** How a generation puts the environment into the command. */
const GIVES: Readonly<Record<Generation, (name: string, value: string) => string>> = {
  '1.2.0': () => '',
  '1.3.1': (name, value) => ` -e ${name}=${value}`,
  '1.4.0': (name, value) => ` -e ${name}="${value}"`,
  '1.5.0': (name, value) => ` -e ${name}="${value}"`,
  '1.6.0': (name) => ` -e ${name}="\${${name}}"`,
};

/** What the initializer of a TestRun runs, word for word as the source of the operator writes it. */
export function initializerCommand(manifest: TestRun, generation: Generation): readonly string[] {
  const script = scriptOf(manifest);
  const archive = `/tmp/${script.slice(SCRIPTS.length + 1)}.archived.tar`;
  const env = (manifest.spec.initializer?.env ?? []).map((one) =>
    GIVES[generation](one.name, 'value' in one ? one.value : ''),
  );
  const make = `k6 archive ${script}${env.join('')} -O ${archive} ${archiveArguments(manifest, generation)}`;
  const look = `k6 inspect --execution-requirements ${archive}`;
  const logs = '/tmp/k6logs';
  const failed = generation < '1.4' ? 'level=error' : 'level.*error';
  if (generation < '1.5') {
    const all = `mkdir -p $(dirname ${archive}) && ${make} 2> ${logs} && ${look} 2> ${logs} ; ! cat ${logs} | grep '${failed}'`;
    return ['sh', '-c', all];
  }
  const step = (command: string) => `if ! ${command} 2> "\${logs}"; then\n  cat "\${logs}"\n  exit 1\nfi\n`;
  const begin = `if ! command -v k6 >/dev/null 2>&1; then\n  echo 'no k6' >&2\n  exit 127\nfi\n\nlogs=${logs}\n`;
  const folder = `if ! mkdir -p "$(dirname ${archive})"; then\n  exit 1\nfi\n`;
  const end = `if grep '${failed}' "\${logs}"; then\n  exit 1\nfi`;
  return ['sh', '-c', [begin, folder, step(make), step(look), end].join('\n')];
}

/** The flags of k6 for a share of the arrivals, as the operator writes them. */
export function segmentArguments({ index, of }: { readonly index: number; readonly of: number }): string[] {
  const edge = (at: number) => (at === 0 ? '0' : at === of ? '1' : `${at}/${of}`);
  const edges = Array.from({ length: of + 1 }, (_, at) => edge(at));
  return [`--execution-segment=${edge(index)}:${edge(index + 1)}`, `--execution-segment-sequence=${edges.join(',')}`];
}
