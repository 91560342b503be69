import { copyFileSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../lib/package-root.ts';
import { runCli, type ServedDeployment, scratchFolder, serveCli } from './cli.ts';
import { pack } from './tarball.ts';

/** What pipelines are tried with: the packed package, and a deployment before and after it broke. */
export interface CiBench {
  readonly tarball: string;
  /** Has a known defect, which the baseline names. */
  readonly known: ServedDeployment;
  /** Has a new defect as well. */
  readonly broken: ServedDeployment;
  /** Options that keep the run short. */
  readonly options: string;
  /** A checkout with ers-baseline.yaml. */
  readonly checkout: (name: string) => string;
  readonly close: () => Promise<void>;
}

const OPTIONS = ['--family', 'sgt', '--check', 'filter/operator'];

/** The example of this name in deploy/ci. */
export const example = (name: string): string => readFileSync(join(packageRoot(), 'deploy', 'ci', name), 'utf8');

export async function ciBench(): Promise<CiBench> {
  const scratch = scratchFolder();
  const login = { ERS_USERNAME: 'tester', ERS_PASSWORD: 'a-password-for-tests' };
  const [known, broken] = await Promise.all([
    serveCli(['--sessions', '500', '--defect', 'M27'], login),
    serveCli(['--sessions', '500', '--defect', 'M27', '--defect', 'M29'], login),
  ]);
  const baseline = join(scratch.path, 'ers-baseline.yaml');
  const first = ['--base-url', known.baseUrl, '--mode', 'own-data', '--out', join(scratch.path, 'first')];
  await runCli(['conformance', ...first, ...OPTIONS, '--update-baseline', baseline], { env: login });
  return {
    tarball: join(scratch.path, pack(scratch.path).filename),
    known,
    broken,
    options: OPTIONS.join(' '),
    checkout(name) {
      const folder = join(scratch.path, name);
      mkdirSync(folder);
      copyFileSync(baseline, join(folder, 'ers-baseline.yaml'));
      return folder;
    },
    async close() {
      await Promise.all([known.close(), broken.close()]);
      scratch.remove();
    },
  };
}
