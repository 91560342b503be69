import { describe, expect, it } from 'vitest';
import {
  create,
  NOT_SHOWN,
  NOT_STATED,
  PAYLOAD,
  type Row,
  read,
  told,
  update,
  xml,
} from '../../../helpers/histories.ts';

const portal = { family: 'byodportal' } as const;
const mapping = { family: 'sgtvnvlan' } as const;
const endpoint = { family: 'ancendpoint' } as const;
const made = create({ name: 'beta', description: 'one', value: 7 });
const id = 'a';

const seeing = (record: object) => read({ id, ...record });
const VALUES: readonly Row[] = [
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

describe('the oracle on values of a read', () => {
  it.each([...VALUES])('%s (%s)', (_rule, _source, history, seen, expected) => {
    expect(told(history, seen)).toBe(expected);
  });
});
