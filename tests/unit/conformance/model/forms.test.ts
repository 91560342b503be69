import { describe, expect, it } from 'vitest';
import type { Fields } from '../../../../conformance/model/history.ts';
import {
  create,
  endpoint,
  listing,
  made,
  NOT_SHOWN,
  NOT_STATED,
  portal,
  read,
  remove,
  rowsOf,
  SERVICE,
  seeing,
  setting,
  showsItems,
  showsSettings,
  told,
  update,
  xml,
} from '../../../helpers/histories.ts';

const view = { window: 'view', family: 'portal' } as const;

const inXml = (record: Fields) => seeing(record, {}, xml);
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
    ['a list of another form', [listing('v', 'w')], showsItems({ item: [{ n: 'w' }, { n: 'v' }] }, xml)],
    ['a line break as a blank', [create({ description: 'a\nb' })], inXml({ description: 'a b' })],
    ['an object of another form', [setting({ x: { y: 1 } })], showsSettings('y=1', xml)],
  ],
  [SERVICE]: [
    ['another text', [made], inXml({ name: 'x' }), 'OP-sgt-R value member name'],
    ['another number', [made], inXml({ value: '8' }), 'OP-sgt-R value member value'],
    [
      'a list without one of its items',
      [listing('v', 'w')],
      showsItems({ name: 'v' }, xml),
      'OP-sgtvnvlan-R value member virtualnetworklist',
    ],
    [
      'an object with another value',
      [setting({ x: { y: 1 } })],
      showsSettings({ x: { y: '2' } }, xml),
      'OP-byodportal-R value member settings',
    ],
  ],
  [NOT_STATED]: [
    [
      'an address in other case',
      [create({ macAddress: '0a:00:00:00:00:01' }, endpoint)],
      seeing({ macAddress: '0A:00:00:00:00:01' }, endpoint, xml),
    ],
  ],
});

const named = create({ name: 'p' }, portal);
const VIEWS = rowsOf({
  '"What the service does": view of all portals': [
    ['a portal of any kind is in the view', [named], seeing({ name: 'p' }, view)],
    ['a portal that the view lacks', [named], read(undefined, view), 'VIEW-PORTAL no-effect view'],
    ['another name in the view', [named], seeing({ name: 'q' }, view), 'VIEW-PORTAL value member name'],
  ],
  'not shown: fields of the generic portal': [
    [
      'members that the view lacks',
      [create({ name: 'p', description: 'd', settings: { x: 1 } }, portal)],
      seeing({ name: 'p' }, view),
    ],
    [
      'another kind in the view',
      [create({ name: 'p', portalType: 'BYOD' }, portal)],
      seeing({ name: 'p', portalType: 'Device' }, view),
    ],
  ],
  [SERVICE]: [
    ['a portal that is gone', [named, remove({}, portal)], seeing({ name: 'p' }, view), 'VIEW-PORTAL no-effect view'],
  ],
});

describe('the oracle on XML and on views', () => {
  it.each([...XML, ...VIEWS])('%s (%s)', (_rule, _source, history, seen, expected) => {
    expect(told(history, seen)).toBe(expected);
  });
});
