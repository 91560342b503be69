import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Served, serve } from './ask.ts';
import { BAD_INPUT, sgt } from './bad-input-rows.ts';

describe('the reference deployment refuses bad input with a message that names it', () => {
  let served: Served;
  let before: number;
  beforeAll(async () => {
    served = await serve();
    before = (await served.ask('GET', 'sgt')).json().SearchResult.total;
  });
  afterAll(() => served.close());

  for (const [what, status, names, method, path, body, headers] of BAD_INPUT) {
    it(`refuses ${what} with ${status}`, async () => {
      const reply = await served.ask(method, path, body, headers);
      expect(reply.status).toBe(status);
      expect(reply.headers['content-type']).toContain('application/json');
      const { messages } = reply.json().ERSResponse;
      expect(messages[0].title).toContain(names);
      expect(reply.text).not.toMatch(/\bat .*\.(ts|js):\d+/);
      expect((await served.ask('GET', 'sgt')).json().SearchResult.total).toBe(before);
    });
  }

  it('says errors in XML where XML is accepted', async () => {
    const reply = await served.ask('GET', 'sgt/no-such-id', undefined, { Accept: 'application/xml' });
    expect(reply.headers['content-type']).toContain('application/xml');
    expect(reply.text).toMatch(/<ns0:ersResponse [^>]*>.*<title>[^<]*no-such-id/);
  });

  it('takes a JSON object under any type that does not contain application/xml', async () => {
    for (const type of ['text/plain', 'application/octet-stream', 'application/vnd.example+json']) {
      const reply = await served.ask('POST', 'sgt', sgt({ name: `typed-${type.length}`, value: -1 }), {
        'Content-Type': type,
      });
      expect([type, reply.status]).toEqual([type, 201]);
      await served.ask('DELETE', `sgt/${reply.id()}`);
    }
  });

  it('refuses an update whose body names another record', async () => {
    const reply = await served.ask('POST', 'sgt', sgt({ name: 'two-ids', value: -1 }));
    const refused = await served.ask('PUT', `sgt/${reply.id()}`, sgt({ id: 'other', name: 'renamed' }));
    expect(refused.status).toBe(400);
    expect((await served.ask('GET', `sgt/${reply.id()}`)).json().Sgt.name).toBe('two-ids');
  });
});
