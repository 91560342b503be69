import { describe, expect, it } from 'vitest';
import type { Fields } from '../../../../conformance/model/history.ts';
import { parting } from '../../../../conformance/model/value.ts';
import {
  create,
  endpoint,
  listing,
  made,
  mapping,
  NOT_SHOWN,
  NOT_STATED,
  PAYLOAD,
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

const DESCRIPTION = 'PAY-C value member description';
const PORTAL_READ = 'OP-byodportal-R value member';
const ITEMS = 'value member virtualnetworklist';
const described = (description: string) => create({ description });
const at = (macAddress: string) => create({ macAddress }, endpoint);
const shows = (description: string) => seeing({ description });
const showsAt = (macAddress: string, answer = {}) => seeing({ macAddress }, endpoint, answer);
const b = { id: 'b' } as const;
const [own, bare] = [create({ description: 'own' }, b), create({ value: 7 })];
const pointing = [create({ name: 'x', sgtId: '1' }, { ...mapping, ...b }), create({ name: 'y' }, mapping)];
const settingXml = setting({ x: '1', y: '2' }, xml);
const emptied = update({ virtualnetworklist: [] }, mapping);
const VALUES = rowsOf({
  [NOT_STATED]: [
    ['blanks at the ends', [described(' one ')], shows('one')],
    ['blanks alone', [described('  ')], seeing({})],
    ['composed and decomposed', [described('M\u00fcller')], shows('Mu\u0308ller')],
    ['an empty text and none', [described('')], seeing({})],
    ['what is off, and none', [create({ propogateToApic: false, generationId: 0 })], seeing({})],
    ['items in another order, with ids', [listing('v', 'w')], showsItems([{ name: 'w', id: '2' }, { name: 'v' }])],
    ['an address in other case', [at('0a:00:00:00:00:01')], showsAt('0A:00:00:00:00:01')],
  ],
  [PAYLOAD]: [
    ['what is on, and none', [create({ propogateToApic: true })], seeing({}), 'PAY-C missing member propogateToApic'],
    ['blanks inside', [described('a  b')], shows('a b'), DESCRIPTION],
    ['without its accent', [described('M\u00fcller')], shows('Muller'), DESCRIPTION],
    ['a filled text', [made, update({ description: '' })], shows('one'), 'PAY-U value member description'],
    ['a lost part', [setting({ x: 1, z: 2 })], showsSettings({ x: 1 }), 'PAY-C value member settings'],
    ['a text that was sent for another alone', [own, bare], seeing({ value: 7, description: 'own' }), DESCRIPTION],
    ['an item too many', [listing('a')], showsItems([{ name: 'a' }, { name: 'b' }]), `PAY-C ${ITEMS}`],
    ['what was there before', [listing('a'), emptied], showsItems([{ name: 'a', id: '1' }]), `PAY-U ${ITEMS}`],
    ['a text that XML lost', [settingXml], showsSettings({ x: '1' }), 'PAY-C value member settings'],
    ['a text that was written by XML', [create({ name: 'b' }, xml)], seeing({ name: 'x' }), 'PAY-C value member name'],
  ],
  [NOT_SHOWN]: [
    ['an empty text in XML and what was there before', [made, update({ description: '' }, xml)], shows('one')],
    ['an object of any form by XML', [setting({ x: { y: true } }, xml)], showsSettings([{ y: 'true' }])],
  ],
  'not shown: inner structure of settings': [
    ['members that the server adds to an object', [setting({ x: 1 })], showsSettings({ x: 1, y: 2 })],
  ],
  'not shown: what a server adds': [
    ['an empty list that the server fills', [listing()], showsItems([{ name: 'default' }])],
  ],
  'published definitions': [
    ['what names a record, as sent for another alone', pointing, seeing({ name: 'y', sgtId: '1' }, mapping)],
    ['a text that nobody sent', [bare], seeing({ value: 7, description: 'a group' })],
    ['what deployments fill in', [create({ portalTestUrl: 'a' }, portal)], seeing({ portalTestUrl: 'b' }, portal)],
  ],
  '"Resources and their fields": colon-separated': [
    ['dashes', [at('0A:00:00:00:00:01')], showsAt('0A-00-00-00-00-01'), 'RES-MAC value member macAddress'],
  ],
});

const inXml = (record: Fields) => seeing(record, {}, xml);
const XML = rowsOf({
  [NOT_SHOWN]: [
    ['members that it lacks', [made], inXml({ name: 'beta' })],
    ['members that are empty', [made], inXml({ name: 'beta', description: '', value: { '#text': '' } })],
    ['numbers as texts', [made], inXml({ name: 'beta', value: '7' })],
    ['what XML sent empty', [made, update({ description: '' }, xml)], inXml({ description: 'one' })],
    ['an element with attributes', [made], inXml({ name: { '#text': 'beta', lang: 'en' } })],
    ['a list of another form', [listing('v', 'w')], showsItems({ item: [{ n: 'w' }, { n: 'v' }] }, xml)],
    ['a line break as a blank', [described('a\nb')], inXml({ description: 'a b' })],
    ['an object of another form', [setting({ x: { y: 1 } })], showsSettings('y=1', xml)],
  ],
  [SERVICE]: [
    ['another text', [made], inXml({ name: 'x' }), 'OP-sgt-R value member name'],
    ['another number', [made], inXml({ value: '8' }), 'OP-sgt-R value member value'],
    ['a list without an item', [listing('v', 'w')], showsItems({ name: 'v' }, xml), `OP-sgtvnvlan-R ${ITEMS}`],
    ['another value inside', [setting({ x: 1 })], showsSettings({ x: '2' }, xml), `${PORTAL_READ} settings`],
  ],
  [NOT_STATED]: [['an address in other case', [at('0a:00:00:00:00:01')], showsAt('0A:00:00:00:00:01', xml)]],
});

const view = { window: 'view', family: 'portal' } as const;
const guest = create({ name: 'p' }, portal);
const whole = create({ name: 'p', description: 'd', settings: { x: 1 }, portalType: 'BYOD' }, portal);
const VIEWS = rowsOf({
  '"What the service does": view of all portals': [
    ['a portal of any kind is in the view', [guest], seeing({ name: 'p' }, view)],
    ['a portal that the view lacks', [guest], read(undefined, view), 'VIEW-PORTAL no-effect view'],
    ['another name in the view', [guest], seeing({ name: 'q' }, view), 'VIEW-PORTAL value member name'],
  ],
  'not shown: fields of the generic portal': [
    ['members that the view lacks', [whole], seeing({ name: 'p' }, view)],
    ['another kind in the view', [whole], seeing({ name: 'p', portalType: 'Device' }, view)],
  ],
  [SERVICE]: [['a portal that is gone', [guest, remove({}, portal)], seeing({}, view), 'VIEW-PORTAL no-effect view']],
});

describe('the oracle on values, in JSON, in XML and in views', () => {
  it.each([...VALUES, ...XML, ...VIEWS])('%s (%s)', (_rule, _source, history, seen, expected) => {
    expect(told(history, seen)).toBe(expected);
  });

  it('a member that reads show when it is off is lost if one lacks it', () => {
    const off = create({ propogateToApic: false });
    const [shownOff, lost] = [['propogateToApic'], 'PAY-C missing member propogateToApic'];
    expect([told([off], seeing({}), { shownOff }), told([off], seeing({}), { shownOff: [] })]).toEqual([
      lost,
      undefined,
    ]);
  });
});

const sent = { a: 1, page: { aup: false, data: [{ key: 'k' }] } };
it.each([
  [{ a: 1, page: { data: [{ key: 'k' }] } }, 'settings.page.aup', false, undefined],
  [{ a: '1', page: { aup: false, data: { key: 'k' } } }, 'settings.page.data', [{ key: 'k' }], { key: 'k' }],
  [{ a: 1, page: { aup: false, data: [{ key: 'K' }] } }, 'settings.page.data[0].key', 'k', 'K'],
  [{ a: 1, page: 'x' }, 'settings.page', sent.page, 'x'],
  ['x', 'settings', sent, 'x'],
])('where two values part %j', (shown, ...expected) => {
  expect(parting('settings', sent, shown, 'json')).toEqual(expected);
});
