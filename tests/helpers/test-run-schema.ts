import * as z from 'zod';

const anything = z.looseObject({});
const names = z.strictObject({ name: z.string(), value: z.string() });
const fromRef = z.strictObject({
  name: z.string(),
  valueFrom: z.union([
    z.strictObject({ secretKeyRef: z.strictObject({ name: z.string(), key: z.string() }) }),
    z.strictObject({ fieldRef: z.strictObject({ fieldPath: z.string() }) }),
  ]),
});

/** Overrides of a runner, starter or initializer pod: fields the operator publishes. */
const Pod = z.strictObject({
  affinity: anything.optional(),
  automountServiceAccountToken: z.string().optional(),
  containerSecurityContext: anything.optional(),
  env: z.array(z.union([names, fromRef])).optional(),
  envFrom: z.array(anything).optional(),
  image: z.string().optional(),
  imagePullPolicy: z.enum(['Always', 'IfNotPresent', 'Never']).optional(),
  imagePullSecrets: z.array(z.strictObject({ name: z.string() })).optional(),
  livenessProbe: anything.optional(),
  metadata: anything.optional(),
  nodeSelector: z.record(z.string(), z.string()).optional(),
  resources: z
    .strictObject({
      requests: z.record(z.string(), z.string()).optional(),
      limits: z.record(z.string(), z.string()).optional(),
    })
    .optional(),
  securityContext: anything.optional(),
  serviceAccountName: z.string().optional(),
  tolerations: z.array(anything).optional(),
  volumeMounts: z.array(z.strictObject({ name: z.string(), mountPath: z.string() })).optional(),
  volumes: z.array(z.looseObject({ name: z.string() })).optional(),
});

const Script = z.union([
  z.strictObject({ configMap: z.strictObject({ name: z.string(), file: z.string().regex(/\.(js|tar)$/) }) }),
  z.strictObject({
    volumeClaim: z.strictObject({ name: z.string(), file: z.string(), readOnly: z.boolean().optional() }),
  }),
  z.strictObject({ localFile: z.string() }),
]);

/** `TestRun` of the k6-operator (k6.io/v1alpha1), the published fields that a manifest may use; anything else is refused. */
export const TestRun = z.strictObject({
  apiVersion: z.literal('k6.io/v1alpha1'),
  kind: z.literal('TestRun'),
  metadata: z.strictObject({
    name: z.string().regex(/^[a-z0-9]([-a-z0-9]{0,50}[a-z0-9])?$/),
    namespace: z.string().optional(),
    labels: z.record(z.string(), z.string()).optional(),
  }),
  spec: z.strictObject({
    script: Script,
    parallelism: z.int().min(1),
    arguments: z.string().optional(),
    separate: z.boolean().optional(),
    quiet: z.string().optional(),
    paused: z.string().optional(),
    cleanup: z.literal('post').optional(),
    ports: z.array(anything).optional(),
    runner: Pod.optional(),
    starter: Pod.optional(),
    initializer: Pod.extend({ disabled: z.boolean().optional() }).optional(),
  }),
});
export type TestRun = z.infer<typeof TestRun>;
