import { describe, expect, it } from 'vitest';
import { FACTS } from '../../../../reference/personas/facts.ts';
import { chosenRules, PERSONAS, rulesOf } from '../../../../reference/personas/personas.ts';
import { ancBody } from '../ask.ts';
import { group, withRules } from './with-rules.ts';

const JSON_TYPE = { 'Content-Type': 'application/json' };

describe('personas', () => {
  it('are made of the usual rules, with a reason for each one that a release has or lacks', () => {
    const usual = FACTS.filter(({ where }) => where === 'usual').map(({ id }) => id);
    const [old, middle, newest] = PERSONAS.map(rulesOf);
    expect(newest).toEqual(usual);
    expect(middle).toEqual(usual.filter((id) => id !== 'deletetype' && id !== 'descriptions'));
    expect(old).toContain('past404');
  });

  it('can be combined with rules, and have rules left out', () => {
    const ids = (...words: readonly string[]) => chosenRules(words).map(({ id }) => id);
    expect(ids('3.5', 'names-loose')).not.toContain('names');
    expect(ids('3.5', '-deletetype')).toEqual(ids('3.5').filter((id) => id !== 'deletetype'));
    expect(ids('3.5', 'ancradius')).not.toContain('ancsession');
    expect(ids('rate', 'seed')).toEqual(['seed', 'rate']);
    expect(() => ids('3.9')).toThrow('there is no persona or rule 3.9');
  });

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
