import { LOGIN_SECRET, SAMPLES } from './test-run.ts';

/** How to carry out the emitted manifests, for the folder they lie in. */
export function readme(names: readonly string[], { segments, baseUrl }: { segments: number; baseUrl: string }): string {
  const runs = names.map(
    (name) =>
      `kubectl apply -f ${name}.yaml && kubectl wait --for=jsonpath='{.status.stage}'=finished testrun/${name} --timeout=2h`,
  );
  return `# ANC load on ${segments} generators

Written by \`ers-harness load --emit-kubernetes\` for ${baseUrl}. It needs the k6-operator (TestRun, k6.io/v1alpha1) and a storage class
whose volumes several nodes can write (ReadWriteMany) for the claim \`${SAMPLES}\`.

\`\`\`
kubectl create secret generic ${LOGIN_SECRET} --from-literal=username=… --from-literal=password=…
kubectl apply -k .
${runs.join('\n')}
\`\`\`

One cell after the other, in this order: a clear cell needs the policies that its apply cell put on. An apply cell needs endpoints without a
policy. Nothing here prepares the endpoints, reads them back or clears them: \`ers-harness sweep\` clears what is left. No abort rule acts
here either: try the login first (\`ers-harness doctor\`), because accounts are suspended after a few that are refused.

Each runner writes \`<cell>-<pod>.csv\`. Copy them from the volume and add them up; every segment of a cell is named, each once:

\`\`\`
ers-harness report collect ${names[0] ?? 'cell'}.yaml ${names[0] ?? 'cell'}-*.csv
\`\`\`

A missing, doubled, foreign or cut file ends with exit 3, never with a smaller total. The verdict goes as far as the files do: *violated*
(exit 1) where they show the target at fault and the generators on time, else *invalid* (exit 4), never *met*. Whether the generators were
in order and the endpoints hold what was promised is known to runs of the harness itself (\`load --segments N\` is the same path on one machine).
`;
}
