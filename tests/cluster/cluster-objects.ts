/** A namespace that takes only pods that PodSecurity *restricted* allows. */
export function namespaceManifest(name: string): string {
  const labels = { 'pod-security.kubernetes.io/enforce': 'restricted' };
  return JSON.stringify({ apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels } });
}

/** A volume for the claim of the samples, in a folder of this machine. */
export function samplesVolume(path: string): string {
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: { name: 'samples' },
    spec: { capacity: { storage: '10Gi' }, accessModes: ['ReadWriteMany'], hostPath: { path } },
  });
}

/** A TestRun of any fields, where the definition of the operator is not at hand. */
export function openTestRuns(): string {
  const names = { kind: 'TestRun', listKind: 'TestRunList', plural: 'testruns', singular: 'testrun' };
  const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
  return JSON.stringify({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'testruns.k6.io' },
    spec: {
      group: 'k6.io',
      scope: 'Namespaced',
      names,
      versions: [{ name: 'v1alpha1', served: true, storage: true, schema }],
    },
  });
}
