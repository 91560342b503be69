// Runs every kind of test, one after the other, and says what passed in one last line.
// All of them run even when one fails: a full picture is worth more than a quick end.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const bin = (name) => join(root, 'node_modules', '.bin', name);
/** The runner would leave one core out; on two cores that is half of them. */
const cores = Math.max(1, availableParallelism());
const scratch = mkdtempSync(join(tmpdir(), 'ers-harness-test-'));

/** A command that passes or fails as a whole. */
function gate(title, command, args) {
  const { status } = spawnSync(command, args, { cwd: root, stdio: ['ignore', 2, 2] });
  return { title, passed: status === 0 ? 1 : 0, failed: status === 0 ? 0 : 1, skipped: 0 };
}

/** The projects of the test runner, counted from its own JSON. A runner that ends badly without a failed test is a failure. */
function suite(title, projects, workers = 1) {
  const file = join(scratch, `${title}.json`);
  const args = [
    'run',
    ...projects.flatMap((name) => ['--project', name]),
    `--maxWorkers=${workers}`,
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${file}`,
  ];
  const { status } = spawnSync(bin('vitest'), args, { cwd: root, stdio: ['ignore', 2, 2] });
  try {
    const {
      numPassedTests: passed,
      numFailedTests: failed,
      numPendingTests: skipped,
    } = JSON.parse(readFileSync(file, 'utf8'));
    const broken = status !== 0 && failed === 0 ? 1 : 0;
    const empty = passed + failed === 0 ? 1 : 0;
    return { title, passed, failed: failed + Math.max(broken, empty), skipped };
  } catch {
    return { title, passed: 0, failed: 1, skipped: 0 };
  }
}

const stages = [
  () => gate('lint', bin('biome'), ['check', '.']),
  () => gate('unused exports', bin('knip'), []),
  () => gate('types', bin('tsc'), ['-p', 'tsconfig.json']),
  () => gate('types of scenarios', bin('tsc'), ['-p', 'scenarios/tsconfig.json']),
  () => suite('unit and property', ['unit', 'property', 'golden'], cores),
  () => suite('integration', ['integration'], cores),
  () => suite('mutants', ['mutants'], cores),
  () => suite('end to end', ['e2e'], cores),
  () => suite('browser', ['browser']),
  // Last and alone: these judge rates and times.
  () => suite('measured', ['e2e/measured']),
];

const results = stages.map((stage) => {
  const started = Date.now();
  const result = stage();
  process.stderr.write(
    `-- ${result.title}: ${result.passed} passed, ${result.failed} failed, ${result.skipped} skipped\n`,
  );
  return { ...result, seconds: (Date.now() - started) / 1000 };
});
rmSync(scratch, { recursive: true, force: true });

const sum = (key) => results.reduce((total, result) => total + result[key], 0);
for (const { title, passed, failed, skipped, seconds } of results) {
  const counts = `${String(passed).padStart(5)} passed ${String(failed).padStart(4)} failed ${String(skipped).padStart(4)} skipped`;
  process.stdout.write(`${title.padEnd(20)} ${counts} ${seconds.toFixed(1).padStart(7)} s\n`);
}
process.stdout.write(`${sum('passed')} passed, ${sum('failed')} failed, ${sum('skipped')} skipped\n`);
process.exitCode = sum('failed') === 0 ? 0 : 1;
