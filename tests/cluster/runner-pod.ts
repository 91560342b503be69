import type { TestRun } from '../../load/kubernetes/test-run-schema.ts';

/** Pods that the operator makes of a TestRun. */
export type Role = 'initializer' | 'starter' | 'runner';

/** The pod of a role with the overrides of the manifest in the places where the operator puts them. */
export function podOf(
  { metadata: { name }, spec }: TestRun,
  role: Role,
  index: number,
  { secure = true }: { readonly secure?: boolean } = {},
): string {
  const { containerSecurityContext, securityContext, env, resources, volumes, volumeMounts, image } = spec[role] ?? {};
  const labels = { app: 'k6', k6_cr: name, ...(role === 'runner' ? { runner: 'true' } : {}) };
  const apart = { labelSelector: { matchLabels: labels }, topologyKey: 'kubernetes.io/hostname' };
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: role === 'runner' ? `${name}-${index + 1}-x` : `${name}-${role}`, labels },
    spec: {
      restartPolicy: 'Never',
      automountServiceAccountToken: false,
      ...(secure ? { securityContext } : {}),
      ...(spec.separate === true && role === 'runner'
        ? { affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [apart] } } }
        : {}),
      containers: [
        {
          name: 'k6',
          image: image ?? 'image',
          command: ['k6'],
          ...{ env, resources, volumeMounts },
          ...(secure ? { securityContext: containerSecurityContext } : {}),
        },
      ],
      volumes,
    },
  });
}
