import { describe, expect, it } from 'vitest';
import { readPool } from '../../../../lib/client/anc/pool.ts';
import { classifyWrite, type GuardState, refuseWrite } from '../../../../lib/client/safety/guard.ts';
import { defined } from '../../../../lib/defined.ts';
import type { Mode } from '../../../../lib/records/vocabulary.ts';

const state = (mode: Mode): GuardState => ({
  mode,
  owns: (family, id) => family === 'sgt' && id === 'own',
  pool: readPool('02:00:00:00:00:00+10@10.0.0.0'),
  policies: ['Test'],
  foreignOn: () => undefined,
});

const anc = (...pairs: readonly (readonly [string, string])[]) =>
  JSON.stringify({ OperationAdditionalData: { additionalData: pairs.map(([name, value]) => ({ name, value })) } });

/** Modes that let the request through. */
function allowedIn(method: string, path: string, body?: string, headers: Record<string, string> = {}): readonly Mode[] {
  const write = classifyWrite({ method, path: `/ers/config${path}`, headers, ...defined({ body }) }, { fields: {} });
  return (['read-only', 'own-data', 'full'] as const).filter(
    (mode) => write === null || refuseWrite(write, state(mode)) === null,
  );
}

const ALL = ['read-only', 'own-data', 'full'];
const WRITERS = ['own-data', 'full'];

describe('the guard', () => {
  it.each([
    ['a read', 'GET', '/sgt/any', ALL],
    ['a create', 'POST', '/sgt', WRITERS],
    ['a create with a trailing slash', 'POST', '/sgt/', WRITERS],
    ['an update of an own record', 'PUT', '/sgt/own', WRITERS],
    ['a delete of an own record', 'DELETE', '/sgt/own', WRITERS],
    ['a wrong method on an own record', 'POST', '/sgt/own', WRITERS],
    ['an update of another record', 'PUT', '/sgt/other', []],
    ['an own id in another family', 'DELETE', '/portal/own', []],
    ['a delete of a whole family', 'DELETE', '/sgt', []],
    ['a write to version information', 'PUT', '/sgt/versioninfo', []],
    ['a path that climbs', 'DELETE', '/sgt/own/../other', []],
    ['an encoded path that climbs', 'DELETE', '/sgt/%2e%2e/other', []],
    ['an encoded slash', 'DELETE', '/sgt/own%2Fother', []],
    ['a doubled slash', 'DELETE', '/sgt//own', []],
    ['bulk', 'PUT', '/sgt/bulk/submit', ['full']],
    ['a method nobody knows', 'PURGE', '/sgt/other', []],
  ])('lets %s through in the right modes only', (_, method, path, modes) => {
    expect(allowedIn(method, path, method === 'GET' ? undefined : '{}')).toEqual(modes);
  });

  const OWN = ['macAddress', '02:00:00:00:00:01'] as const;
  const [ALIEN, TEST] = [['macAddress', '00:11:22:33:44:55'] as const, ['policyName', 'Test'] as const];
  const pair = (name: string, value: string) => `{"additionalData":[{"name":"${name}","value":${value}}]}`;
  const inXml = (name: string, value: string) => `<data><name>${name}</name><value>${value}</value></data>`;
  it.each([
    ['an endpoint and a policy that were named', anc(OWN, TEST), ['full']],
    ['an address of the pool by IP', anc(['ipAddress', '10.0.0.9'], TEST), ['full']],
    ['another endpoint', anc(['macAddress', '02:00:00:00:00:0A'], TEST), []],
    ['a second endpoint beside a named one', anc(OWN, ALIEN), []],
    ['another endpoint without separators', anc(['macAddress', '001122334455']), []],
    ['another IP address', anc(['ipAddress', '10.0.0.10']), []],
    ['another policy', anc(OWN, ['policyName', 'Shut']), []],
    // What the guard does not recognize it refuses, although it may name no endpoint at all.
    ['text that is no address', anc(['macAddress', 'not-a-mac'], TEST), []],
    ['no endpoint', anc(TEST), []],
    ['an address in a member of another name', anc(['mac', '001122334455'], OWN), []],
    ['a member beside name and value', pair('macAddress', '"02:00:00:00:00:01","mac":"x"'), []],
    ['an IP address as one number', anc(['ipAddress', '167772161']), []],
    ['an IP address in hexadecimal', anc(['ipAddress', '0x0A000001']), []],
    ['an IP address with leading zeros', anc(['ipAddress', '10.0.0.011']), []],
    ['an address as a number', pair('ipAddress', '167772161'), []],
    ['one member twice', pair('macAddress', '"00:11:22:33:44:55","value":"02:00:00:00:00:01"'), []],
    ['bare hexadecimal in XML', inXml('macAddress', '001122334455'), []],
    ['a second list of data', pair('macAddress', '"02:00:00:00:00:01"').replace('{', '{"b":1,'), []],
    ['the form of later versions', '{"ErsAncEndpoint":{"macAddress":"00:11:22:33:44:55","policyName":"Test"}}', []],
    ['another endpoint in XML', inXml('macAddress', '00-11-22-33-44-55'), []],
    ['another policy in XML', inXml('policyName', 'Shut'), []],
    ['another endpoint in broken JSON', pair('macAddress', '"00:11:22:33:44:55"').slice(0, -3), []],
  ])('lets an apply through that names %s, or refuses it', (_, body, modes) => {
    expect(allowedIn('PUT', '/ancendpoint/apply', body)).toEqual(modes);
  });

  it('refuses a GET that overrides its method by a header', () => {
    expect(allowedIn('GET', '/sgt/other', undefined, { 'X-HTTP-Method-Override': 'DELETE' })).toEqual([]);
  });
});
