import { existsSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { afterDelay, ancServerOfTest, closeAncServers } from '../../helpers/anc-server.ts';
import { aSpec, judgeRun, runCellOf } from '../../helpers/k6-run.ts';

afterAll(closeAncServers);

/** Repetitions of each; ERS_REPEATS=10 is the full proof. */
const REPEATS = Number(process.env['ERS_REPEATS'] ?? 2);

/** Stops and continues a process in a duty cycle, 0.2 s of 0.5 s stopped, until it is gone. */
function dutyCycle(pid: number): () => void {
  const send = (signal: NodeJS.Signals) => existsSync(`/proc/${pid}`) && process.kill(pid, signal);
  const stop = setInterval(send, 500, 'SIGSTOP');
  const timers: NodeJS.Timeout[] = [];
  const resume = setInterval(() => timers.push(setTimeout(send, 200, 'SIGCONT')), 500);
  return () => [stop, resume, ...timers].forEach(clearTimeout);
}

const repeats = Array.from({ length: REPEATS }, (_, at) => at + 1);

describe.concurrent('what a cell that is not met is put down to', () => {
  it.each(repeats)('is the generator, when k6 alone is stopped and continued (%i)', async () => {
    const server = await ancServerOfTest(afterDelay(1));
    const spec = aSpec(server.baseUrl, { connections: 100, durationSeconds: 4 });
    let end = () => {};
    const run = await runCellOf(spec, {
      onSpawn: (pid) => {
        end = dutyCycle(pid);
      },
    }).finally(() => end());
    expect(judgeRun(run, spec).verdict).toBe('invalid');
  });

  // The product runs an invalid cell once more; so does the test. Met it must never be, and a calm machine needs no second try.
  it.each(repeats)('is the target, when it is slow (%i)', async () => {
    const server = await ancServerOfTest(afterDelay(250));
    const spec = aSpec(server.baseUrl, { connections: 30, durationSeconds: 4 });
    const verdicts: string[] = [];
    for (let attempt = 0; attempt < 3 && verdicts.at(-1) !== 'violated'; attempt += 1) {
      verdicts.push(judgeRun(await runCellOf(spec), spec).verdict);
    }
    expect(verdicts).not.toContain('met');
    expect(verdicts.at(-1)).toBe('violated');
    if (verdicts.length > 1) process.stderr.write(`a busy machine: ${verdicts.join(', ')}\n`);
  });
});
