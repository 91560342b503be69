import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readMetrics, seriesOfCell, startSampling } from '../../../load/run/metrics.ts';
import { folderOfTests } from '../../helpers/folder.ts';
import { stubOfTest } from '../../helpers/stub-target.ts';

const scratch = folderOfTests();

function file(name: string, text: string): string {
  const path = join(scratch, name);
  writeFileSync(path, text);
  return path;
}

describe('values beside a load', () => {
  it('are read from a CSV, and cut to the cell', async () => {
    const source = readMetrics(
      file('a.csv', 'time,cpu<=4,heap\n2026-01-01T00:00:01Z,3.9,10\n1767225602.5,4,\n2026-01-01T00:01:00Z,1,1\n'),
    );
    const taken = await startSampling(source).stop();
    const [cpu, heap] = seriesOfCell(taken, '2026-01-01T00:00:00.000Z', 5);
    expect([cpu?.name, cpu?.limit, cpu?.points.flat()]).toEqual(['cpu', 4, [1, 3.9, 2.5, 4]]);
    expect(heap).toEqual({ name: 'heap', points: [[1, 10]] });
  });

  it('are asked of a Prometheus; a query without one value gives none', async () => {
    const asked: string[] = [];
    const { baseUrl } = await stubOfTest(({ url }, response) => {
      const query = new URL(url, 'http://x').searchParams.get('query') ?? '';
      asked.push(query);
      const result = query === 'two' ? [{ value: [1, '1'] }, { value: [1, '2'] }] : [{ value: [1, '0.75'] }];
      response.end(JSON.stringify({ status: 'success', data: { resultType: 'vector', result } }));
    });
    const queries = '{ cpu: { query: one, limit: 1 }, several: { query: two } }';
    const source = readMetrics(file('p.yaml', `prometheus: ${baseUrl}/prom\nqueries: ${queries}\n`));
    const taken = await startSampling(source).stop();
    expect(asked.sort()).toEqual(['one', 'two']);
    const cpu = { name: 'cpu', limit: 1, points: [[expect.any(Number), 0.75]] };
    expect(taken).toMatchObject([cpu, { name: 'several', points: [] }]);
  });

  it.each([
    ['missing.csv', undefined],
    ['b.csv', 'cpu,time\n'],
    ['b.yaml', 'prometheus: nowhere\n'],
  ])('are refused before anything is sent where the file names none: %s', (name, text) => {
    const path = text === undefined ? join(scratch, name) : file(name, text);
    expect(() => readMetrics(path)).toThrow('names no series');
  });
});
