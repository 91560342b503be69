import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Served, serve } from './ask.ts';

describe('names that mean something to the program or to a path', () => {
  let served: Served;
  beforeAll(async () => {
    served = await serve();
  });
  afterAll(() => served.close());

  it.each(['constructor', 'toString', '__proto__', 'hasOwnProperty'])(
    'refuses the member %s as unknown',
    async (member) => {
      const body = `{"Sgt":{"name":"reserved","value":777,"${member}":1}}`;
      const reply = await served.ask('POST', 'sgt', body, { 'Content-Type': 'application/json' });
      expect(reply.status).toBe(400);
      expect(reply.json().ERSResponse.messages[0].title).toContain(`Unrecognized field '${member}'`);
    },
  );

  it.each(['.', '..', 'versioninfo', 'bulk', 'name'])(
    'refuses the id %s: no client could address the record',
    async (id) => {
      const portal = { id, name: `portal-${id}`, portalType: 'BYOD' };
      const reply = await served.ask('POST', 'byodportal', { BYODPortal: portal });
      expect(reply.status).toBe(400);
      expect(reply.json().ERSResponse.messages[0].title).toContain('[id]');
    },
  );

  it('keeps any other id that a create brings', async () => {
    const reply = await served.ask('POST', 'byodportal', {
      BYODPortal: { id: 'a.b-1', name: 'own', portalType: 'BYOD' },
    });
    expect([reply.status, reply.id()]).toEqual([201, 'a.b-1']);
    expect((await served.ask('GET', 'byodportal/a.b-1')).json().BYODPortal.name).toBe('own');
  });
});
