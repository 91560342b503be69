import pLimit from 'p-limit';
import { expect, it } from 'vitest';
import { ofTests } from '../helpers/served.ts';
import { baseFolders } from '../referee/folders/base.ts';
import { folderScenarioOf, runFolderScenario } from '../referee/folders/run-folder.ts';
import { runScenario } from '../referee/run-scenario.ts';
import { describe as inOneLine, type RefereeMode, scenarioOf } from '../referee/scenario.ts';

/** Runs at one time: while one waits for an answer that is late on purpose, others work. */
const AT_ONCE = 4;
const LIMIT_MS = 280_000;

const SEEDS: Readonly<Record<RefereeMode, readonly [first: number, count: number]>> = {
  'own-data': [1, 3],
  full: [1, 2],
  'read-only': [1, 2],
  load: [2004, 1],
};
const FOLDER_SEEDS = [1, 5] as const;

const seeds = ([first, count]: readonly [number, number]) => Array.from({ length: count }, (_, index) => first + index);

/** What broke, a line for each violation: the scenario, the rule, and what was seen. */
async function broken(mode: RefereeMode): Promise<string[]> {
  const slots = pLimit(AT_ONCE);
  const one = async (seed: number) => {
    const scenario = scenarioOf(seed, mode, true);
    const { violations } = await runScenario(scenario);
    return violations.map(({ rule, what }) => `${inOneLine(scenario)}: ${rule}: ${what.slice(0, 400)}`);
  };
  return (await Promise.all(seeds(SEEDS[mode]).map((seed) => slots(() => one(seed))))).flat();
}

it.each(Object.keys(SEEDS) as RefereeMode[])(
  'a run against a deployment that misbehaves keeps every promise in mode %s',
  { timeout: LIMIT_MS },
  async (mode) => {
    expect(await broken(mode)).toEqual([]);
  },
);

const folders = ofTests(baseFolders);

it('a command that reads a run folder from elsewhere keeps every promise, whatever was done to the folder', {
  timeout: LIMIT_MS,
}, async () => {
  const slots = pLimit(AT_ONCE);
  const one = async (seed: number) => {
    const scenario = folderScenarioOf(seed);
    const { violations } = await runFolderScenario(scenario, folders);
    return violations.map(({ rule, what }) => `${JSON.stringify(scenario)}: ${rule}: ${what.slice(0, 400)}`);
  };
  expect((await Promise.all(seeds(FOLDER_SEEDS).map((seed) => slots(() => one(seed))))).flat()).toEqual([]);
});
