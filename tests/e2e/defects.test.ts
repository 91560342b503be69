import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { Report } from '../../lib/records/report.ts';
import { runCli, scratchFolder, serveCli } from '../helpers/cli.ts';

const folder = scratchFolder();
afterAll(() => folder.remove());

/** Seeded defect → a requirement that a failing check has to name. */
const TEN: readonly (readonly [defect: string, requirement: RegExp])[] = [
  ['M10', /^(OP-.*-U|PAY-U)$/],
  ['M13', /^(OP-.*-D|SVC-1)$/],
  ['M19', /^VIEW-PORTAL$/],
  ['M27', /^FOP-EQ$/],
  ['M31', /^FOP-(STARTSW|ENDSW)$/],
  ['M36', /^LST-FTYPE$/],
  ['M40', /^(LST-SORT|RES-TYPE)$/],
  ['M43', /^(LST-PAGE|LST-NEXT)$/],
  ['M46', /^LST-NEXT$/],
  ['M54', /^SPC-ANC$/],
];

describe('a deployment with a seeded defect', () => {
  it.each(TEN)(
    '%s ends the command with exit 1 and a failing check of the right requirement',
    async (defect, requirement) => {
      const served = await serveCli(['--sessions', '2000', '--defect', defect]);
      const out = join(folder.path, defect);
      const full = ['--mode', 'full', '--endpoints', served.endpoints, '--policy', served.policies[0] ?? ''];
      const { code } = await runCli(['conformance', '--base-url', served.baseUrl, ...full, '--out', out], {
        env: served.env,
      });
      await served.close();
      const report = Report.parse(JSON.parse(readFileSync(join(out, 'report.json'), 'utf8')));
      const failed = report.conformance?.results.filter(({ verdict }) => verdict === 'fail') ?? [];
      expect(failed.map((result) => result.requirement)).toContainEqual(expect.stringMatching(requirement));
      expect([1, 5]).toContain(code);
      // A deployment that keeps what it was told to delete leaves residue, which is said first.
      expect(code === 5).toBe(defect === 'M13');
    },
  );
});
