import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type * as z from 'zod';
import { defined } from '../../lib/defined.ts';
import { UsageError } from '../../lib/errors.ts';
import { packageRoot, packageVersion } from '../../lib/package-root.ts';
import { makeFolder } from '../../lib/records/folder/disk.ts';
import { counted } from '../../lib/text.ts';
import { pinnedVersion } from '../../load/k6/binary/binary.ts';
import { checkEmitted, clusterCells } from '../../load/kubernetes/cluster-cell.ts';
import { type EmittedFile, kubernetesManifests } from '../../load/kubernetes/manifests.ts';
import type { LoadPlan } from '../../load/plan/plan.ts';
import { readAuthority } from '../options/client-certificate.ts';
import type { LoadCommandSpec } from '../options/specs.ts';
import { type Output, writing } from '../output/output.ts';
import type { Cluster } from './load.ts';

type EmitOptions = Pick<z.output<typeof LoadCommandSpec>, 'baseUrl' | 'insecure' | 'ca' | 'csrf'>;

/** A certificate authority to hand to the runners. Throws `UsageError` for a file that is none, or that holds a key. */
function authority(path: string): string {
  const pem = readAuthority(path);
  if (!pem.includes('PRIVATE KEY')) return pem;
  throw new UsageError('ca-file', `${path} contains a private key, which must not go into a manifest`, {
    hint: 'name a file that holds only certificates',
  });
}

function manifestsOf(plan: LoadPlan, options: EmitOptions): EmittedFile[] {
  const { baseUrl = '', insecure, csrf, ca } = options;
  return kubernetesManifests(plan, {
    ...{ baseUrl, insecure, csrf },
    ...defined({ ca: ca && authority(ca) }),
    k6Version: pinnedVersion(packageRoot()),
    userAgent: `ers-harness/${packageVersion()} (kubernetes)`,
  });
}

const isUsed = (folder: string): boolean => existsSync(folder) && readdirSync(folder).length > 0;

/** Writes the manifests of a plan into a folder that is new or empty; nothing is sent. Throws `UsageError`. */
export function emitKubernetes(folder: string, plan: LoadPlan, options: EmitOptions, output: Output): void {
  if (isUsed(folder)) throw new UsageError('emit-in-use', `${folder} is not empty`, { hint: 'name a new folder' });
  const files = manifestsOf(plan, options);
  writing(folder, '--emit-kubernetes or --cluster', () => {
    makeFolder(folder);
    for (const { name, content, executable } of files)
      writeFileSync(join(folder, name), content, { mode: executable === true ? 0o755 : 0o644 });
  });
  output.say(
    `${counted(files.length, 'file')} for ${counted(plan.cells.length, 'cell')} in ${folder}; see its README.md for the next steps`,
  );
}

/** Runners of a cluster: emits into the folder where it is new, else it has to hold what would be emitted. Throws `UsageError`. */
export function clusterOf(folder: string, plan: LoadPlan, options: EmitOptions, output: Output): Cluster {
  if (isUsed(folder)) checkEmitted(folder, manifestsOf(plan, options));
  else emitKubernetes(folder, plan, options, output);
  const k6Version = pinnedVersion(packageRoot());
  return {
    k6: { path: `grafana/k6:${k6Version}`, version: k6Version, sha256: '' },
    cells: ({ id }) =>
      clusterCells({ folder, runId: id, csrf: options.csrf, k6Version, env: process.env, say: output.say }),
  };
}
