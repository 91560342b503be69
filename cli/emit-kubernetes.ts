import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { UsageError } from '../lib/errors.ts';
import { packageRoot, packageVersion } from '../lib/package-root.ts';
import { pinnedVersion } from '../load/k6-binary.ts';
import { kubernetesManifests } from '../load/kubernetes/manifests.ts';
import type { LoadPlan } from '../load/plan.ts';
import type { Output } from './output.ts';

interface EmitOptions {
  readonly baseUrl?: string;
  readonly insecure?: boolean;
  readonly ca?: string;
  readonly segments?: number;
}

/** Writes the manifests of a plan into a folder that is new or empty; nothing is sent. Throws `UsageError`. */
export function emitKubernetes(folder: string, plan: LoadPlan, options: EmitOptions, output: Output): void {
  if (options.ca !== undefined) {
    throw new UsageError('emit-ca', 'a certificate authority in a local file does not reach the runners', {
      hint: 'put it into an image of your own on top of the stock one, and name that image in the manifests',
    });
  }
  if (existsSync(folder) && readdirSync(folder).length > 0) {
    throw new UsageError('emit-in-use', `${folder} is not empty`, { hint: 'name a new folder' });
  }
  const files = kubernetesManifests(plan, {
    baseUrl: options.baseUrl ?? '',
    insecure: options.insecure === true,
    segments: options.segments ?? 1,
    k6Version: pinnedVersion(packageRoot()),
    userAgent: `ers-harness/${packageVersion()} (kubernetes)`,
  });
  mkdirSync(folder, { recursive: true });
  for (const { name, content } of files) writeFileSync(join(folder, name), content);
  output.say(`${files.length} files for ${plan.cells.length} cells in ${folder}; README.md says how to go on`);
}
