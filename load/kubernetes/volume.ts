import type { PlannedCell } from '../plan/plan.ts';

/** Claim that the runners write their samples to. */
export const SAMPLES = 'ers-harness-samples';
export const SAMPLES_PATH = '/samples';
const READER = 'ers-harness-reader';

/** Compressed rows of one arrival, bytes: 144 were measured; the rest is room for a target that answers with errors. */
const BYTES_AN_ARRIVAL = 400;
/** Runs that the claim has room for before somebody removes the oldest. */
const RUNS = 5;
const GIB = 2 ** 30;

/** The claim, with room for several runs of the plan. Several nodes write to it, so that it has to be ReadWriteMany. */
export function samplesClaim(cells: readonly PlannedCell[]) {
  const arrivals = cells.map(
    ({ targetPerSecond, warmupSeconds, durationSeconds, ramp }) =>
      targetPerSecond * (warmupSeconds + durationSeconds) + (ramp?.arrivals ?? 0),
  );
  const bytes = arrivals.reduce((sum, each) => sum + each, 0) * BYTES_AN_ARRIVAL * RUNS;
  const storage = `${Math.max(1, Math.ceil(bytes / GIB))}Gi`;
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name: SAMPLES },
    spec: { accessModes: ['ReadWriteMany'], resources: { requests: { storage } } },
  };
}

/** A pod that mounts the claim and sleeps, for copying files off it. */
export function readerPod(image: string) {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: READER, labels: { 'app.kubernetes.io/part-of': 'ers-harness' } },
    spec: {
      restartPolicy: 'Never',
      automountServiceAccountToken: false,
      // Ends by itself when it is forgotten.
      activeDeadlineSeconds: 3600,
      securityContext: podSecurity(K6_USER),
      containers: [
        {
          name: 'reader',
          image,
          command: ['sleep', '3600'],
          securityContext: CONTAINER_SECURITY,
          resources: { requests: { cpu: '10m', memory: '16Mi' }, limits: { cpu: '1', memory: '128Mi' } },
          volumeMounts: [{ name: 'samples', mountPath: SAMPLES_PATH }],
        },
      ],
      volumes: [{ name: 'samples', persistentVolumeClaim: { claimName: SAMPLES } }],
    },
  };
}

/** User that the stock image of k6 runs as. */
export const K6_USER = 12345;
/** User of the image that the starter runs `curl` in. */
export const STARTER_USER = 65532;

/** What PodSecurity *restricted* asks of a pod; the group owns the volume, so that the user can write to it. */
export function podSecurity(user: number) {
  return {
    ...{ runAsNonRoot: true, runAsUser: user, runAsGroup: user, fsGroup: user },
    seccompProfile: { type: 'RuntimeDefault' },
  };
}

export const CONTAINER_SECURITY = {
  allowPrivilegeEscalation: false,
  capabilities: { drop: ['ALL'] },
  seccompProfile: { type: 'RuntimeDefault' },
} as const;
