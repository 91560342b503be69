import { describe, expect, it } from 'vitest';
import { freePool } from '../../../../lib/client/anc/free-pool.ts';
import { readPool } from '../../../../lib/client/anc/pool.ts';
import { openEndpoints } from '../../../../lib/client/safety/endpoints.ts';
import {
  classifyWrite,
  type GuardState,
  openClosings,
  refuseWrite,
  type Write,
} from '../../../../lib/client/safety/guard.ts';
import type { ErsClient, Exchange } from '../../../../lib/client/types.ts';
import { FAMILIES } from '../../../../lib/contract/families.ts';
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

const bulk = (items: readonly { readonly id?: string; readonly name?: string }[], removes = false): Write => ({
  ...{ kind: 'bulk', family: 'zone', removes, items },
});
const WRITES: Readonly<Record<string, Write>> = {
  create: { kind: 'create', family: 'zone' },
  update: { kind: 'record', family: 'zone', id: 'a', removes: false },
  delete: { kind: 'record', family: 'zone', id: 'a', removes: true },
  'bulk create': bulk([{ name: 'b' }]),
  'bulk update': bulk([{ id: 'a' }]),
  'bulk delete': bulk([{ id: 'a' }], true),
  'bulk of nothing': bulk([]),
};

describe('a family that is closed', () => {
  it.each([
    ['create', ['create', 'bulk create']],
    ['update', ['update', 'bulk update']],
  ] as const)('to %s takes everything else', (what, expected) => {
    const closings = openClosings();
    closings.refuse('zone', 'it stays', what);
    const refused = Object.keys(WRITES).filter((name) => closings.against('zone', WRITES[name] as Write) !== undefined);
    expect(refused).toEqual(expected);
    expect(closings.against('other', WRITES[what] as Write)).toBeUndefined();
  });

  it('is closed to creates by records in a row that could not be removed, and by no single one', () => {
    const closings = openClosings();
    for (const why of ['it stays', undefined, 'it stays']) closings.kept('zone', why);
    expect(closings.closed('zone')).toBeUndefined();
    closings.kept('zone', 'it stays');
    expect(closings.closed('zone')).toContain('it stays');
    expect(closings.closed('zone', 'update')).toBeUndefined();
  });
});

const MAC = '02:00:00:00:00:01';

function answer(status: number, policyName?: string): Exchange {
  const json = policyName === undefined ? {} : { ErsAncEndpoint: { id: 'e1', macAddress: MAC, policyName } };
  const request = { family: 'ancendpoint', op: 'read', method: 'GET', path: '/ers/config/ancendpoint/e1', headers: {} };
  return { id: 'x1', request, status, headers: {}, body: '', json, durationMs: 1 } as Exchange;
}

/** A pool whose endpoints were seen to be free. */
async function settled() {
  const pool = freePool(readPool('02:00:00:00:00:00+4'));
  const send = async () => ({ ...answer(200), json: { SearchResult: { total: 0, resources: [] } } });
  await pool.settle({ send, options: { table: FAMILIES, target: { connections: 1 } } } as unknown as ErsClient, false);
  return pool;
}

describe('an endpoint that a look shows with a policy that the run does not name', () => {
  const guarded = (endpoints: ReturnType<typeof openEndpoints>, kind: 'apply' | 'clear') =>
    refuseWrite(
      { kind, family: 'ancendpoint', endpoints: [MAC], policies: [] },
      { mode: 'full', owns: () => false, pool: readPool('02:00:00:00:00:00+4'), policies: ['Ours'], ...endpoints },
    )?.message;

  it('is neither applied nor cleared until a look shows it free of that', async () => {
    const endpoints = openEndpoints({ pool: await settled(), policies: ['Ours'], table: FAMILIES }, () => 0);
    endpoints.apply(MAC, true);
    expect(guarded(endpoints, 'clear')).toBeUndefined();
    endpoints.sees(answer(200, 'Theirs'));
    expect(guarded(endpoints, 'clear')).toMatch(/clear on 02:.*:01, which was shown with the policy "Theirs"$/);
    expect(guarded(endpoints, 'apply')).toMatch(/"Theirs"$/);
    endpoints.sees(answer(404));
    expect(guarded(endpoints, 'apply')).toBeUndefined();
    endpoints.sees(answer(200, 'Theirs'));
    endpoints.sees(answer(200, 'OURS '));
    expect(guarded(endpoints, 'clear')).toBeUndefined();
  });

  it('is cleared if it held that before the run, and the operator lets it be taken over', () => {
    const pool = freePool(readPool('02:00:00:00:00:00+4'));
    const endpoints = openEndpoints({ pool, policies: ['Ours'], table: FAMILIES }, () => 0);
    endpoints.sees(answer(200, 'Theirs'));
    expect(guarded(endpoints, 'clear')).toBeUndefined();
  });
});
