import { describe, expect, it } from 'vitest';
import type { Write } from '../../../../conformance/model/history.ts';
import type { Observation } from '../../../../conformance/model/observation.ts';
import { create, learn, read, remove, told, update, xml } from '../../../helpers/histories.ts';

type Row = readonly [
  rule: string,
  source: string,
  history: readonly Write[],
  seen: Observation,
  expected: string | undefined,
];

const PAYLOAD = '"Special paths": the create payload is the set of body fields';
const SERVICE = '"What the service does": create, read, update, delete and list';
const TYPES = '"Resources and their fields": types';
const NOT_SHOWN = 'not shown: response bodies';
const NOT_STATED = 'not stated';

const portal = { family: 'byodportal' } as const;
const mapping = { family: 'sgtvnvlan' } as const;
const endpoint = { family: 'ancendpoint' } as const;
const view = { window: 'view', family: 'portal' } as const;
const made = create({ name: 'beta', description: 'one', value: 7 });
const id = 'a';

const PRESENCE: readonly Row[] = [
  [
    'a record that was made is there',
    SERVICE,
    [made],
    read({ id, name: 'beta', description: 'one', value: 7 }),
    undefined,
  ],
  ['a record that was made last and is not there', SERVICE, [made], read(undefined), 'SVC-1 no-effect record'],
  [
    'a record that is not there after other writes',
    SERVICE,
    [made, create({ name: 'x' }, { id: 'b' })],
    read(undefined),
    'OP-sgt-R no-effect record',
  ],
  [
    'a record that a delete of another took away',
    SERVICE,
    [made, create({ name: 'x' }, { id: 'b' }), remove({}, { id: 'b' })],
    read(undefined),
    'OP-sgt-D no-effect other records',
  ],
  ['a record that was removed is gone', SERVICE, [made, remove()], read(undefined), undefined],
  ['a record that was removed and is there', SERVICE, [made, remove()], read({ id }), 'OP-sgt-D no-effect record'],
  [
    'a record that a bulk request removed and is there',
    '"Special paths": bulk',
    [made, remove({}, { bulk: true })],
    read({ id }),
    'SPC-BULK no-effect record',
  ],
  [
    'a create of unknown end may have made it',
    NOT_STATED,
    [create({ name: 'beta' }, { end: 'unknown' })],
    read(undefined),
    undefined,
  ],
  [
    'a create of unknown end stored nobody knows what',
    NOT_STATED,
    [create({ name: 'beta' }, { end: 'unknown' })],
    read({ id, name: 'x' }),
    undefined,
  ],
  [
    'a delete of unknown end may have removed it',
    NOT_STATED,
    [made, remove({}, { end: 'unknown' })],
    read(undefined),
    undefined,
  ],
  [
    'a delete of unknown end changes nothing else',
    PAYLOAD,
    [made, remove({}, { end: 'unknown' })],
    read({ id, name: 'x', description: 'one', value: 7 }),
    'PAY-C value member name',
  ],
  [
    'a delete of unknown end makes nothing',
    SERVICE,
    [made, remove(), remove({}, { end: 'unknown' })],
    read({ id }),
    'OP-sgt-D no-effect record',
  ],
  [
    'an update of a record that is gone may make it again',
    NOT_STATED,
    [made, remove(), update({ name: 'x' })],
    read({ id, name: 'x' }),
    undefined,
  ],
  [
    'a refused delete removes nothing',
    SERVICE,
    [made, remove({}, { end: 'refused' })],
    read(undefined),
    'SVC-1 no-effect record',
  ],
  [
    'a create under the id of a record that is gone',
    SERVICE,
    [made, remove(), create({ name: 'x' })],
    read({ id, name: 'x' }),
    undefined,
  ],
  ['a record that nobody knows', NOT_STATED, [], read({ id, name: 'x' }), undefined],
  [
    'an endpoint that a policy was put on and is not there',
    '"Special paths": apply',
    [create({ policyName: 'p' }, endpoint)],
    read(undefined, endpoint),
    'SPC-ANC no-effect record',
  ],
  [
    'an endpoint that was cleared and is there',
    '"Special paths": clear',
    [create({ policyName: 'p' }, endpoint), remove({}, endpoint)],
    read({ id }, endpoint),
    'SPC-ANC no-effect record',
  ],
];

