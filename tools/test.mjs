// Runs every kind of test, and says what passed in one last line.
// All of them run even when one fails: a full picture is worth more than a quick end.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const bin = (name) => join(root, 'node_modules', '.bin', name);
/** The runner would leave one core out; on two cores that is half of them. */
const cores = Math.max(1, availableParallelism());
const scratch = mkdtempSync(join(tmpdir(), 'ers-harness-test-'));

/** Exit status of a command, whose output goes to stderr. */
async function run(command, args) {
  const [status] = await once(spawn(command, args, { cwd: root, stdio: ['ignore', 2, 2] }), 'close');
  return status;
}

/** A command that passes or fails as a whole. */
async function gate(title, command, args) {
  const began = Date.now();
  const status = await run(command, args);
  const passed = status === 0 ? 1 : 0;
  return { title, passed, failed: 1 - passed, skipped: 0, seconds: (Date.now() - began) / 1000 };
}

function countsOf(kind, files) {
  const own = files.filter(({ name }) => relative(join(root, 'tests'), name).startsWith(`${kind}/`));
  const states = own.flatMap(({ assertionResults }) => assertionResults.map(({ status }) => status));
  const count = (...wanted) => states.filter((status) => wanted.includes(status)).length;
  // A file that could not be loaded holds no test that failed.
  const broken = own.filter(({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0);
  const milliseconds = own.reduce((sum, { startTime, endTime }) => sum + Math.max(0, endTime - startTime), 0);
  return {
    title: kind,
    passed: count('passed'),
    failed: count('failed') + broken.length,
    skipped: count('pending', 'skipped', 'todo', 'disabled'),
    seconds: milliseconds / 1000,
  };
}

/** Runs a project of the test runner; a result of each kind of test in it. A runner that ends badly without a failed test is a failure. */
async function suites(project, kinds, workers) {
  const file = join(scratch, `${project.replace('/', '-')}.json`);
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`];
  const args = ['run', '--project', project, `--maxWorkers=${workers}`, ...reporters];
  const status = await run(bin('vitest'), args);
  try {
    const { testResults } = JSON.parse(readFileSync(file, 'utf8'));
    const results = kinds.map((kind) => {
      const counts = countsOf(kind, testResults);
      return { ...counts, failed: counts.failed + (counts.passed + counts.failed === 0 ? 1 : 0) };
    });
    const isBroken = status !== 0 && results.every(({ failed }) => failed === 0);
    return isBroken ? [...results, { title: 'test runner', passed: 0, failed: 1, skipped: 0, seconds: 0 }] : results;
  } catch {
    return [{ title: project, passed: 0, failed: 1, skipped: 0, seconds: 0 }];
  }
}

/** More than the cores: many tests wait for a server, a process or a timer. */
const SIDE_BY_SIDE = cores + 2;

async function gates() {
  return [
    await gate('types', bin('tsc'), ['-p', 'tsconfig.json']),
    await gate('lint', bin('biome'), ['check', '.']),
    await gate('unused exports', bin('knip'), []),
    await gate('types of scenarios', bin('tsc'), ['-p', 'scenarios/tsconfig.json']),
  ];
}

const KINDS = ['unit', 'property', 'golden', 'integration', 'mutants', 'e2e', 'browser'];

const started = Date.now();
const tell = (ran) => {
  for (const { title, passed, failed, skipped } of ran)
    process.stderr.write(`-- ${title}: ${passed} passed, ${failed} failed, ${skipped} skipped\n`);
  return ran;
};
const results = [
  // The first tests wait for servers and processes: the gates use what they leave.
  ...tell((await Promise.all([gates(), suites('together', KINDS, SIDE_BY_SIDE)])).flat()),
  // Last and alone: these judge rates and times.
  ...tell(await suites('e2e/measured', ['e2e/measured'], 1)),
];
rmSync(scratch, { recursive: true, force: true });

const sum = (key) => results.reduce((total, result) => total + result[key], 0);
// Seconds of what runs side by side are added up, so they are more than the whole.
for (const { title, passed, failed, skipped, seconds } of results) {
  const counts = `${String(passed).padStart(5)} passed ${String(failed).padStart(4)} failed ${String(skipped).padStart(4)} skipped`;
  process.stdout.write(`${title.padEnd(20)} ${counts} ${seconds.toFixed(1).padStart(7)} s\n`);
}
process.stdout.write(`${((Date.now() - started) / 1000).toFixed(0)} s in all\n`);
process.stdout.write(`${sum('passed')} passed, ${sum('failed')} failed, ${sum('skipped')} skipped\n`);
process.exitCode = sum('failed') === 0 ? 0 : 1;
