import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { runCli, type ServedDeployment, scratchFolder, serveCli } from '../helpers/cli.ts';

const folder = scratchFolder();
afterAll(() => folder.remove());

async function conformance(served: ServedDeployment, name: string, args: readonly string[]) {
  const out = ['--out', join(folder.path, name), '--history', 'none', '--config', 'none'];
  const { code, stdout } = await runCli(['conformance', '--base-url', served.baseUrl, ...out, ...args], {
    env: served.env,
  });
  return { code, lines: stdout.split('\n'), reasons: stdout.match(/^(?:exit \d+|note): .*$/gm) ?? [] };
}

/** What an older version wrote of a deployment with the seeded defects M05, M20 and M33, before failures had subjects. */
const OLD = `
- cause: [ LST-NEXT/records, VIEW-PORTAL/records, LST-FTYPE/records, FOP-NEQ/records, FOP-NSTARTSW/records, FOP-NENDSW/records, FOP-NCONTAINS/records ]
  check: [ list/complete, view/union, paging/next, filter/excluding, filter/many-criteria, filter/operator, filter/relations ]
  family: "*"
  expires: 2099-12-24
- cause: [ OP-*-R/refused, SPC-NODE/read/refused ]
  check: [ record/read-listed, node/by-name-and-id ]
  family: "*"
  expires: 2099-12-24
- cause: [ PAY-C/value, PAY-U/value, RES-NAMES/value, RES-SGTVAL/value, RES-TYPE/value ]
  check: [ record/create-fields, record/update-fields, record/boolean, number/bounds, number/bounds-by-update, schema/every-answer ]
  family: sgt
  expires: 2099-12-24
- cause: SVC-1/create/records
  check: windows/agree
  family: "*"
  expires: 2099-12-24
`;

describe.concurrent('nights with a baseline', () => {
  it('pass with one that an older version wrote', async () => {
    const file = join(folder.path, 'old.yaml');
    writeFileSync(file, OLD);
    const served = await serveCli(['--sessions', '500', '--defect', 'M05', '--defect', 'M20', '--defect', 'M33']);
    const what = ['--mode', 'own-data', '--family', 'sgt,node,portaltheme', '--baseline', file];
    // Such a file does not say how much stayed undecided, and expected failures excuse only what rests on them.
    const { code, reasons } = await conformance(served, 'old', [...what, '--allow-inconclusive', '3']);
    await served.close();
    expect(reasons.filter((reason) => !reason.startsWith('note'))).toEqual([]);
    expect(code).toBe(0);
  });

  it('are never green in silence on a target that keeps what it is told to delete', async () => {
    const file = join(folder.path, 'kept.yaml');
    const served = await serveCli(['--sessions', '500', '--fault', 'refuse=DELETE:405']);
    const what = ['--mode', 'own-data', '--family', 'portaltheme', '--check', 'record/delete'];
    await conformance(served, 'first', [...what, '--update-baseline', file]);
    expect(readFileSync(file, 'utf8')).toMatch(
      /- requirement: OP-\*-D\n {2}operation: delete\n {2}kind: refused\n {2}subject: request\n/,
    );
    const second = await conformance(served, 'second', [...what, '--baseline', file]);
    expect(second.code).toBe(5);
    expect(second.reasons[0]).toMatch(/^exit 5: left on the target: \d+ records? \(a baseline does not accept that/);
    expect(second.lines).toContainEqual(expect.stringMatching(/^Left behind: .*\d+ records? left on the target/));
    const third = await conformance(served, 'third', [...what, '--baseline', file, '--allow-residue', '50']);
    await served.close();
    expect(third.lines.find((line) => line.startsWith('note: '))).toMatch(
      /^note: left on the target: \d+ records?, accepted by --allow-residue 50/,
    );
    expect(third.lines).toContainEqual(
      expect.stringMatching(/^Nothing new: .*\d+ records? left on the target \(exit 0\)/),
    );
    expect(third.code).toBe(0);
  });
});
