// Runs the referee by hand: npm run referee -- --seeds 1000 --mode own-data [--from 1] [--at-once 4] [--small] [--keep DIR]
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { baseFolders } from './folders/base.ts';
import { folderScenarioOf, runFolderScenario } from './folders/run-folder.ts';
import { runScenario } from './run-scenario.ts';
import { describe, type RefereeMode, scenarioOf } from './scenario.ts';

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '50' },
    from: { type: 'string', default: '1' },
    mode: { type: 'string', default: 'own-data' },
    'at-once': { type: 'string', default: '3' },
    small: { type: 'boolean', default: false },
    findings: { type: 'string' },
    keep: { type: 'string' },
  },
});
const mode = values.mode as RefereeMode;
const from = Number(values.from);
const seeds = Array.from({ length: Number(values.seeds) }, (_, index) => from + index);
const say = (line: string) => process.stdout.write(`${line}\n`);
const findings: string[] = [];
const rules: Record<string, number> = {};
const codes: Record<string, number> = {};
let failed = 0;
const peak = { kib: 0, fds: 0, seconds: 0 };
const folders = values.mode === 'folders' ? await baseFolders() : undefined;

/** Runs what a seed stands for; gives how it ended, what it broke, and what it was in a line or two. */
async function runSeed(seed: number) {
  if (folders !== undefined) {
    const scenario = folderScenarioOf(seed);
    const { command, base, tamperings } = scenario;
    const verdict = await runFolderScenario(scenario, folders);
    return { ...verdict, about: [`seed ${seed}, folders, ${command} on ${base}: ${tamperings.join('; ')}`] };
  }
  const scenario = scenarioOf(seed, mode, values.small);
  const verdict = await runScenario(scenario, values.keep);
  const { changed, requests } = verdict;
  return { ...verdict, about: [describe(scenario), `  changed ${JSON.stringify(changed)}, ${requests} requests`] };
}

async function one(seed: number): Promise<void> {
  const { ended, violations, about } = await runSeed(seed);
  codes[String(ended.code)] = (codes[String(ended.code)] ?? 0) + 1;
  peak.kib = Math.max(peak.kib, ended.peakKib);
  peak.fds = Math.max(peak.fds, ended.peakFds);
  peak.seconds = Math.max(peak.seconds, ended.seconds);
  if (violations.length === 0) return;
  failed += 1;
  for (const rule of new Set(violations.map((violation) => violation.rule))) rules[rule] = (rules[rule] ?? 0) + 1;
  const lines = [
    ...about,
    `  exit ${ended.code}, ${ended.seconds.toFixed(1)} s`,
    ...violations.slice(0, 6).map(({ rule, what }) => `  ${rule}: ${what.slice(0, 400)}`),
  ];
  findings.push(...lines);
  for (const line of lines) say(line);
  if (values.findings !== undefined) writeFileSync(values.findings, `${findings.join('\n')}\n`);
}

const begun = performance.now();
const queue = [...seeds];
let done = 0;
const PROGRESS_EVERY = 50;

const tally = () =>
  `${done} of ${seeds.length} seeds, ${mode}: ${failed} with violations ${JSON.stringify(rules)}; exit codes ${JSON.stringify(codes)}; peak ${Math.round(peak.kib / 1024)} MiB, ${peak.fds} files, ${peak.seconds.toFixed(0)} s; ${((performance.now() - begun) / 1000).toFixed(0)} s`;
// What was found by then is worth keeping: seeds that have begun end, and no further one begins.
process.once('SIGINT', () => queue.splice(0));

await Promise.all(
  Array.from({ length: Number(values['at-once']) }, async () => {
    for (let seed = queue.shift(); seed !== undefined; seed = queue.shift()) {
      await one(seed);
      done += 1;
      if (done % PROGRESS_EVERY === 0) process.stderr.write(`${tally()}\n`);
    }
  }),
);
say(tally());
process.exitCode = failed === 0 ? 0 : 1;
folders?.close();
