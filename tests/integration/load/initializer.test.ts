import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, symlinkSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readPool } from '../../../lib/client/anc/pool.ts';
import { emitted } from '../../helpers/emitted.ts';
import { folderOfTests } from '../../helpers/folder.ts';
import { ofTests } from '../../helpers/served.ts';
import { GENERATIONS, initializerCommand } from '../../helpers/test-run-schema.ts';

const root = folderOfTests();

/** What a shell would read something into. */
const ODD = `Q "a" 'b' $(touch touched) \`touch touched\` ; $HOME \\ * (c) $(ERS_LOAD_CELL)`;

const made = ofTests(() => {
  const sender = { baseUrl: 'http://[::1]:9060/a&b', csrf: true, userAgent: ODD };
  const named = { pool: readPool('02:00:00:00:00:00+20000@10.0.0.0'), policy: ODD };
  return emitted(root, { segments: 2, connections: 20 }, sender, named);
}, 120_000);

/** Runs the command of an initializer as a kubelet does, in a folder in place of the file system of the pod. */
function initialize(argv: readonly string[]) {
  const folder = mkdtempSync(join(root, 'pod-'));
  mkdirSync(join(folder, 'bin'));
  symlinkSync(made.k6.path, join(folder, 'bin', 'k6'));
  const { script, initializer } = made.manifest.spec;
  const given = (initializer?.env ?? []).map((one) => [one.name, 'value' in one ? one.value : ''] as const);
  const inPod = argv.map((word) => {
    const expanded = given.reduce((text, [name, value]) => text.replaceAll(`$(${name})`, value), word);
    return expanded.replaceAll('/tmp/', `${folder}/`).replaceAll('/test/', `${root}/`);
  });
  const path = [join(folder, 'bin'), process.env['PATH']].join(delimiter);
  const env = { ...Object.fromEntries(given), HOME: folder, PATH: path };
  const [program = '', ...args] = inPod;
  const { status, stdout, stderr } = spawnSync(program, args, { env, cwd: folder, encoding: 'utf8', timeout: 60_000 });
  const archive = join(folder, `${script.configMap.file}.archived.tar`);
  const told = spawnSync('tar', ['-xOf', archive, 'metadata.json'], { encoding: 'utf8' }).stdout;
  const read = (told === '' ? {} : JSON.parse(told).env) as Record<string, string>;
  return { status, wrote: readdirSync(folder), said: stdout + stderr, env: read };
}

describe('the initializer of the operator', () => {
  it.each(GENERATIONS)(
    'of %s reads the scenario with the numbers of the cell, whatever the other values hold',
    (version) => {
      const { status, said, wrote, env } = initialize(initializerCommand(made.manifest, version));
      expect([status, said]).toEqual([0, expect.stringContaining('"maxVUs": 20')]);
      const told = JSON.parse(Buffer.from(env['ERS_LOAD_CELL'] ?? '', 'base64url').toString()) as unknown;
      expect(told).toMatchObject({ ratePerSecond: 250, connections: 20, policyName: ODD, userAgent: ODD });
      expect(wrote).not.toContain('touched');
    },
  );

  it('finds the scenarios in a ConfigMap, which holds 1 MiB', () => {
    const sizes = made.files.map(({ name, content }) => (name.endsWith('.js') ? Buffer.byteLength(content) : 0));
    expect(sizes.reduce((sum, size) => sum + size)).toBeGreaterThan(0);
    expect(5 * Math.max(...sizes)).toBeLessThan(1_048_576);
  });
});