const IDS: readonly Row[] = [
  [
    'another record',
    '"Operations per family": GET /{id}',
    [made],
    read({ id: 'b', name: 'x', value: 8 }),
    'OP-sgt-R value member id',
  ],
  [
    'the record under another id',
    '"Resources and their fields": all ids are strings',
    [made],
    read({ id: 'A', name: 'beta', description: 'one', value: 7 }),
    'RES-ID value member id',
  ],
  [
    'an id that is a number',
    '"Resources and their fields": all ids are strings',
    [create({ name: 'x' }, { id: '7' })],
    read({ id: 7, name: 'x' }, { id: '7' }),
    'RES-ID value member id',
  ],
  [
    'no id',
    '"Resources and their fields": all ids are strings',
    [made],
    read({ name: 'beta' }),
    'RES-ID missing member id',
  ],
  [
    'another record for one that is gone',
    'implied: NEG-404',
    [made, remove()],
    read({ id: 'b', name: 'x' }),
    'NEG-404 value member id',
  ],
  ['an XML answer without an id', NOT_SHOWN, [made], read({ name: 'beta' }, {}, xml), undefined],
  [
    'an XML answer without an id, of a record that is gone',
    NOT_SHOWN,
    [made, remove()],
    read({ name: 'beta' }, {}, xml),
    undefined,
  ],
  [
    'an XML answer that cannot be taken apart',
    NOT_SHOWN,
    [made, remove()],
    read(undefined, {}, { ...xml, status: 200 }),
    undefined,
  ],
  [
    'a refused read that names an id',
    SERVICE,
    [made],
    read({ id: 'x' }, {}, { status: 404 }),
    'SVC-1 no-effect record',
  ],
  [
    'another node by name',
    '"Special paths": node by name',
    [create({ name: 'n' }, { family: 'node' })],
    read({ id: 'b', name: 'm' }, { window: 'name', family: 'node' }),
    'SPC-NODE value member id',
  ],
  [
    'the same name twice',
    NOT_STATED,
    [create({ name: 'n' }, { family: 'sgt' })],
    read({ id: 'b', name: 'n' }, { window: 'name' }),
    undefined,
  ],
];

