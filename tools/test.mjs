// Runs every kind of test, and says what passed in one last line.
// All of them run even when one fails: a full picture is worth more than a quick end.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const scratch = mkdtempSync(join(tmpdir(), 'ers-harness-test-'));

/** Exit status of a program of node_modules, whose output goes to stderr. */
async function run(name, ...args) {
  const program = join(root, 'node_modules', '.bin', name);
  const [status] = await once(spawn(program, args, { cwd: root, stdio: ['ignore', 2, 2] }), 'close');
  return status;
}

function told(title, passed, failed, skipped, began) {
  const seconds = ((Date.now() - began) / 1000).toFixed(0);
  const text = `${title.padEnd(20)} ${passed} passed, ${failed} failed, ${skipped} skipped in ${seconds} s\n`;
  process.stderr.write(`-- ${text}`);
  return { text, passed, failed, skipped };
}

/** A program that passes or fails as a whole. */
async function gate(title, ...command) {
  const began = Date.now();
  const failed = (await run(...command)) === 0 ? 0 : 1;
  return told(title, 1 - failed, failed, 0, began);
}

/** A project of the test runner. One that ends badly without a test that failed has failed as a whole. */
async function suite(project, workers) {
  const began = Date.now();
  const file = join(scratch, `${project.replace('/', '-')}.json`);
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`];
  const status = await run('vitest', 'run', '--project', project, `--maxWorkers=${workers}`, ...reporters);
  try {
    const counts = JSON.parse(readFileSync(file, 'utf8'));
    const { numPassedTests: passed, numFailedTests, numPendingTests, numTodoTests } = counts;
    const failed = numFailedTests + (status !== 0 && numFailedTests === 0 ? 1 : 0);
    return told(project, passed, failed + (passed + failed === 0 ? 1 : 0), numPendingTests + numTodoTests, began);
  } catch {
    return told(project, 0, 1, 0, began);
  }
}

async function gates() {
  return [
    await gate('types', 'tsc', '-p', 'tsconfig.json'),
    await gate('lint', 'biome', 'check', '.'),
    await gate('unused exports', 'knip'),
    await gate('types of scenarios', 'tsc', '-p', 'scenarios/tsconfig.json'),
  ];
}

const started = Date.now();
const results = [
  // The first tests wait for servers, processes and timers: the gates use what they leave, and more workers than cores are busy.
  ...(await Promise.all([gates(), suite('together', availableParallelism() + 2)])).flat(),
  // Last and alone: these judge rates and times.
  await suite('e2e/measured', 1),
];
rmSync(scratch, { recursive: true, force: true });
for (const { text } of results) process.stdout.write(text);
const sum = (key) => results.reduce((total, result) => total + result[key], 0);
process.stdout.write(`${((Date.now() - started) / 1000).toFixed(0)} s in all\n`);
process.stdout.write(`${sum('passed')} passed, ${sum('failed')} failed, ${sum('skipped')} skipped\n`);
process.exitCode = sum('failed') === 0 ? 0 : 1;
