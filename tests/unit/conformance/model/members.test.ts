import { describe, expect, it } from 'vitest';
import {
  create,
  endpoint,
  learn,
  made,
  NOT_SHOWN,
  NOT_STATED,
  PAYLOAD,
  portal,
  renamed,
  rowsOf,
  SERVICE,
  seeing,
  TYPES,
  told,
  update,
  xml,
} from '../../../helpers/histories.ts';

const lost = update({ name: 'x' }, { end: 'unknown' });
const changed = seeing({ name: 'beta', description: 'two', value: 7 });
const truth = create({ propogateToApic: true });
const MEMBERS = rowsOf({
  [PAYLOAD]: [
    ['a member that was lost', [made], seeing({ name: 'beta', value: 7 }), 'PAY-C missing member description'],
    ['another text', [create({ name: 'beta' })], seeing({ name: 'Beta' }), 'PAY-C value member name'],
    ['another text after an update', [made, renamed], seeing({ name: 'beta' }), 'PAY-U value member name'],
    [
      'what an update of unknown end would not change',
      [made, update({ name: 'x', value: 7 }, { end: 'unknown' })],
      seeing({ name: 'x', value: 8 }),
      'PAY-C value member value',
    ],
    ['another truth value', [truth], seeing({ propogateToApic: false }), 'PAY-C value member propogateToApic'],
  ],
  '"Special paths": bulk': [
    [
      'another text after a bulk request',
      [create({ name: 'beta' }, { bulk: true })],
      seeing({ name: 'x' }),
      'SPC-BULK value member name',
    ],
  ],
  '"Special paths": apply': [
    [
      'another policy of an endpoint',
      [create({ policyName: 'p' }, endpoint)],
      seeing({ policyName: 'q' }, endpoint),
      'SPC-ANC value member policyName',
    ],
  ],
  [NOT_STATED]: [
    ['a member that an update left out may stay', [made, renamed], seeing({ name: 'x', description: 'one' })],
    ['a member that an update left out may go', [made, renamed], seeing({ name: 'x' })],
    ['an update of unknown end may be seen', [made, lost], seeing({ name: 'x', description: 'one', value: 7 })],
    ['an update of unknown end may have cleared what it left out', [made, lost], seeing({ name: 'x' })],
    [
      'a member that no table lists',
      [create({ name: 'beta', color: 'red', constructor: 'x' })],
      seeing({ name: 'beta' }),
    ],
    [
      'null is no value',
      [create({ name: 'beta', description: null })],
      seeing({ name: 'beta', description: 'a default' }),
    ],
  ],
  [SERVICE]: [
    [
      'what a refused update sent is not stored',
      [made, update({ name: 'x' }, { end: 'refused' })],
      seeing({ name: 'x', description: 'one', value: 7 }),
      'OP-sgt-U value member name',
    ],
    [
      'what an update of another record sent is not stored',
      [made, create({ name: 'b' }, { id: 'b' }), update({ description: 'two' }, { id: 'b' })],
      changed,
      'OP-sgt-U no-effect other records',
    ],
    [
      'nor what a create before its own last write sent',
      [create({ description: 'two' }, { id: 'b' }), made],
      changed,
      'PAY-C value member description',
    ],
    [
      'nor one of a few allowed values, which many writes send',
      [create({ name: 'beta', portalType: 'BYOD' }, portal), create({ portalType: 'SPONSOR' }, { ...portal, id: 'b' })],
      seeing({ name: 'beta', portalType: 'SPONSOR' }, portal),
      'PAY-C value member portalType',
    ],
    [
      'and of an update and a create that sent the same, the update changes what is there',
      [made, update({ description: 'two' }, { id: 'b' }), create({ description: 'two' }, { id: 'c' })],
      changed,
      'OP-sgt-U no-effect other records',
    ],
  ],
  [TYPES]: [
    [
      'a number as a text',
      [made],
      seeing({ name: 'beta', description: 'one', value: '7' }),
      'RES-TYPE value member value',
    ],
    ['a text as a number', [create({ name: '42' })], seeing({ name: 42 }), 'RES-TYPE value member name'],
    ['a truth value as a text', [truth], seeing({ propogateToApic: 'true' }), 'RES-TYPE value member propogateToApic'],
  ],
  'not shown: what a server adds': [
    ['members that nobody sent', [made], seeing({ name: 'beta', description: 'one', value: 7, revision: 3 })],
  ],
});

const GENERATED = rowsOf({
  '"Resources and their fields": or -1 to auto-generate': [
    ['a number that was generated', [create({ value: -1 })], seeing({ value: 65_519 })],
    ['-1 as it was sent', [create({ value: -1 })], seeing({ value: -1 }), 'RES-SGTVAL value member value'],
    ['no number', [create({ value: -1 })], seeing({}), 'RES-SGTVAL missing member value'],
  ],
  '"Limits": 2 to 65519': [
    ['a number out of bounds', [create({ value: -1 })], seeing({ value: 65_520 }), 'RES-SGTVAL value member value'],
  ],
  [NOT_SHOWN]: [['no number in XML', [create({ value: -1 })], seeing({}, {}, xml)]],
  [PAYLOAD]: [
    [
      'another number than was once shown',
      [create({ value: -1 }), learn({ value: 30 })],
      seeing({ value: 31 }),
      'PAY-C value member value',
    ],
  ],
});

describe('the oracle on members of a read', () => {
  it.each([...MEMBERS, ...GENERATED])('%s (%s)', (_rule, _source, history, seen, expected) => {
    expect(told(history, seen)).toBe(expected);
  });
});
