import { describe, expect, it } from 'vitest';
import { NULL_TARGETS } from '../../../reference/null-targets/table.ts';
import { serveOne } from './ask.ts';

const body = { Sgt: { name: 'anything', value: -1 } };

describe('a null target', () => {
  it.each([
    ['N01', 200, '{}'],
    ['N02', 404, ''],
    ['N03', 401, '<html>401</html>'],
    ['N07', 500, ''],
  ] as const)('%s answers everything with %i', async (nullTarget, status, text) => {
    const served = await serveOne({ nullTarget });
    for (const [method, path, sent] of [
      ['GET', 'sgt', undefined],
      ['POST', 'sgt', body],
      ['GET', 'nothing', undefined],
    ] as const) {
      const reply = await served.ask(method, path, sent);
      expect([reply.status, reply.text]).toEqual([status, text]);
    }
  });

  it.each([
    ['N04', 'with the body it was sent', 'POST', 200, 'application/json', JSON.stringify(body)],
    ['N09', 'with a login page', 'GET', 200, 'text/html;charset=utf-8', '<!doctype html>'],
  ])('%s answers %s', async (nullTarget, _what, method, status, type, text) => {
    const served = await serveOne({ nullTarget });
    const reply = await served.ask(method, 'sgt', method === 'POST' ? body : undefined);
    expect([reply.status, reply.headers['content-type']]).toEqual([status, expect.stringContaining(type)]);
    expect(reply.text).toContain(text);
  });

  it('there are ten, each with the exit codes a run against it may end with', () => {
    expect(NULL_TARGETS).toHaveLength(10);
    expect(NULL_TARGETS.every(({ exits }) => exits.length > 0 && !exits.includes(0))).toBe(true);
  });
});
