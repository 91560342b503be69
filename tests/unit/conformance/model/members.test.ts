import { describe, expect, it } from 'vitest';
import {
  create,
  learn,
  NOT_SHOWN,
  NOT_STATED,
  PAYLOAD,
  type Row,
  read,
  SERVICE,
  TYPES,
  told,
  update,
  xml,
} from '../../../helpers/histories.ts';

const endpoint = { family: 'ancendpoint' } as const;
const made = create({ name: 'beta', description: 'one', value: 7 });
const id = 'a';

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

describe('the oracle on members of a read', () => {
  it.each([...MEMBERS, ...GENERATED])('%s (%s)', (_rule, _source, history, seen, expected) => {
    expect(told(history, seen)).toBe(expected);
  });
});
