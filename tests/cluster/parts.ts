import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { cacheFolder } from '../../load/k6/binary/cache.ts';

/** Version of Kubernetes that `build-parts.mjs` builds. */
const KUBERNETES = '1.34.4';
const SERVERS = ['etcd', 'kube-apiserver', 'kube-controller-manager', 'kube-scheduler'] as const;
type Server = (typeof SERVERS)[number];

/** Programs of a control plane, by path. */
export interface Parts {
  readonly servers: Readonly<Record<Server, string>>;
  /** The stand-in of this folder for the kubelets; undefined where it was not built. */
  readonly kubelet: string | undefined;
  /** Folder with the CRDs of the k6-operator; undefined where the caller named none. */
  readonly crds: string | undefined;
}

/** The parts that a control plane needs, or the reason why there is none. */
export function findParts(): Parts | { readonly missing: string } {
  const folder = process.env['ERS_KUBE_BIN'] ?? join(cacheFolder(process.env), 'kubernetes', KUBERNETES);
  const absent = SERVERS.filter((name) => !existsSync(join(folder, name)));
  if (absent.length > 0)
    return {
      missing: `${folder} has no ${absent.join(', ')}: set ERS_KUBE_BIN, or run node tests/cluster/build-parts.mjs`,
    };
  if (spawnSync('kubectl', ['version', '--client']).status !== 0) return { missing: 'kubectl is not on PATH' };
  const crds = process.env['ERS_K6_OPERATOR_CRDS'];
  const servers = Object.fromEntries(SERVERS.map((name) => [name, join(folder, name)])) as Parts['servers'];
  const kubelet = [join(folder, 'kubelet-stand-in')].find(existsSync);
  return { servers, kubelet, crds: crds !== undefined && existsSync(crds) ? crds : undefined };
}
