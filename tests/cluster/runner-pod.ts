import { dirname } from 'node:path';
import type { TestRun } from '../helpers/test-run-schema.ts';
import { initializerCommand, scriptOf, segmentArguments } from '../helpers/test-run-schema.ts';

/** Pods that the operator makes of a TestRun. */
export type Role = 'initializer' | 'starter' | 'runner';

/** Where k6 takes commands in a runner. */
export const K6_PORT = 6565;

const START = { data: { attributes: { paused: false }, id: 'default', type: 'status' } };

/** What the container of a role runs, as the operator writes it; a starter is told the addresses of the runners. */
function commandOf(manifest: TestRun, role: Role, index: number, { hosts = [] }: PodOptions) {
  const { metadata, spec } = manifest;
  if (role === 'initializer') return initializerCommand(manifest, '1.6.0');
  if (role === 'runner') {
    const own = (spec.arguments ?? '').split(' ');
    const share = spec.parallelism > 1 ? segmentArguments({ index, of: spec.parallelism }) : [];
    const tags = ['--tag', `instance_id=${index + 1}`, '--tag', `testrun_name=${metadata.name}`];
    const script = scriptOf(manifest);
    return ['k6', 'run', '--quiet', ...share, ...own, script, `--address=0.0.0.0:${K6_PORT}`, '--paused', ...tags];
  }
  const start = (host: string) =>
    `curl --retry 3 -X PATCH -H 'Content-Type: application/json' http://${host}:${K6_PORT}/v1/status -d '${JSON.stringify(START)}' -s`;
  return ['sh', '-c', hosts.map(start).join(';')];
}

/** How a pod of a role is made. */
export interface PodOptions {
  /** Without it, nothing of what the manifest says for the security of its pods. */
  readonly secure?: boolean;
  /** Addresses of the runners, for the starter. */
  readonly hosts?: readonly string[];
}

/** Metadata and specification of a pod of a role, with the overrides of the manifest in the places where the operator puts them. */
export function podTemplate(manifest: TestRun, role: Role, index: number, options: PodOptions = {}) {
  const { secure = true } = options;
  const { metadata, spec } = manifest;
  const { containerSecurityContext, securityContext, env, resources, volumes, volumeMounts, image } = spec[role] ?? {};
  const isRunner = role === 'runner';
  const labels = { app: 'k6', k6_cr: metadata.name, ...(isRunner ? { runner: 'true' } : {}) };
  const expressions = Object.entries({ app: 'k6', runner: 'true' }).map(([key, value]) => {
    return { key, operator: 'In', values: [value] };
  });
  const apart = { labelSelector: { matchExpressions: expressions }, topologyKey: 'kubernetes.io/hostname' };
  const { name: configMap } = spec.script.configMap;
  const hasScript = role !== 'starter';
  return {
    metadata: { labels },
    spec: {
      restartPolicy: 'Never',
      automountServiceAccountToken: false,
      ...(secure ? { securityContext } : {}),
      ...(spec.separate === true && isRunner
        ? { affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [apart] } } }
        : {}),
      containers: [
        {
          name: hasScript ? 'k6' : 'k6-curl',
          image: image ?? 'image',
          command: commandOf(manifest, role, index, options),
          ...{ env, resources },
          ...(hasScript ? { ports: [{ containerPort: K6_PORT }] } : {}),
          volumeMounts: [
            ...(hasScript ? [{ name: 'k6-test-volume', mountPath: dirname(scriptOf(manifest)) }] : []),
            ...(volumeMounts ?? []),
          ],
          ...(isRunner ? { readinessProbe: { httpGet: { path: '/v1/status', port: K6_PORT, scheme: 'HTTP' } } } : {}),
          ...(secure ? { securityContext: containerSecurityContext } : {}),
        },
      ],
      volumes: [...(hasScript ? [{ name: 'k6-test-volume', configMap: { name: configMap } }] : []), ...(volumes ?? [])],
    },
  };
}

/** Such a pod by itself. */
export function podOf(manifest: TestRun, role: Role, index: number, options: PodOptions = {}): string {
  const { metadata, spec } = podTemplate(manifest, role, index, options);
  const of = manifest.metadata.name;
  const name = role === 'runner' ? `${of}-${index + 1}-x` : `${of}-${role}`;
  return JSON.stringify({ apiVersion: 'v1', kind: 'Pod', metadata: { ...metadata, name }, spec });
}
