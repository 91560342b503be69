import { describe, expect, it } from 'vitest';
import { PERSONAS } from '../../../../reference/personas/personas.ts';
import { ancBody } from '../ask.ts';
import { group, withRules } from './with-rules.ts';

const JSON_TYPE = { 'Content-Type': 'application/json' };

describe('personas', () => {
  it.each(PERSONAS.map(({ id }) => id))('%s serves a client that asks as real ones do', async (id) => {
    const { ask, endpoints, policies } = await withRules(id);
    const created = await ask('POST', 'sgt', group('Mine'));
    expect(created.status).toBe(201);
    expect((await ask('GET', `sgt/${created.id()}`)).json().Sgt.generationId).toBe('0');
    expect((await ask('DELETE', `sgt/${created.id()}`, undefined, JSON_TYPE)).status).toBe(204);
    const body = ancBody(['macAddress', endpoints.split('+')[0] ?? ''], ['policyName', policies[0] ?? '']);
    expect((await ask('PUT', 'ancendpoint/apply', body)).status).toBe(204);
  });
});