const seeing = (record: object) => read({ id, ...record });
const MEMBERS: readonly Row[] = [
  ['a member that was lost', PAYLOAD, [made], seeing({ name: 'beta', value: 7 }), 'PAY-C missing member description'],
  ['another text', PAYLOAD, [create({ name: 'beta' })], seeing({ name: 'Beta' }), 'PAY-C value member name'],
  [
    'another text after an update',
    PAYLOAD,
    [made, update({ name: 'x' })],
    seeing({ name: 'beta' }),
    'PAY-U value member name',
  ],
  [
    'another text after a bulk request',
    '"Special paths": bulk',
    [create({ name: 'beta' }, { bulk: true })],
    seeing({ name: 'x' }),
    'SPC-BULK value member name',
  ],
  [
    'another policy of an endpoint',
    '"Special paths": apply',
    [create({ policyName: 'p' }, endpoint)],
    read({ id, policyName: 'q' }, endpoint),
    'SPC-ANC value member policyName',
  ],
  [
    'a member that an update left out may stay',
    NOT_STATED,
    [made, update({ name: 'x' })],
    seeing({ name: 'x', description: 'one' }),
    undefined,
  ],
  [
    'a member that an update left out may go',
    NOT_STATED,
    [made, update({ name: 'x' })],
    seeing({ name: 'x' }),
    undefined,
  ],
  [
    'an update of unknown end may be seen',
    NOT_STATED,
    [made, update({ name: 'x' }, { end: 'unknown' })],
    seeing({ name: 'x', description: 'one', value: 7 }),
    undefined,
  ],
  [
    'an update of unknown end may have cleared what it left out',
    NOT_STATED,
    [made, update({ name: 'x' }, { end: 'unknown' })],
    seeing({ name: 'x' }),
    undefined,
  ],
  [
    'what an update of unknown end would not change',
    PAYLOAD,
    [made, update({ name: 'x', value: 7 }, { end: 'unknown' })],
    seeing({ name: 'x', value: 8 }),
    'PAY-C value member value',
  ],
  [
    'what a refused update sent is not stored',
    SERVICE,
    [made, update({ name: 'x' }, { end: 'refused' })],
    seeing({ name: 'x', description: 'one', value: 7 }),
    'OP-sgt-U value member name',
  ],
  [
    'what an update of another record sent is not stored',
    SERVICE,
    [made, create({ name: 'b' }, { id: 'b' }), update({ description: 'two' }, { id: 'b' })],
    seeing({ name: 'beta', description: 'two', value: 7 }),
    'OP-sgt-U value member description',
  ],
  [
    'a number as a text',
    TYPES,
    [made],
    seeing({ name: 'beta', description: 'one', value: '7' }),
    'RES-TYPE value member value',
  ],
  ['a text as a number', TYPES, [create({ name: '42' })], seeing({ name: 42 }), 'RES-TYPE value member name'],
  [
    'a truth value as a text',
    TYPES,
    [create({ propogateToApic: true })],
    seeing({ propogateToApic: 'true' }),
    'RES-TYPE value member propogateToApic',
  ],
  [
    'another truth value',
    PAYLOAD,
    [create({ propogateToApic: true })],
    seeing({ propogateToApic: false }),
    'PAY-C value member propogateToApic',
  ],
  [
    'members that nobody sent',
    'not shown: what a server adds',
    [made],
    seeing({ name: 'beta', description: 'one', value: 7, revision: 3 }),
    undefined,
  ],
  [
    'a member that no table lists',
    NOT_STATED,
    [create({ name: 'beta', color: 'red', constructor: 'x' })],
    seeing({ name: 'beta' }),
    undefined,
  ],
  [
    'null is no value',
    NOT_STATED,
    [create({ name: 'beta', description: null })],
    seeing({ name: 'beta', description: 'a default' }),
    undefined,
  ],
  [
    'blanks at the ends',
    NOT_STATED,
    [create({ name: 'beta', description: ' one ' })],
    seeing({ name: 'beta', description: 'one' }),
    undefined,
  ],
  ['blanks alone', NOT_STATED, [create({ name: 'beta', description: '  ' })], seeing({ name: 'beta' }), undefined],
  [
    'blanks inside',
    PAYLOAD,
    [create({ description: 'a  b' })],
    seeing({ description: 'a b' }),
    'PAY-C value member description',
  ],
  [
    'composed and decomposed',
    NOT_STATED,
    [create({ description: 'M\u00fcller' })],
    seeing({ description: 'Mu\u0308ller' }),
    undefined,
  ],
  [
    'without its accent',
    PAYLOAD,
    [create({ description: 'M\u00fcller' })],
    seeing({ description: 'Muller' }),
    'PAY-C value member description',
  ],
  [
    'an empty text and none',
    NOT_STATED,
    [create({ name: 'beta', description: '' })],
    seeing({ name: 'beta' }),
    undefined,
  ],
  [
    'an empty text that was filled',
    PAYLOAD,
    [made, update({ description: '' })],
    seeing({ description: 'one' }),
    'PAY-U value member description',
  ],
  [
    'an empty text in XML and what was there before',
    NOT_SHOWN,
    [made, update({ description: '' }, xml)],
    seeing({ description: 'one' }),
    undefined,
  ],
  [
    'members that the server adds to an object',
    'not shown: inner structure of settings',
    [create({ settings: { x: 1 } }, portal)],
    read({ id, settings: { x: 1, y: 2 } }, portal),
    undefined,
  ],
  [
    'a member of an object that was lost',
    PAYLOAD,
    [create({ settings: { x: { y: 1, z: 2 } } }, portal)],
    read({ id, settings: { x: { y: 1 } } }, portal),
    'PAY-C value member settings',
  ],
  [
    'items with members that the server adds, in another order',
    NOT_STATED,
    [create({ virtualnetworklist: [{ name: 'a' }, { name: 'b' }] }, mapping)],
    read(
      {
        id,
        virtualnetworklist: [
          { name: 'b', id: '2' },
          { name: 'a', id: '1' },
        ],
      },
      mapping,
    ),
    undefined,
  ],
  [
    'an item too many',
    PAYLOAD,
    [create({ virtualnetworklist: [{ name: 'a' }] }, mapping)],
    read({ id, virtualnetworklist: [{ name: 'a' }, { name: 'b' }] }, mapping),
    'PAY-C value member virtualnetworklist',
  ],
  [
    'an empty list that the server fills',
    'not shown: what a server adds',
    [create({ virtualnetworklist: [] }, mapping)],
    read({ id, virtualnetworklist: [{ name: 'default' }] }, mapping),
    undefined,
  ],
  [
    'an empty list that shows what was there before',
    PAYLOAD,
    [create({ virtualnetworklist: [{ name: 'a' }] }, mapping), update({ virtualnetworklist: [] }, mapping)],
    read({ id, virtualnetworklist: [{ name: 'a', id: '1' }] }, mapping),
    'PAY-U value member virtualnetworklist',
  ],
  [
    'an object that was written by XML is of any form',
    NOT_SHOWN,
    [create({ settings: { x: { y: true } } }, { ...portal, ...xml })],
    read({ id, settings: [{ y: 'true' }] }, portal),
    undefined,
  ],
  [
    'an object that was written by XML and lost a text',
    PAYLOAD,
    [create({ settings: { x: 'one', y: 'two' } }, { ...portal, ...xml })],
    read({ id, settings: { x: 'one' } }, portal),
    'PAY-C value member settings',
  ],
  [
    'a text that was written by XML',
    PAYLOAD,
    [create({ name: 'beta' }, xml)],
    seeing({ name: 'x' }),
    'PAY-C value member name',
  ],
  [
    'what deployments fill in by themselves',
    'published definitions',
    [create({ portalTestUrl: 'https://a.example' }, portal)],
    read({ id, portalTestUrl: 'https://b.example' }, portal),
    undefined,
  ],
  [
    'an address in other case',
    NOT_STATED,
    [create({ macAddress: '0a:00:00:00:00:01' }, endpoint)],
    read({ id, macAddress: '0A:00:00:00:00:01' }, endpoint),
    undefined,
  ],
  [
    'an address with dashes',
    '"Resources and their fields": colon-separated',
    [create({ macAddress: '0A:00:00:00:00:01' }, endpoint)],
    read({ id, macAddress: '0A-00-00-00-00-01' }, endpoint),
    'RES-MAC value member macAddress',
  ],
];

