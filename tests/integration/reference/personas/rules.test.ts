import { expect, it } from 'vitest';
import { FAMILIES } from '../../../../lib/contract/families.ts';
import type { Family } from '../../../../lib/contract/types.ts';
import { POLICIES } from '../../../../reference/deployment.ts';
import { PERSONAS } from '../../../../reference/personas/personas.ts';
import { ancBody, group, LOGIN, withRules } from '../ask.ts';

type Headers = Readonly<Record<string, string>>;
/** Method and path, `$id` for the id of the last create; what comes back: a status, and what its body holds. */
type Asked = readonly [asked: string, body: unknown, status: number, says?: string | RegExp, headers?: Headers];

const MAC = ['macAddress', '02:00:00:00:00:00'] as const;
const POLICY = ['policyName', POLICIES[0]] as const;
const EMPLOYEES = '93ad6890-8c01-11e6-996c-525400b48521';
const CSS = Buffer.from('body { color: red; }').toString('base64');
const WRONG = { Authorization: `Basic ${Buffer.from(`${LOGIN.username}:wrong`).toString('base64')}` };
const [JSON_TYPE, XML_TYPE] = [{ 'Content-Type': 'application/json' }, { 'Content-Type': 'application/xml' }];

const theme = (name: string, themeData = CSS) => ({ PortalTheme: { name, themeData } });

/** What a deployment with these rules answers to requests that are sent one after the other. */
const ANSWERS: Readonly<Record<string, readonly Asked[]>> = {
  names: [
    ['POST sgt', group('a-b'), 400],
    ['POST sgt', group('a'.repeat(33)), 400],
    ['POST sgt', group('a_B9'), 201],
  ],
  'names names-loose': [
    ['POST sgt', group('a-b.c'), 201],
    ['POST sgt', group('a b', 4001), 400],
  ],
  names2: [
    ['POST portaltheme', theme('My theme (a)'), 201],
    ['POST portaltheme', theme('my THEME (a)'), 400],
    ['POST portaltheme', theme('a/b'), 400],
    ['POST portaltheme', theme('x'.repeat(129)), 400],
    ['POST sxpvpns', { ERSSxpVpn: { sxpVpnName: 'a b' } }, 400],
    ['POST sgt', group('a/b'), 201],
  ],
  descriptions: [
    ['POST sgt', group('a', 4000, { description: 'a < b' }), 400, 'Application resource validation exception'],
    ['POST sgt', group('a', 4000, { description: 'a & b' }), 201],
  ],
  strict: [
    ['POST sgt', group('a', 4000, { description: null }), 400, 'due to JSON invalidity'],
    ['POST sgt', group('a', 4000, { value: '4000' }), 400, 'due to JSON invalidity'],
    ['POST sgt', group('a', 4000, { propogateToApic: 'true' }), 400, 'due to JSON invalidity'],
    ['POST sgt', group('a', 4000, { other: 1 }), 400, 'due to JSON invalidity'],
    ['POST sgt', group('a'), 201],
    ['PUT sgt/$id', { Sgt: { description: 'x' } }, 400],
    ['PUT sgt/$id', group('a', 4000, { description: 'x' }), 400],
  ],
  dup500: [
    ['POST sgt', group('a'), 201],
    ['POST sgt', group('a', 4001), 500, 'CRUD operation exception'],
    ['POST sgt', group('b'), 400],
  ],
  'seed defaults': [
    [`DELETE sgt/${EMPLOYEES}`, undefined, 400],
    [`PUT sgt/${EMPLOYEES}`, { Sgt: { id: EMPLOYEES, name: 'Other', value: 4 } }, 400],
    [`GET sgt/${EMPLOYEES}`, undefined, 200, '"name":"Employees"'],
    ['POST sgt', group('mine'), 201],
    ['DELETE sgt/$id', undefined, 204],
  ],
  theme: [
    ['POST portaltheme', theme('a', 'plain text'), 400],
    ['POST portaltheme', theme('a', Buffer.from('no rules at all').toString('base64')), 400],
    ['POST portaltheme', theme('a', `${CSS}=`), 400],
    ['POST portaltheme', theme('a', ''), 400],
    ['POST portaltheme', theme('a'), 201],
  ],
  testurl: [
    ['POST byodportal', { BYODPortal: { name: 'p', portalType: 'BYOD', portalTestUrl: 'https://sent.example' } }, 201],
    ['GET byodportal/$id', undefined, 200, /"id":"([^"]+)".*"portalTestUrl":"(?!https:..sent)[^"]*\1/],
  ],
  generation: [
    ['POST sgt', group('a', 4000, { generationId: 7 }), 201],
    ['GET sgt/$id', undefined, 200, '"generationId":"0"'],
    ['PUT sgt/$id', group('a', 4000, { description: 'x', generationId: '9' }), 200],
    ['GET sgt/$id', undefined, 200, /"generationId":"1"/],
  ],
  sgtfields: [
    ['POST sgt', group('a', 4000, { isReadOnly: false, defaultSGACLs: [], description: '' }), 201],
    ['GET sgt/$id', undefined, 200, /^(?!.*(isReadOnly|defaultSGACLs|description))/],
  ],
  'seed portal500': [
    ['GET portal', undefined, 500, 'Operation search PORTAL failed'],
    ['GET portal/f10871e0-7159-11e7-a355-005056aba474', undefined, 200],
  ],
  filtertype: [
    ['GET sgt?filter=name.EQ.BYOD&filter=name.EQ.Auditors&filterType=or', undefined, 200, '"total":0'],
    ['GET sgt?filter=name.EQ.BYOD&filter=name.EQ.Auditors&filtertype=or', undefined, 200, '"total":2'],
    ['GET sgt?filter=name.CONTAINS.a&filterType=or&filtertype=or&size=1', undefined, 200, /nextPage.*filterType=or/],
  ],
  'seed ancfilter': [
    ['GET ancendpoint?filter=name.EQ.00:11:22:33:44:55', undefined, 400, "The filter field 'name' is not supported"],
    ['GET ancendpoint?filter=macAddress.EQ.00:11:22:33:44:55', undefined, 200, '"total":1'],
  ],
  paging: [['GET sgt?page=9', undefined, 400]],
  'paging past404': [
    ['GET sgt?page=9', undefined, 404],
    ['GET sgt?size=101', undefined, 400, /^(?!.*SearchResult)/],
  ],
  accept: [
    ['GET sgt', undefined, 415, '<messages>', { Accept: '*/*' }],
    ['GET sgt', undefined, 415, '', { Accept: '' }],
    ['POST sgt', group('a'), 415, '', { 'Content-Type': '' }],
    ['GET sgt', undefined, 401, '', { Authorization: 'Basic x', Accept: '*/*' }],
    ['POST sgt', group('a'), 201],
  ],
  deletetype: [
    ['POST sgt', group('a'), 201],
    ['DELETE sgt/$id', undefined, 415],
    ['DELETE sgt/$id', undefined, 415, '', XML_TYPE],
    ['GET sgt/$id', undefined, 200],
    ['DELETE sgt/$id', undefined, 204, '', JSON_TYPE],
  ],
  anc: [
    ['PUT ancendpoint/apply', ancBody(MAC, ['policyName', 'none']), 400, 'Policy is not configured'],
    ['PUT ancendpoint/apply', ancBody(MAC, POLICY), 204],
    ['PUT ancendpoint/apply', ancBody(MAC, POLICY), 400, 'mac address is already associated with this policy'],
    ['PUT ancendpoint/clear', ancBody(MAC), 204],
    ['PUT ancendpoint/clear', ancBody(MAC), 400, 'mac address is not associated with a policy'],
  ],
  ancsession: [
    ['PUT ancendpoint/apply', ancBody(['ipAddress', '10.0.0.0'], POLICY), 400, 'Session lookup failure'],
    ['PUT ancendpoint/apply', ancBody(MAC, POLICY), 204],
  ],
  'seed ancradius': [
    ['PUT ancendpoint/apply', ancBody(MAC, POLICY), 500, 'Radius Failure'],
    ['GET ancendpoint', undefined, 200, '"total":3'],
    ['PUT ancendpoint/clear', ancBody(MAC), 500, 'Radius Failure'],
    ['GET ancendpoint', undefined, 200, '"total":2'],
  ],
  lockout: [
    ...[1, 2, 3, 4].map(() => ['GET sgt', undefined, 401, '', WRONG] as const),
    ['GET sgt', undefined, 200],
    ['GET sgt', undefined, 401, '', WRONG],
    ['GET sgt', undefined, 401],
  ],
  operator: [
    ['GET sgt', undefined, 200],
    ['POST sgt', group('a'), 403],
    ['PUT ancendpoint/apply', ancBody(MAC), 403],
  ],
};

