import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf, UsageError } from '../../lib/errors.ts';
import { packageRoot, packageVersion } from '../../lib/package-root.ts';
import { pinnedVersion } from '../../load/k6/binary.ts';
import { kubernetesManifests } from '../../load/kubernetes/manifests.ts';
import type { LoadPlan } from '../../load/plan/plan.ts';
import type { Output } from '../output/output.ts';

interface EmitOptions {
  readonly baseUrl?: string | undefined;
  readonly insecure: boolean;
  readonly ca?: string | undefined;
  readonly csrf: boolean;
}

/** A certificate authority to hand to the runners. Throws `UsageError` for a file that is none, or that holds a key. */
function authority(path: string): string {
  let pem: string;
  try {
    pem = readFileSync(path, 'utf8');
  } catch (cause) {
    throw new UsageError('ca-file', `${path} cannot be read: ${messageOf(cause)}`, { cause });
  }
  if (pem.includes('PRIVATE KEY')) {
    throw new UsageError('ca-file', `${path} holds a private key, which has no place in a manifest`, {
      hint: 'name a file with the certificates alone',
    });
  }
  if (pem.includes('-----BEGIN CERTIFICATE-----')) return pem;
  throw new UsageError('ca-file', `${path} holds no certificate`, { hint: 'name a file in PEM form' });
}

/** Writes the manifests of a plan into a folder that is new or empty; nothing is sent. Throws `UsageError`. */
export function emitKubernetes(folder: string, plan: LoadPlan, options: EmitOptions, output: Output): void {
  const ca = options.ca === undefined ? {} : { ca: authority(options.ca) };
  if (existsSync(folder) && readdirSync(folder).length > 0) {
    throw new UsageError('emit-in-use', `${folder} is not empty`, { hint: 'name a new folder' });
  }
  const files = kubernetesManifests(plan, {
    baseUrl: options.baseUrl ?? '',
    insecure: options.insecure,
    csrf: options.csrf,
    ...ca,
    segments: plan.spec.segments,
    k6Version: pinnedVersion(packageRoot()),
    userAgent: `ers-harness/${packageVersion()} (kubernetes)`,
  });
  mkdirSync(folder, { recursive: true });
  for (const { name, content, executable } of files) {
    writeFileSync(join(folder, name), content, { mode: executable === true ? 0o755 : 0o644 });
  }
  output.say(`${files.length} files for ${plan.cells.length} cells in ${folder}; README.md says how to go on`);
}
