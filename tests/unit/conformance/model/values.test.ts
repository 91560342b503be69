import { describe, expect, it } from 'vitest';
import { create, NOT_SHOWN, NOT_STATED, PAYLOAD, read, rowsOf, told, update, xml } from '../../../helpers/histories.ts';

const portal = { family: 'byodportal' } as const;
const mapping = { family: 'sgtvnvlan' } as const;
const endpoint = { family: 'ancendpoint' } as const;
const made = create({ name: 'beta', description: 'one', value: 7 });
const id = 'a';

const seeing = (record: object) => read({ id, ...record });
const VALUES = rowsOf({
  [NOT_STATED]: [
    [
      'blanks at the ends',
      [create({ name: 'beta', description: ' one ' })],
      seeing({ name: 'beta', description: 'one' }),
    ],
    ['blanks alone', [create({ name: 'beta', description: '  ' })], seeing({ name: 'beta' })],
    ['composed and decomposed', [create({ description: 'M\u00fcller' })], seeing({ description: 'Mu\u0308ller' })],
    ['an empty text and none', [create({ name: 'beta', description: '' })], seeing({ name: 'beta' })],
    [
      'items with members that the server adds, in another order',
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
    ],
    [
      'an address in other case',
      [create({ macAddress: '0a:00:00:00:00:01' }, endpoint)],
      read({ id, macAddress: '0A:00:00:00:00:01' }, endpoint),
    ],
  ],
  [PAYLOAD]: [
    [
      'blanks inside',
      [create({ description: 'a  b' })],
      seeing({ description: 'a b' }),
      'PAY-C value member description',
    ],
    [
      'without its accent',
      [create({ description: 'M\u00fcller' })],
      seeing({ description: 'Muller' }),
      'PAY-C value member description',
    ],
    [
      'an empty text that was filled',
      [made, update({ description: '' })],
      seeing({ description: 'one' }),
      'PAY-U value member description',
    ],
    [
      'a member of an object that was lost',
      [create({ settings: { x: { y: 1, z: 2 } } }, portal)],
      read({ id, settings: { x: { y: 1 } } }, portal),
      'PAY-C value member settings',
    ],
    [
      'an item too many',
      [create({ virtualnetworklist: [{ name: 'a' }] }, mapping)],
      read({ id, virtualnetworklist: [{ name: 'a' }, { name: 'b' }] }, mapping),
      'PAY-C value member virtualnetworklist',
    ],
    [
      'an empty list that shows what was there before',
      [create({ virtualnetworklist: [{ name: 'a' }] }, mapping), update({ virtualnetworklist: [] }, mapping)],
      read({ id, virtualnetworklist: [{ name: 'a', id: '1' }] }, mapping),
      'PAY-U value member virtualnetworklist',
    ],
    [
      'an object that was written by XML and lost a text',
      [create({ settings: { x: 'one', y: 'two' } }, { ...portal, ...xml })],
      read({ id, settings: { x: 'one' } }, portal),
      'PAY-C value member settings',
    ],
    [
      'a text that was written by XML',
      [create({ name: 'beta' }, xml)],
      seeing({ name: 'x' }),
      'PAY-C value member name',
    ],
  ],
  [NOT_SHOWN]: [
    [
      'an empty text in XML and what was there before',
      [made, update({ description: '' }, xml)],
      seeing({ description: 'one' }),
    ],
    [
      'an object that was written by XML is of any form',
      [create({ settings: { x: { y: true } } }, { ...portal, ...xml })],
      read({ id, settings: [{ y: 'true' }] }, portal),
    ],
  ],
  'not shown: inner structure of settings': [
    [
      'members that the server adds to an object',
      [create({ settings: { x: 1 } }, portal)],
      read({ id, settings: { x: 1, y: 2 } }, portal),
    ],
  ],
  'not shown: what a server adds': [
    [
      'an empty list that the server fills',
      [create({ virtualnetworklist: [] }, mapping)],
      read({ id, virtualnetworklist: [{ name: 'default' }] }, mapping),
    ],
  ],
  'published definitions': [
    [
      'what deployments fill in by themselves',
      [create({ portalTestUrl: 'https://a.example' }, portal)],
      read({ id, portalTestUrl: 'https://b.example' }, portal),
    ],
  ],
  '"Resources and their fields": colon-separated': [
    [
      'an address with dashes',
      [create({ macAddress: '0A:00:00:00:00:01' }, endpoint)],
      read({ id, macAddress: '0A-00-00-00-00-01' }, endpoint),
      'RES-MAC value member macAddress',
    ],
  ],
});

describe('the oracle on values of a read', () => {
  it.each([...VALUES])('%s (%s)', (_rule, _source, history, seen, expected) => {
    expect(told(history, seen)).toBe(expected);
  });
});
