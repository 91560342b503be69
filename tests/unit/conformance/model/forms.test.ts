import { describe, expect, it } from 'vitest';
import {
  create,
  NOT_SHOWN,
  NOT_STATED,
  type Row,
  read,
  remove,
  SERVICE,
  told,
  update,
  xml,
} from '../../../helpers/histories.ts';

const portal = { family: 'byodportal' } as const;
const endpoint = { family: 'ancendpoint' } as const;
const mapping = { family: 'sgtvnvlan' } as const;
const view = { window: 'view', family: 'portal' } as const;
const made = create({ name: 'beta', description: 'one', value: 7 });
const id = 'a';

const inXml = (record: object) => read({ id, ...record }, {}, xml);
const XML: readonly Row[] = [
  ['members that it lacks', NOT_SHOWN, [made], inXml({ name: 'beta' }), undefined],
  [
    'members that are empty',
    NOT_SHOWN,
    [made],
    inXml({ name: 'beta', description: '', value: { '#text': '' } }),
    undefined,
  ],
  ['numbers as texts', NOT_SHOWN, [made], inXml({ name: 'beta', value: '7' }), undefined],
  [
    'a text as before, after one that XML sent empty',
    NOT_SHOWN,
    [made, update({ description: '' }, xml)],
    inXml({ description: 'one' }),
    undefined,
  ],
  ['another text', SERVICE, [made], inXml({ name: 'x' }), 'OP-sgt-R value member name'],
  ['another number', SERVICE, [made], inXml({ value: '8' }), 'OP-sgt-R value member value'],
  ['an element with attributes', NOT_SHOWN, [made], inXml({ name: { '#text': 'beta', lang: 'en' } }), undefined],
  [
    'an address in other case',
    NOT_STATED,
    [create({ macAddress: '0a:00:00:00:00:01' }, endpoint)],
    read({ id, macAddress: '0A:00:00:00:00:01' }, endpoint, xml),
    undefined,
  ],
  [
    'a list of another form',
    NOT_SHOWN,
    [create({ virtualnetworklist: [{ name: 'v' }, { name: 'w' }] }, mapping)],
    read({ id, virtualnetworklist: { item: [{ n: 'w' }, { n: 'v' }] } }, mapping, xml),
    undefined,
  ],
  [
    'a list without one of its items',
    SERVICE,
    [create({ virtualnetworklist: [{ name: 'v' }, { name: 'w' }] }, mapping)],
    read({ id, virtualnetworklist: { name: 'v' } }, mapping, xml),
    'OP-sgtvnvlan-R value member virtualnetworklist',
  ],
  ['a line break as a blank', NOT_SHOWN, [create({ description: 'a\nb' })], inXml({ description: 'a b' }), undefined],
  [
    'an object of another form',
    NOT_SHOWN,
    [create({ settings: { x: { y: 1 } } }, portal)],
    read({ id, settings: 'y=1' }, portal, xml),
    undefined,
  ],
  [
    'an object with another value',
    SERVICE,
    [create({ settings: { x: { y: 1 } } }, portal)],
    read({ id, settings: { x: { y: '2' } } }, portal, xml),
    'OP-byodportal-R value member settings',
  ],
];

const VIEWS: readonly Row[] = [
  [
    'a portal of any kind is in the view',
    '"What the service does": view of all portals',
    [create({ name: 'p' }, portal)],
    read({ id, name: 'p' }, view),
    undefined,
  ],
  [
    'a portal that the view lacks',
    '"What the service does": view of all portals',
    [create({ name: 'p' }, portal)],
    read(undefined, view),
    'VIEW-PORTAL no-effect view',
  ],
  [
    'another name in the view',
    '"What the service does": view of all portals',
    [create({ name: 'p' }, portal)],
    read({ id, name: 'q' }, view),
    'VIEW-PORTAL value member name',
  ],
  [
    'members that the view lacks',
    'not shown: fields of the generic portal',
    [create({ name: 'p', description: 'd', settings: { x: 1 } }, portal)],
    read({ id, name: 'p' }, view),
    undefined,
  ],
  [
    'another kind in the view',
    'not shown: fields of the generic portal',
    [create({ name: 'p', portalType: 'BYOD' }, portal)],
    read({ id, name: 'p', portalType: 'Device' }, view),
    undefined,
  ],
  [
    'a portal that is gone',
    SERVICE,
    [create({ name: 'p' }, portal), remove({}, portal)],
    read({ id, name: 'p' }, view),
    'VIEW-PORTAL no-effect view',
  ],
];

describe('the oracle on XML and on views', () => {
  it.each([...XML, ...VIEWS])('%s (%s)', (_rule, _source, history, seen, expected) => {
    expect(told(history, seen)).toBe(expected);
  });
});
