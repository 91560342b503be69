import { describe, expect, it } from 'vitest';
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
  rowsOf,
  seeing,
  setting,
  showsItems,
  showsSettings,
  told,
  update,
  xml,
} from '../../../helpers/histories.ts';

const described = (description: string) => create({ description });
const at = (macAddress: string) => create({ macAddress }, endpoint);
const shows = (description: string) => seeing({ description });
const VALUES = rowsOf({
  [NOT_STATED]: [
    [
      'blanks at the ends',
      [create({ name: 'beta', description: ' one ' })],
      seeing({ name: 'beta', description: 'one' }),
    ],
    ['blanks alone', [create({ name: 'beta', description: '  ' })], seeing({ name: 'beta' })],
    ['composed and decomposed', [described('M\u00fcller')], shows('Mu\u0308ller')],
    ['an empty text and none', [create({ name: 'beta', description: '' })], seeing({ name: 'beta' })],
    [
      'items with members that the server adds, in another order',
      [listing('a', 'b')],
      showsItems([
        { name: 'b', id: '2' },
        { name: 'a', id: '1' },
      ]),
    ],
    ['an address in other case', [at('0a:00:00:00:00:01')], seeing({ macAddress: '0A:00:00:00:00:01' }, endpoint)],
  ],
  [PAYLOAD]: [
    ['blanks inside', [described('a  b')], shows('a b'), 'PAY-C value member description'],
    ['without its accent', [described('M\u00fcller')], shows('Muller'), 'PAY-C value member description'],
    [
      'an empty text that was filled',
      [made, update({ description: '' })],
      shows('one'),
      'PAY-U value member description',
    ],
    [
      'a member of an object that was lost',
      [setting({ x: { y: 1, z: 2 } })],
      showsSettings({ x: { y: 1 } }),
      'PAY-C value member settings',
    ],
    [
      'a text that was sent for another record alone',
      [create({ name: 'beta', description: 'own' }, { id: 'b' }), create({ name: 'beta' })],
      seeing({ name: 'beta', description: 'own' }),
      'PAY-C value member description',
    ],
    [
      'an item too many',
      [listing('a')],
      showsItems([{ name: 'a' }, { name: 'b' }]),
      'PAY-C value member virtualnetworklist',
    ],
    [
      'an empty list that shows what was there before',
      [listing('a'), update({ virtualnetworklist: [] }, mapping)],
      showsItems([{ name: 'a', id: '1' }]),
      'PAY-U value member virtualnetworklist',
    ],
    [
      'an object that was written by XML and lost a text',
      [setting({ x: 'one', y: 'two' }, xml)],
      showsSettings({ x: 'one' }),
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
    ['an empty text in XML and what was there before', [made, update({ description: '' }, xml)], shows('one')],
    [
      'an object that was written by XML is of any form',
      [setting({ x: { y: true } }, xml)],
      showsSettings([{ y: 'true' }]),
    ],
  ],
  'not shown: inner structure of settings': [
    ['members that the server adds to an object', [setting({ x: 1 })], showsSettings({ x: 1, y: 2 })],
  ],
  'not shown: what a server adds': [
    ['an empty list that the server fills', [listing()], showsItems([{ name: 'default' }])],
  ],
  'published definitions': [
    [
      'what names a record, and was sent for another one alone',
      [create({ name: 'x', sgtId: '1' }, { ...mapping, id: 'b' }), create({ name: 'y' }, mapping)],
      seeing({ name: 'y', sgtId: '1' }, mapping),
    ],
    ['a text that nobody sent', [create({ name: 'beta' })], seeing({ name: 'beta', description: 'a group' })],
    [
      'what deployments fill in by themselves',
      [create({ portalTestUrl: 'https://a.example' }, portal)],
      seeing({ portalTestUrl: 'https://b.example' }, portal),
    ],
  ],
  '"Resources and their fields": colon-separated': [
    [
      'an address with dashes',
      [at('0A:00:00:00:00:01')],
      seeing({ macAddress: '0A-00-00-00-00-01' }, endpoint),
      'RES-MAC value member macAddress',
    ],
  ],
});

describe('the oracle on values of a read', () => {
  it.each([...VALUES])('%s (%s)', (_rule, _source, history, seen, expected) => {
    expect(told(history, seen)).toBe(expected);
  });
});
