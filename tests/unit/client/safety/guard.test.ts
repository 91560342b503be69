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

  it.each([
    [
      'an endpoint and a policy that were named',
      anc(['macAddress', '02:00:00:00:00:01'], ['policyName', 'Test']),
      ['full'],
    ],
    ['an address of the pool by IP', anc(['ipAddress', '10.0.0.9'], ['policyName', 'Test']), ['full']],
    ['another endpoint', anc(['macAddress', '02:00:00:00:00:0A'], ['policyName', 'Test']), []],
    [
      'a second endpoint beside a named one',
      anc(['macAddress', '02:00:00:00:00:01'], ['macAddress', '00:11:22:33:44:55']),
      [],
    ],
    ['another endpoint without separators', anc(['macAddress', '001122334455']), []],
    ['another IP address', anc(['ipAddress', '10.0.0.10']), []],
    ['another policy', anc(['macAddress', '02:00:00:00:00:01'], ['policyName', 'Shut']), []],
    // What the guard does not recognize it refuses, although it may name no endpoint at all.
    ['text that is no address', anc(['macAddress', 'not-a-mac'], ['policyName', 'Test']), []],
    ['no endpoint', anc(['policyName', 'Test']), []],
    ['an address in a member of another name', anc(['mac', '001122334455'], ['macAddress', '02:00:00:00:00:01']), []],
    [
      'a member beside name and value',
      '{"additionalData":[{"name":"macAddress","value":"02:00:00:00:00:01","mac":"x"}]}',
      [],
    ],
    ['an IP address as one number', anc(['ipAddress', '167772161']), []],
    ['an IP address in hexadecimal', anc(['ipAddress', '0x0A000001']), []],
    ['an IP address with leading zeros', anc(['ipAddress', '10.0.0.011']), []],
    ['an address as a number', '{"additionalData":[{"name":"ipAddress","value":167772161}]}', []],
    [
      'one member twice',
      '{"additionalData":[{"name":"macAddress","value":"00:11:22:33:44:55","value":"02:00:00:00:00:01"}]}',
      [],
    ],
    [
      'bare hexadecimal in XML',
      '<additionalData><name>macAddress</name><value>001122334455</value></additionalData>',
      [],
    ],
    ['a second list of data', '{"a":{"additionalData":[{"name":"macAddress","value":"02:00:00:00:00:01"}]},"b":1}', []],
    [
      'the form of later versions with another endpoint',
      '{"ErsAncEndpoint":{"macAddress":"00:11:22:33:44:55","policyName":"Test"}}',
      [],
    ],
    ['another endpoint in XML', '<x><name>macAddress</name><value>00-11-22-33-44-55</value></x>', []],
    ['another policy in XML', '<x><name>policyName</name><value>Shut</value></x>', []],
    ['another endpoint in broken JSON', '{"additionalData":[{"name":"macAddress","value":"00:11:22:33:44:55"', []],
  ])('lets an apply through that names %s, or refuses it', (_, body, modes) => {
    expect(allowedIn('PUT', '/ancendpoint/apply', body)).toEqual(modes);
  });

  it('refuses a GET that overrides its method by a header', () => {
    expect(allowedIn('GET', '/sgt/other', undefined, { 'X-HTTP-Method-Override': 'DELETE' })).toEqual([]);
  });
});
