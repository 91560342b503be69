import { expect, it } from 'vitest';
import {
  create,
  endpoint,
  learn,
  listing,
  made,
  mapping,
  NOT_SHOWN,
  NOT_STATED,
  PAYLOAD,
  portal,
  read,
  remove,
  renamed,
  rowsOf,
  SERVICE,
  seeing,
  TYPES,
  told,
  update,
  xml,
} from '../../../helpers/histories.ts';

const unknown = { end: 'unknown' } as const;
const refused = { end: 'refused' } as const;
const b = { id: 'b' } as const;
const lost = update({ name: 'x' }, unknown);
const changed = seeing({ name: 'beta', description: 'two', value: 7 });
const unchanged = { name: 'x', description: 'one', value: 7 };
const truth = create({ propogateToApic: true });
const other = create({ name: 'x' }, b);
const applied = create({ policyName: 'p' }, endpoint);
const unstored = update({ name: 'x' }, refused);
const before = create({ description: 'two' }, b);
const same = [made, update({ description: 'two' }, b), create({ description: 'two' }, { id: 'c' })];
const two = [made, other, update({ description: 'two' }, b)];
const bulked = create({ name: 'a' }, { bulk: true });
const sponsor = seeing({ portalType: 'SPONSOR' }, portal);
const kinds = [create({ portalType: 'BYOD' }, portal), create({ portalType: 'SPONSOR' }, { ...portal, ...b })];
const MEMBERS = rowsOf({
  [PAYLOAD]: [
    ['a member that was lost', [made], seeing({ name: 'beta', value: 7 }), 'PAY-C missing member description'],
    ['another text', [create({ name: 'beta' })], seeing({ name: 'Beta' }), 'PAY-C value member name'],
    ['another text after an update', [made, renamed], seeing({ name: 'beta' }), 'PAY-U value member name'],
    ['neither value', [made, update({ value: 7 }, unknown)], seeing({ value: 8 }), 'PAY-C value member value'],
    ['another truth value', [truth], seeing({ propogateToApic: false }), 'PAY-C value member propogateToApic'],
  ],
  '"Special paths"': [
    ['a text of a bulk item', [bulked], seeing({ name: 'x' }), 'SPC-BULK value member name'],
    ['another policy', [applied], seeing({ policyName: 'q' }, endpoint), 'SPC-ANC value member policyName'],
  ],
  [NOT_STATED]: [
    ['a member that an update left out may stay', [made, renamed], seeing({ name: 'x', description: 'one' })],
    ['a member that an update left out may go', [made, renamed], seeing({ name: 'x' })],
    ['an update of unknown end may be seen', [made, lost], seeing(unchanged)],
    ['an update of unknown end may have cleared what it left out', [made, lost], seeing({ name: 'x' })],
    ['a member that no table lists', [create({ name: 'b', color: 'red', constructor: 'x' })], seeing({ name: 'b' })],
    ['null is no value', [create({ name: 'b', description: null })], seeing({ name: 'b', description: 'a default' })],
  ],
  [SERVICE]: [
    ['a refused update is not stored', [made, unstored], seeing(unchanged), 'OP-sgt-U value member name'],
    ['an update of another record is not stored', two, changed, 'OP-sgt-U no-effect other records'],
    ['nor what a create before its own last write sent', [before, made], changed, 'PAY-C value member description'],
    ['nor one of a few allowed values', kinds, sponsor, 'PAY-C value member portalType'],
    ['of an update and a create that sent the same, the update', same, changed, 'OP-sgt-U no-effect other records'],
  ],
  [TYPES]: [
    ['a number as a text', [create({ value: 7 })], seeing({ value: '7' }), 'RES-TYPE value member value'],
    ['a text as a number', [create({ name: '42' })], seeing({ name: 42 }), 'RES-TYPE value member name'],
    ['a truth value as a text', [truth], seeing({ propogateToApic: 'true' }), 'RES-TYPE value member propogateToApic'],
  ],
  'not shown: what a server adds': [
    ['members that nobody sent', [made], seeing({ name: 'beta', description: 'one', value: 7, revision: 3 })],
  ],
});

const generated = create({ value: -1 });
const GENERATED = rowsOf({
  '"Resources and their fields": or -1 to auto-generate': [
    ['a number that was generated', [generated], seeing({ value: 65_519 })],
    ['-1 as it was sent', [generated], seeing({ value: -1 }), 'RES-SGTVAL value member value'],
    ['no number', [generated], seeing({}), 'RES-SGTVAL missing member value'],
  ],
  '"Limits": 2 to 65519': [
    ['a number out of bounds', [generated], seeing({ value: 65_520 }), 'RES-SGTVAL value member value'],
  ],
  [NOT_SHOWN]: [['no number in XML', [generated], seeing({}, {}, xml)]],
  [PAYLOAD]: [
    ['another than was shown', [generated, learn({ value: 30 })], seeing({ value: 31 }), 'PAY-C value member value'],
  ],
});

