import { describe, expect, it } from 'vitest';
import {
  create,
  NOT_SHOWN,
  NOT_STATED,
  read,
  remove,
  rowsOf,
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
const XML = rowsOf({
  [NOT_SHOWN]: [
    ['members that it lacks', [made], inXml({ name: 'beta' })],
    ['members that are empty', [made], inXml({ name: 'beta', description: '', value: { '#text': '' } })],
    ['numbers as texts', [made], inXml({ name: 'beta', value: '7' })],
    [
      'a text as before, after one that XML sent empty',
      [made, update({ description: '' }, xml)],
      inXml({ description: 'one' }),
    ],
    ['an element with attributes', [made], inXml({ name: { '#text': 'beta', lang: 'en' } })],
    [
      'a list of another form',
      [create({ virtualnetworklist: [{ name: 'v' }, { name: 'w' }] }, mapping)],
      read({ id, virtualnetworklist: { item: [{ n: 'w' }, { n: 'v' }] } }, mapping, xml),
    ],
    ['a line break as a blank', [create({ description: 'a\nb' })], inXml({ description: 'a b' })],
    [
      'an object of another form',
      [create({ settings: { x: { y: 1 } } }, portal)],
      read({ id, settings: 'y=1' }, portal, xml),
    ],
  ],
  [SERVICE]: [
    ['another text', [made], inXml({ name: 'x' }), 'OP-sgt-R value member name'],
    ['another number', [made], inXml({ value: '8' }), 'OP-sgt-R value member value'],
    [
      'a list without one of its items',
      [create({ virtualnetworklist: [{ name: 'v' }, { name: 'w' }] }, mapping)],
      read({ id, virtualnetworklist: { name: 'v' } }, mapping, xml),
      'OP-sgtvnvlan-R value member virtualnetworklist',
    ],
    [
      'an object with another value',
      [create({ settings: { x: { y: 1 } } }, portal)],
      read({ id, settings: { x: { y: '2' } } }, portal, xml),
      'OP-byodportal-R value member settings',
    ],
  ],
  [NOT_STATED]: [
    [
      'an address in other case',
      [create({ macAddress: '0a:00:00:00:00:01' }, endpoint)],
      read({ id, macAddress: '0A:00:00:00:00:01' }, endpoint, xml),
    ],
  ],
});

const VIEWS = rowsOf({
  '"What the service does": view of all portals': [
    ['a portal of any kind is in the view', [create({ name: 'p' }, portal)], read({ id, name: 'p' }, view)],
    [
      'a portal that the view lacks',
      [create({ name: 'p' }, portal)],
      read(undefined, view),
      'VIEW-PORTAL no-effect view',
    ],
    [
      'another name in the view',
      [create({ name: 'p' }, portal)],
      read({ id, name: 'q' }, view),
      'VIEW-PORTAL value member name',
    ],
  ],
  'not shown: fields of the generic portal': [
    [
      'members that the view lacks',
      [create({ name: 'p', description: 'd', settings: { x: 1 } }, portal)],
      read({ id, name: 'p' }, view),
    ],
    [
      'another kind in the view',
      [create({ name: 'p', portalType: 'BYOD' }, portal)],
      read({ id, name: 'p', portalType: 'Device' }, view),
    ],
  ],
  [SERVICE]: [
    [
      'a portal that is gone',
      [create({ name: 'p' }, portal), remove({}, portal)],
      read({ id, name: 'p' }, view),
      'VIEW-PORTAL no-effect view',
    ],
  ],
});

describe('the oracle on XML and on views', () => {
  it.each([...XML, ...VIEWS])('%s (%s)', (_rule, _source, history, seen, expected) => {
    expect(told(history, seen)).toBe(expected);
  });
});
