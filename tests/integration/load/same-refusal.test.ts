import { afterAll, describe, expect, it } from 'vitest';
import { DEFAULT_ABORT } from '../../../load/plan/abort-rules.ts';
import { ancServerOfTest, closeAncServers } from '../../helpers/anc-server.ts';
import { aSpec, runCellOf } from '../../helpers/k6-run.ts';

afterAll(closeAncServers);

describe('a cell whose operation is refused', () => {
  it('ends after the first 50 answers, with the words of the target in the record', async () => {
    let asked = 0;
    const server = await ancServerOfTest((_request, _body, response) => {
      asked += 1;
      const title = `Session lookup failure, "associated" with ip 10.0.0.${asked % 200}`;
      response
        .writeHead(400, { 'Content-Type': 'application/json' })
        .end(JSON.stringify({ ERSResponse: { messages: [{ title, type: 'ERROR' }] } }));
    });
    const run = await runCellOf(aSpec(server.baseUrl), { abort: DEFAULT_ABORT });
    expect(run.stopped?.rule).toBe('same-refusal');
    expect(run.stopped?.says).toMatch(/^400 "Session lookup failure, "associated" with ip 10\.0\.0\.\d+"$/);
    expect(run.failures).toHaveLength(1);
    expect(run.failures[0]?.example).toContain('Session lookup failure');
    expect(server.bodies.length).toBeLessThan(DEFAULT_ABORT.alike * 3);
  });
});