const unsureRemoved = remove({}, unknown);
const unsure = create({ name: 'beta' }, unknown);
const removed = [made, remove()];
const GONE = 'OP-sgt-D no-effect record';
const LACKS = 'SVC-1 no-effect record';
const mapped = listing('one');
const CASCADE = 'OP-sgtvnvlan-D no-effect other records';
const PRESENCE = rowsOf({
  [SERVICE]: [
    ['a record that was made is there', [made], seeing({ name: 'beta', description: 'one', value: 7 })],
    ['a record that was made last and is not there', [made], read(undefined), LACKS],
    ['a record that is not there after other writes', [made, other], read(undefined), LACKS],
    ['one gone with another', [made, other, remove({}, b)], read(undefined), 'OP-sgt-D no-effect other records'],
    ['one gone with one of another family', [made, mapped, remove({}, mapping)], read(undefined), CASCADE],
    ['a record that was removed is gone', removed, read(undefined)],
    ['a record that was removed and is there', removed, seeing({}), GONE],
    ['a delete of unknown end makes nothing', [...removed, unsureRemoved], seeing({}), GONE],
    ['a refused delete removes nothing', [made, remove({}, refused)], read(undefined), LACKS],
    ['a create under the id of a record that is gone', [...removed, create({ name: 'x' })], seeing({ name: 'x' })],
  ],
  '"Special paths": bulk, apply and clear': [
    ['one that bulk removed', [made, remove({}, { bulk: true })], seeing({}), 'SPC-BULK no-effect record'],
    ['an endpoint with a policy that is not there', [applied], read(undefined, endpoint), 'SPC-ANC no-effect record'],
    ['a cleared endpoint', [applied, remove({}, endpoint)], seeing({}, endpoint), 'SPC-ANC no-effect record'],
  ],
  [NOT_STATED]: [
    ['a create of unknown end may have made it', [unsure], read(undefined)],
    ['a create of unknown end stored nobody knows what', [unsure], seeing({ name: 'x' })],
    ['a delete of unknown end may have removed it', [made, unsureRemoved], read(undefined)],
    ['an update of a record that is gone may make it again', [...removed, renamed], seeing({ name: 'x' })],
    ['a record that nobody knows', [], seeing({ name: 'x' })],
  ],
  [PAYLOAD]: [
    ['a delete of unknown end changes nothing', [made, unsureRemoved], seeing(unchanged), 'PAY-C value member name'],
  ],
});

const nobody = read({ id: 'b', name: 'x' });
const node = { family: 'node' } as const;
const ofNode = create({ name: 'n' }, node);
const otherNode = read({ id: 'b', name: 'm' }, { window: 'name', ...node });
const off = create({ name: 'b', propogateToApic: false });
const seven = create({ name: 'x' }, { id: '7' });
const IDS = rowsOf({
  '"Operations per family": GET /{id}': [['another record', [made], nobody, 'OP-sgt-R value member id']],
  '"Resources and their fields": all ids are strings': [
    ['the record under another id', [create({ name: 'b' })], read({ id: 'A', name: 'b' }), 'RES-ID value member id'],
    ['the same, without what is off', [off], read({ id: 'A', name: 'b' }), 'RES-ID value member id'],
    ['a number', [seven], read({ id: 7, name: 'x' }, { id: '7' }), 'RES-ID value member id'],
    ['no id', [made], read({ name: 'beta' }), 'RES-ID missing member id'],
  ],
  'implied: NEG-404': [['another record for one that is gone', removed, nobody, 'NEG-404 value member id']],
  [NOT_SHOWN]: [
    ['an XML answer without an id', [made], read({ name: 'beta' }, {}, xml)],
    ['an XML answer without an id, of a record that is gone', removed, read({ name: 'beta' }, {}, xml)],
    ['an XML answer that cannot be taken apart', removed, read(undefined, {}, { ...xml, status: 200 })],
  ],
  [SERVICE]: [['a refused read that names an id', [made], read({ id: 'x' }, {}, { status: 404 }), LACKS]],
  '"Special paths": node by name': [['another node by name', [ofNode], otherNode, 'SPC-NODE value member id']],
  [NOT_STATED]: [['the same name twice', [create({ name: 'n' })], read({ id: 'b', name: 'n' }, { window: 'name' })]],
});

it.each([...MEMBERS, ...GENERATED, ...PRESENCE, ...IDS])(
  'the oracle on a read: whether its record is there, and its members %s (%s)',
  (_rule, _source, history, seen, expected) => {
    expect(told(history, seen)).toBe(expected);
  },
);
