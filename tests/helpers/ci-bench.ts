import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { packageRoot } from '../../lib/package-root.ts';
import { runCli, type ServedDeployment, serveCli } from './cli.ts';
import { folderOfTests } from './folder.ts';
import { pack } from './tarball.ts';

const SHORT = { family: ['sgt'], check: ['filter/operator'] };

export const example = (name: string): string => readFileSync(join(packageRoot(), 'deploy', 'ci', name), 'utf8');

/** What pipelines are tried with: the packed package, a deployment with a known defect, which the baseline names, and one with a new defect as well. */
export async function ciBench() {
  const scratch = folderOfTests();
  const login = { ERS_USERNAME: 'tester', ERS_PASSWORD: 'a-password-for-tests' };
  const [known, broken] = await Promise.all([
    serveCli(['--sessions', '500', '--defect', 'M27'], login),
    serveCli(['--sessions', '500', '--defect', 'M27', '--defect', 'M29'], login),
  ]);
  const baseline = join(scratch, 'ers-baseline.yaml');
  const first = ['--base-url', known.baseUrl, '--mode', 'own-data', '--out', join(scratch, 'first')];
  const short = ['--family', ...SHORT.family, '--check', ...SHORT.check];
  await runCli(['conformance', ...first, ...short, '--update-baseline', baseline], { env: login });
  const folder = (name: string) => {
    const path = join(scratch, name);
    mkdirSync(path);
    return path;
  };
  return {
    tarball: join(scratch, pack(scratch).filename),
    ...{ known, broken, folder },
    /** A checkout with ers-baseline.yaml, and the example of ers-harness.yaml for this deployment, kept short. */
    checkout(name: string, { baseUrl }: ServedDeployment) {
      const path = folder(name);
      copyFileSync(baseline, join(path, 'ers-baseline.yaml'));
      const config = parse(example('ers-harness.yaml'));
      config.targets.staging['base-url'] = baseUrl;
      writeFileSync(join(path, 'ers-harness.yaml'), stringify({ ...config, conformance: SHORT }));
      return path;
    },
    async close() {
      await Promise.all([known.close(), broken.close()]);
    },
  };
}
