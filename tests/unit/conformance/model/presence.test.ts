import { describe, expect, it } from 'vitest';
import {
  create,
  endpoint,
  made,
  NOT_SHOWN,
  NOT_STATED,
  PAYLOAD,
  read,
  remove,
  renamed,
  rowsOf,
  SERVICE,
  seeing,
  told,
  xml,
} from '../../../helpers/histories.ts';

const other = create({ name: 'x' }, { id: 'b' });
const unsureRemoved = remove({}, { end: 'unknown' });
const unsure = create({ name: 'beta' }, { end: 'unknown' });
const applied = create({ policyName: 'p' }, endpoint);
const PRESENCE = rowsOf({
  [SERVICE]: [
    ['a record that was made is there', [made], seeing({ name: 'beta', description: 'one', value: 7 })],
    ['a record that was made last and is not there', [made], read(undefined), 'SVC-1 no-effect record'],
    ['a record that is not there after other writes', [made, other], read(undefined), 'SVC-1 no-effect record'],
    [
      'a record that a delete of another took away',
      [made, other, remove({}, { id: 'b' })],
      read(undefined),
      'OP-sgt-D no-effect other records',
    ],
    ['a record that was removed is gone', [made, remove()], read(undefined)],
    ['a record that was removed and is there', [made, remove()], seeing({}), 'OP-sgt-D no-effect record'],
    ['a delete of unknown end makes nothing', [made, remove(), unsureRemoved], seeing({}), 'OP-sgt-D no-effect record'],
    [
      'a refused delete removes nothing',
      [made, remove({}, { end: 'refused' })],
      read(undefined),
      'SVC-1 no-effect record',
    ],
    ['a create under the id of a record that is gone', [made, remove(), create({ name: 'x' })], seeing({ name: 'x' })],
  ],
  '"Special paths": bulk': [
    [
      'a record that a bulk request removed and is there',
      [made, remove({}, { bulk: true })],
      seeing({}),
      'SPC-BULK no-effect record',
    ],
  ],
  [NOT_STATED]: [
    ['a create of unknown end may have made it', [unsure], read(undefined)],
    ['a create of unknown end stored nobody knows what', [unsure], seeing({ name: 'x' })],
    ['a delete of unknown end may have removed it', [made, unsureRemoved], read(undefined)],
    ['an update of a record that is gone may make it again', [made, remove(), renamed], seeing({ name: 'x' })],
    ['a record that nobody knows', [], seeing({ name: 'x' })],
  ],
  [PAYLOAD]: [
    [
      'a delete of unknown end changes nothing else',
      [made, unsureRemoved],
      seeing({ name: 'x', description: 'one', value: 7 }),
      'PAY-C value member name',
    ],
  ],
  '"Special paths": apply': [
    [
      'an endpoint that a policy was put on and is not there',
      [applied],
      read(undefined, endpoint),
      'SPC-ANC no-effect record',
    ],
  ],
  '"Special paths": clear': [
    [
      'an endpoint that was cleared and is there',
      [applied, remove({}, endpoint)],
      seeing({}, endpoint),
      'SPC-ANC no-effect record',
    ],
  ],
});

const IDS = rowsOf({
  '"Operations per family": GET /{id}': [
    ['another record', [made], read({ id: 'b', name: 'x', value: 8 }), 'OP-sgt-R value member id'],
  ],
  '"Resources and their fields": all ids are strings': [
    [
      'the record under another id',
      [made],
      read({ id: 'A', name: 'beta', description: 'one', value: 7 }),
      'RES-ID value member id',
    ],
    [
      'an id that is a number',
      [create({ name: 'x' }, { id: '7' })],
      read({ id: 7, name: 'x' }, { id: '7' }),
      'RES-ID value member id',
    ],
    ['no id', [made], read({ name: 'beta' }), 'RES-ID missing member id'],
  ],
  'implied: NEG-404': [
    ['another record for one that is gone', [made, remove()], read({ id: 'b', name: 'x' }), 'NEG-404 value member id'],
  ],
  [NOT_SHOWN]: [
    ['an XML answer without an id', [made], read({ name: 'beta' }, {}, xml)],
    ['an XML answer without an id, of a record that is gone', [made, remove()], read({ name: 'beta' }, {}, xml)],
    ['an XML answer that cannot be taken apart', [made, remove()], read(undefined, {}, { ...xml, status: 200 })],
  ],
  [SERVICE]: [
    ['a refused read that names an id', [made], read({ id: 'x' }, {}, { status: 404 }), 'SVC-1 no-effect record'],
  ],
  '"Special paths": node by name': [
    [
      'another node by name',
      [create({ name: 'n' }, { family: 'node' })],
      read({ id: 'b', name: 'm' }, { window: 'name', family: 'node' }),
      'SPC-NODE value member id',
    ],
  ],
  [NOT_STATED]: [
    [
      'the same name twice',
      [create({ name: 'n' }, { family: 'sgt' })],
      read({ id: 'b', name: 'n' }, { window: 'name' }),
    ],
  ],
});

describe('the oracle on whether a record is there', () => {
  it.each([...PRESENCE, ...IDS])('%s (%s)', (_rule, _source, history, seen, expected) => {
    expect(told(history, seen)).toBe(expected);
  });
});
