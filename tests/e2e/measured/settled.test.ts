import { afterAll, expect, it } from 'vitest';
import { type Answer, afterDelay, ancServerOfTest, closeAncServers } from '../../helpers/anc-server.ts';
import { aSpec, judgeRun, runCellOf } from '../../helpers/k6-run.ts';

afterAll(closeAncServers);

/** Answers so many times late, as a target that has just been started. */
function coldStart(answers: number): Answer {
  let given = 0;
  return (...request) => afterDelay(given++ < answers ? 70 : 20)(...request);
}

// A machine that is busy elsewhere may change the level itself.
it.concurrent.each([
  ['within the warm-up where the target is warm', 0, [0, 1]],
  ['behind the slow answers of a cold start, of which the warm-up sees one second', 250, [2, 4]],
] as const)('a real cell settles %s', { retry: 2 }, async (_name, answers, [least, most]) => {
  const server = await ancServerOfTest(coldStart(answers));
  const spec = aSpec(server.baseUrl, { ratePerSecond: 100, durationSeconds: 8 });
  const { settledSeconds } = judgeRun(await runCellOf(spec), spec);
  expect(settledSeconds).toBeGreaterThanOrEqual(least);
  expect(settledSeconds).toBeLessThanOrEqual(most);
});
