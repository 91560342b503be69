import { describe, expect, it } from 'vitest';
import {
  create,
  NOT_SHOWN,
  NOT_STATED,
  PAYLOAD,
  type Row,
  read,
  remove,
  SERVICE,
  told,
  update,
  xml,
} from '../../../helpers/histories.ts';

const endpoint = { family: 'ancendpoint' } as const;
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
    'SVC-1 no-effect record',
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

describe('the oracle on whether a record is there', () => {
  it.each([...PRESENCE, ...IDS])('%s (%s)', (_rule, _source, history, seen, expected) => {
    expect(told(history, seen)).toBe(expected);
  });
});
