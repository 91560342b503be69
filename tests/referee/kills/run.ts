// Kills runs, and some sweeps after them, at random moments by SIGKILL, sweeps, and counts: npx tsx tests/referee/kills/run.ts --kills 200 [--seed 1] [--minutes 10]
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { FAMILIES } from '../../../lib/contract/families.ts';
import { hasOp } from '../../../lib/contract/types.ts';
import { seededRandom } from '../../../lib/random.ts';
import { runCli, serveCli } from '../../helpers/cli.ts';
import { folderOfTests } from '../../helpers/folder.ts';
import { targetPrint } from '../../helpers/target-print.ts';

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '200' },
    seed: { type: 'string', default: '1' },
    minutes: { type: 'string', default: '60' },
  },
});

/** Longest time from the first write of a run to its kill, in milliseconds. */
const LONGEST_MS = 9000;
/** Time that k6 has to notice that its parent is gone. */
const ORPHANS_MS = 700;

const random = seededRandom(Number(values.seed));
const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
const families = Object.entries(FAMILIES).flatMap(([name, family]) => (hasOp(family, 'create') ? [name] : []));
const ofFamily = () => ['--family', pick(families)];
const ofAnc = ['--family', 'ancendpoint', '--mode', 'full'];
const operation = () => pick(['apply-by-mac', 'clear-by-mac']);
const COMMANDS: Readonly<Record<string, () => readonly string[]>> = {
  'conformance own-data': () => ['conformance', '--mode', 'own-data', '--depth', 'quick', ...ofFamily()],
  'conformance full': () => ['conformance', '--mode', 'full', '--depth', 'quick'],
  'conformance anc': () => ['conformance', '--depth', 'quick', ...ofAnc],
  'explore own-data': () => ['explore', '--mode', 'own-data', '--for', '20s', ...ofFamily()],
  'explore full': () => ['explore', '--for', '20s', ...ofAnc],
  load: () => ['load', '--profile', '60k', '--operation', operation(), '--duration', '8s'],
  capacity: () => ['capacity', '--for', '20s', '--confirm', '0', '--recovery', '0'],
  verify: () => ['verify', '--mode', 'full', '--depth', 'quick', '--operation', 'apply-by-mac', '--duration', '8s'],
};
/** Share of the sweeps that are killed at a random moment as well; the next one has to end what they began. */
const SWEEPS_KILLED = 0.3;
const LONGEST_SWEEP_MS = 1500;

const served = await serveCli(['--sessions', '9000']);
const folder = folderOfTests();
const pool = ['--endpoints', served.endpoints, '--policy', served.policies[0] ?? ''];
const sum = {
  ...{ kills: 0, over: 0, 'sweeps killed': 0, 'left something': 0 },
  ...{ 'left after sweep': 0, 'said not known': 0, 'false "nothing is left"': 0 },
};
const end = Date.now() + Number(values.minutes) * 60_000;

for (let number = 1; sum.kills < Number(values.kills) && Date.now() < end; number += 1) {
  const name = pick(Object.keys(COMMANDS));
  const command = COMMANDS[name]?.() ?? [];
  const out = join(folder, `run-${number}`);
  const journal = join(out, 'records/journal.ndjson');
  const waitMs = random() * LONGEST_MS;
  const before = await targetPrint(served);
  let timer: NodeJS.Timeout | undefined;
  const { code } = await runCli([...command, '--config', 'none', '--base-url', served.baseUrl, ...pool, '--out', out], {
    env: served.env,
    onLine: (_line, child) => {
      let since = 0;
      timer ??= setInterval(() => {
        // Before the first write there is nothing to leave.
        if (since === 0 && existsSync(journal) && readFileSync(journal).length > 0) since = Date.now();
        if (since > 0 && Date.now() - since >= waitMs) child.kill('SIGKILL');
      }, 5);
    },
  });
  clearInterval(timer);
  if (code !== null) {
    sum.over += 1;
    continue;
  }
  sum.kills += 1;
  await sleep(ORPHANS_MS);
  const isLeft = (await targetPrint(served)) !== before;
  const sweepArgs = ['sweep', '--config', 'none', '--base-url', served.baseUrl, ...pool, '--journal', out];
  if (random() < SWEEPS_KILLED) {
    const killed = await runCli(sweepArgs, {
      env: served.env,
      onStart: (child) => void setTimeout(() => child.kill('SIGKILL'), random() * LONGEST_SWEEP_MS),
    });
    if (killed.code === null) sum['sweeps killed'] += 1;
  }
  const sweep = await runCli(sweepArgs, { env: served.env });
  const after = await targetPrint(served);
  const stays = after !== before;
  const isSaid = sweep.code === 0 || sweep.stdout.includes('nothing is left');
  if (isLeft) sum['left something'] += 1;
  if (stays) sum['left after sweep'] += 1;
  if (sweep.code === 5) sum['said not known'] += 1;
  if (stays && isSaid) sum['false "nothing is left"'] += 1;
  process.stdout.write(
    `${number} ${name} ${command.slice(1).join(' ')}, killed ${Math.round(waitMs)} ms after its first write: ${isLeft ? 'left something' : 'left nothing'}, sweep ${sweep.code}${stays ? ', AND SOMETHING IS LEFT' : ''}\n`,
  );
  if (stays || sweep.code !== 0) {
    const [was, is] = [before, after].map((print) => new Set(print.split('\n'))) as [Set<string>, Set<string>];
    for (const line of is) if (!was.has(line)) process.stdout.write(`  left: ${line}\n`);
    for (const line of was) if (!is.has(line)) process.stdout.write(`  lost: ${line}\n`);
    process.stdout.write(`${(sweep.stdout + sweep.stderr).replace(/^/gm, '  | ').slice(0, 1500)}\n`);
  }
}
process.stdout.write(`${JSON.stringify(sum)}\n`);
rmSync(folder, { recursive: true, force: true });
await served.close();
process.exitCode = sum['left after sweep'] + sum['false "nothing is left"'] === 0 ? 0 : 1;
