import { counted } from '../../lib/numbers.ts';
import { LOGIN_SECRET } from './test-run.ts';
import { SAMPLES } from './volume.ts';

/** How to carry out the emitted manifests, for the folder they lie in. */
export function readme(cells: number, segments: number, baseUrl: string): string {
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
