import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { readPool } from '../../lib/client/anc/pool.ts';
import { packageRoot } from '../../lib/package-root.ts';
import { type EmitOptions, kubernetesManifests } from '../../load/kubernetes/manifests.ts';
import { planLoad } from '../../load/plan/plan.ts';
import type { LoadGiven } from '../../load/plan/spec.ts';
import { k6Bench } from './k6-run.ts';
import { TestRun } from './test-run-schema.ts';

const SENDER = { insecure: false, csrf: false, k6Version: '2.2.0', userAgent: 'test' };
const NAMED = { pool: readPool('02:00:00:00:00:00+9000@10.0.0.0'), policy: 'Quarantine' };

/** Writes into a folder what is emitted for quick cells of the smallest profile, with the scenarios of the tests; gives the first manifest too. */
export async function emitted(
  folder: string,
  given: LoadGiven,
  sender: Pick<EmitOptions, 'baseUrl'> & Partial<EmitOptions>,
  named: Partial<typeof NAMED> = {},
) {
  const { k6, outdir } = await k6Bench();
  const { pool, policy } = { ...NAMED, ...named };
  const usual = { profiles: ['60k'], operations: ['apply-by-mac'], depth: 'quick' } as const;
  const plan = planLoad({ ...usual, ...given }, { pool, policy });
  const files = kubernetesManifests(plan, {
    ...SENDER,
    ...sender,
    bundle: (operation) => join(outdir, `anc-${operation}.js`),
    scripts: join(packageRoot(), 'load', 'kubernetes', 'pod'),
  });
  mkdirSync(folder, { recursive: true });
  for (const { name, content } of files) writeFileSync(join(folder, name), content, { mode: 0o755 });
  const first = files.find(({ name }) => name.startsWith('ers-'))?.content ?? '';
  return { k6, plan, files, pool, policy, manifest: TestRun.parse(parse(first)) };
}
