import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { packageRoot } from '../../lib/package-root.ts';
import { originOf } from '../../load/k6/binary/binary.ts';
import { pairsOf, stageScript, stagesOf, valuesOf } from '../helpers/containerfile.ts';
import { folderOfTests } from '../helpers/folder.ts';
import { pack } from '../helpers/tarball.ts';

const scratch = folderOfTests();
const at = (...path: string[]) => join(scratch, ...path);

const [k6, npm, image] = stagesOf(readFileSync(join(packageRoot(), 'deploy', 'container', 'Containerfile'), 'utf8'));
const canMount = spawnSync('unshare', ['-m', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt']).status === 0;
const hasGo = spawnSync('go', ['version'], { encoding: 'utf8' }).stdout?.includes(
  k6?.from.match(/\d+\.\d+\.\d+/)?.[0] ?? '?',
);

/** Runs a script as root in a mount namespace of its own; what it mounts is gone afterwards. */
function alone(script: string, ...more: readonly string[]) {
  writeFileSync(at('script'), script);
  return spawnSync('unshare', ['-m', ...more, 'sh', at('script')], { encoding: 'utf8', maxBuffer: 2 ** 26 });
}

/** Commands that take a path out of a view, links followed as an image has them. */
const keep = (root: string, path: string) =>
  `mkdir -p ${at('kept', path, '..')} && cp -a ${root}${path} ${at('kept', path)}`;

describe('the container image, as far as it goes without an engine', () => {
  beforeEach((context) => {
    if (process.getuid?.() !== 0 || !canMount) context.skip('only root can mount here');
    if (!hasGo) context.skip(`no Go of ${k6?.from}`);
  });

  it('is made by instructions that each do what they should', () => {
    if (k6 === undefined || npm === undefined) throw new Error('stages are missing');
    mkdirSync(at('context'), { recursive: true });
    pack(at('context'));
    const node = spawnSync(
      'npm',
      ['install', '--prefix', at('node'), '--no-fund', '--no-audit', `node-linux-${process.arch}@22`],
      { encoding: 'utf8' },
    );
    expect(node.status, node.stderr).toBe(0);
    const root = at('view');
    const made = alone(
      [stageScript(k6, root, at('context')), keep(root, '/k6'), keep(root, '/licenses/k6')].join('\n'),
    );
    expect(made.status, made.stderr).toBe(0);
    // What the Node image brings: the program and its license.
    const brought = `mkdir -p ${root}/usr/local/bin && cp ${at('node', 'node_modules', `node-linux-${process.arch}`, 'bin/node')} ${root}/usr/local/bin/node && cp ${at('node', 'node_modules', `node-linux-${process.arch}`, 'LICENSE')} ${root}/usr/local/LICENSE`;
    const script = stageScript(npm, root, at('context')).replace(/^(mount --rbind .*)$/m, `$1\n${brought}`);
    const kept = ['/usr/local/bin/node', '/licenses/node', '/opt/ers-harness/lib/node_modules', '/empty'];
    const installed = alone([script, ...kept.map((path) => keep(root, path))].join('\n'));
    expect(installed.status, installed.stderr).toBe(0);
    const digest = createHash('sha256')
      .update(readFileSync(at('kept/k6')))
      .digest('hex');
    expect(originOf(digest)).toContain('built from tools/k6');
    expect(readFileSync(at('kept/licenses/k6/LICENSE.md'), 'utf8')).toContain('GNU AFFERO GENERAL PUBLIC LICENSE');
  });

  it('verifies as nobody, on a read-only root with nothing but what is copied, without a network', () => {
    const root = at('root');
    const copies = valuesOf(image, 'COPY').map((value) => value.split(' ').filter((part) => !part.startsWith('--')));
    const [user = ''] = valuesOf(image, 'USER');
    const [uid, gid] = user.split(':');
    const env = Object.entries(Object.assign({}, ...valuesOf(image, 'ENV').map(pairsOf))).map((pair) => pair.join('='));
    const [entry = '[]'] = valuesOf(image, 'ENTRYPOINT');
    const command = [...JSON.parse(entry), 'verify', '--profile', '60k', '--duration', '2s'].join(' ');
    const libraries = `ldd ${at('kept/usr/local/bin/node')} | grep -o '/[^ ]*'`;
    const script = [
      'set -eu',
      'ip link set lo up',
      `mkdir -p ${root} && mount -t tmpfs tmpfs ${root} && mkdir -p ${root}/tmp ${root}/proc ${root}/dev`,
      ...copies.map(([from, to]) => `mkdir -p ${root}$(dirname ${to}) && cp -a ${at('kept')}${from} ${root}${to}`),
      `du -sb ${root} | cut -f1 > ${at('size')}`,
      // Of the base image: the C and C++ libraries.
      `for file in $(${libraries}); do mkdir -p ${root}$(dirname $file) && cp -L $file ${root}$file; done`,
      `for file in null zero urandom; do touch ${root}/dev/$file && mount --bind /dev/$file ${root}/dev/$file; done`,
      `mount -t proc proc ${root}/proc`,
      `mount -t tmpfs tmpfs ${root}/tmp && mount -t tmpfs -o uid=${uid},gid=${gid} tmpfs ${root}/work`,
      `mount -o remount,ro ${root}`,
      `env -i ${env.join(' ')} unshare --root=${root} --wd=/work --setgid=${gid} --setuid=${uid} ${command}`,
    ].join('\n');
    const { status, stdout, stderr } = alone(script, '-n');
    expect(status, `${stdout}${stderr}`).toBe(0);
    expect(stdout).toContain('(exit 0)');
    // The base image has about 25 MB of its own. The release measures the image itself.
    expect(Number(readFileSync(at('size'), 'utf8')) / 1e6 + 25).toBeLessThan(250);
  });
});