const GENERATED: readonly Row[] = [
  [
    'a number that was generated',
    '"Resources and their fields": or -1 to auto-generate',
    [create({ value: -1 })],
    seeing({ value: 65_519 }),
    undefined,
  ],
  [
    '-1 as it was sent',
    '"Resources and their fields": or -1 to auto-generate',
    [create({ value: -1 })],
    seeing({ value: -1 }),
    'RES-SGTVAL value member value',
  ],
  [
    'a number out of bounds',
    '"Limits": 2 to 65519',
    [create({ value: -1 })],
    seeing({ value: 65_520 }),
    'RES-SGTVAL value member value',
  ],
  [
    'no number',
    '"Resources and their fields": or -1 to auto-generate',
    [create({ value: -1 })],
    seeing({}),
    'RES-SGTVAL missing member value',
  ],
  ['no number in XML', NOT_SHOWN, [create({ value: -1 })], read({ id }, {}, xml), undefined],
  [
    'another number than was once shown',
    PAYLOAD,
    [create({ value: -1 }), learn({ value: 30 })],
    seeing({ value: 31 }),
    'PAY-C value member value',
  ],
];

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

describe('the oracle on reads', () => {
  it.each([...PRESENCE, ...IDS, ...MEMBERS, ...GENERATED, ...XML, ...VIEWS])(
    '%s (%s)',
    (_rule, _source, history, seen, expected) => {
      expect(told(history, seen)).toBe(expected);
    },
  );
});