it.each(Object.entries(ANSWERS))('a deployment with the rules %s answers as the real product', async (rules, all) => {
  const { ask } = await withRules(...rules.split(' '));
  let last = '';
  for (const [asked, body, status, says = '', headers] of all) {
    const [method = '', path = ''] = asked.replace('$id', last).split(' ');
    const reply = await ask(method, path, body, headers);
    expect([asked, reply.status, reply.text]).toEqual([asked, status, expect.stringMatching(says)]);
    if (reply.status === 201) last = reply.id();
  }
});

it.each(PERSONAS.map(({ id }) => id))(
  'personas %s puts a policy on an endpoint, and takes a copy of what each family holds, changes it and deletes it',
  async (id) => {
    const { ask, endpoints, policies } = await withRules(id);
    const address = ancBody(['macAddress', endpoints.split('+')[0] ?? ''], ['policyName', policies[0] ?? '']);
    expect((await ask('PUT', 'ancendpoint/apply', address)).status).toBe(204);
    const groups = (await ask('GET', 'sgt')).json().SearchResult.resources;
    for (const [name, { ops, roots }] of Object.entries<Family>(FAMILIES)) {
      const { resource } = roots;
      if (resource === undefined || !ops.includes('create')) continue;
      const [first] = (await ask('GET', name)).json().SearchResult.resources;
      const held = first === undefined ? {} : (await ask('GET', `${name}/${first.id}`)).json()[resource];
      const { id: _id, link: _link, name: _name, value: _value, ...members } = held;
      const own = {
        ...members,
        ...('sxpVpnName' in members ? { sxpVpnName: 'Mine' } : { name: 'Mine' }),
        ...('value' in held ? { value: 4000 } : {}),
        ...(first === undefined ? { sgtId: groups[0].id } : {}),
      };
      const created = await ask('POST', name, { [resource]: own });
      expect([name, created.status]).toEqual([name, 201]);
      const path = `${name}/${created.id()}`;
      const record = (await ask('GET', path)).json()[resource];
      if (ops.includes('update')) {
        const changed = await ask('PUT', path, { [resource]: { ...record, description: 'changed' } });
        expect([name, changed.status]).toEqual([name, 200]);
        expect((await ask('GET', path)).json()[resource].description).toBe('changed');
      }
      expect((await ask('DELETE', path, undefined, JSON_TYPE)).status).toBe(204);
      expect((await ask('GET', path)).status).toBe(404);
    }
  },
);
