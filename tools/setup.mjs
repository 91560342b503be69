// Prepares a fresh clone, or does nothing when it is prepared: dependencies from the lockfile, bundles, k6.
// Plain JavaScript without dependencies, because it runs before there are any.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, lstatSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const stampFile = join(root, 'node_modules', '.ers-harness-lock');

/** Runs a command with its output on stderr; ends with its code when it fails. */
function run(title, command, args) {
  process.stderr.write(`setup: ${title}\n`);
  const { status, error } = spawnSync(command, args, {
    cwd: root,
    stdio: ['ignore', 2, 2],
    shell: process.platform === 'win32',
  });
  if (error !== undefined || status !== 0) {
    process.stderr.write(`setup: ${title} failed (${error?.message ?? `exit ${status}`})\n`);
    process.exit(status === null || status === 0 ? 70 : status);
  }
}

if (Number.parseInt(process.versions.node, 10) < 22)
  process.stderr.write(`setup: Node 22 or later is tested, this is ${process.versions.node}\n`);
if (lstatSync(join(root, 'node_modules'), { throwIfNoEntry: false })?.isSymbolicLink()) {
  // npm ci would follow the link and empty the folder that another clone uses.
  process.stderr.write(
    `setup: node_modules is a symbolic link; remove the link, so that this clone gets a folder of its own\n`,
  );
  process.exit(2);
}
const lock = readFileSync(join(root, 'package-lock.json'));
const lockDigest = createHash('sha256').update(lock).digest('hex');
if (!existsSync(stampFile) || readFileSync(stampFile, 'utf8') !== lockDigest) {
  run('installing dependencies from the lockfile', 'npm', ['ci', '--no-fund', '--no-audit', '--loglevel=error']);
  mkdirSync(dirname(stampFile), { recursive: true });
  writeFileSync(stampFile, lockDigest);
}
run('building', process.execPath, ['build.mjs', '--if-changed']);
run('looking for k6', process.execPath, ['dist/ers-harness.js', 'setup-k6']);
