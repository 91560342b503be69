import { type FamilyTable, isNumber, type Op } from '../../../../lib/contract/types.ts';
import { memberOf, vendorFacts } from '../../../../lib/contract/vendor.ts';
import { withFields } from '../../../deviation.ts';
import type { Fields, Wraps } from '../../../seams.ts';
import type { StoredRecord } from '../../../store/store.ts';
import { operators, type Place } from '../line.ts';
import {
  canSpoil,
  isComposite,
  isFreeText,
  isOnlyText,
  isText,
  type Member,
  SPOILINGS,
  type Spoiling,
  spoiled,
  withMember,
  writtenMembers,
} from '../members.ts';
import { decided, type Hit, type Moment, type Watch } from '../watch.ts';

const WAYS: readonly { readonly op: 'create' | 'update'; readonly by: Op; readonly sent: 'json' | 'xml' }[] = [
  { op: 'create', by: 'create', sent: 'json' },
  { op: 'create', by: 'create', sent: 'xml' },
  { op: 'update', by: 'update', sent: 'json' },
  { op: 'update', by: 'update', sent: 'xml' },
  { op: 'create', by: 'bulkSubmit', sent: 'json' },
  { op: 'update', by: 'bulkSubmit', sent: 'json' },
];

const isWay = ({ by, sent, family }: Place, moment: Moment | undefined) =>
  moment !== undefined && moment.op === by && moment.sent === sent && moment.family === family;

function violated({ by, op, sent }: Place): readonly string[] {
  const payload = op === 'create' ? 'PAY-C' : 'PAY-U';
  if (by === 'bulkSubmit') return ['SPC-BULK', 'SVC-1', payload];
  return [payload, `OP-*-${op === 'create' ? 'C' : 'U'}`, 'RES-*', 'SVC-1', ...(sent === 'xml' ? ['CNV-XML'] : [])];
}

export const WRITTEN = operators('written', 'write', SPOILINGS, (spoiling, id) => {
  const { title, classes, spoil } = spoiling;
  return {
    title: ({ family, member, op, by, sent }) =>
      `${family}: ${member} is stored ${title} by ${by === 'bulkSubmit' ? 'a bulk ' : ''}${op} in ${sent}`,
    places: (table) =>
      WAYS.flatMap(({ op, by, sent }) =>
        writtenMembers(table, op)
          .filter((member) => canSpoil(spoiling, member) && table[member.family]?.ops.includes(by) === true)
          // A create has nothing before it to keep.
          .filter(() => id !== 'kept' || op === 'update')
          // How an object is written in XML is not shown.
          .filter(({ type }) => sent === 'json' || !isComposite(type))
          // There is no second text to be mistaken for.
          .filter(({ family, type }) => id !== 'swapped' || !isText(type) || !isOnlyText(table, family))
          .map(({ family, name }) => ({ family, member: name, op, by, sent })),
      ),
    violates: violated,
    classes: ({ family, member }, table) => (isFreeText(table[family], String(member)) ? classes : []),
    install: (place, kit, watch, hit) => {
      const member = String(place['member']);
      const change = (fields: Fields, key: string, before: unknown) => {
        if (fields[member] === undefined || !isWay(place, watch.now())) return fields;
        const value = spoiled(watch, hit, { key, value: fields[member] }, fields[member], (held) =>
          spoil(held, { record: fields, before }),
        );
        if (value === undefined && place['op'] === 'update') return { ...fields, [member]: undefined };
        return withMember(fields, member, value);
      };
      return {
        store: withFields((kind, name, fields, id) => {
          if (name !== place.family || kind !== place['op']) return fields;
          return change(fields, id ?? name, id && kit.seams.store.get(name, id)?.[member]);
        }),
      };
    },
  };
});

type Window = 'read' | 'read-xml' | 'entry' | 'entry-xml' | 'filter' | 'sort';

/** Spoilings that change what a member says; a list entry may leave members out, so that losing one there is allowed. */
const IN_ENTRIES = new Set([
  ...['cut-48', 'cut-255', 'cut-1000', 'swapped', 'kept', 'twice-html', 'twice-utf8', 'squeezed', 'recased', 'decoded'],
  ...['unpaired', 'number-like'],
]);
/** Spoilings that move a record in or out of a filtered list. */
const IN_FILTERS = new Set(['cut-48', 'swapped', 'kept', 'twice-utf8', 'defaulted', 'decoded', 'lost', 'number-like']);
/** Spoilings that move a record in a sorted list. Nothing promises an order of signs and of letters beyond ASCII. */
const IN_SORTS = new Set(['cut-48', 'swapped', 'kept', 'defaulted', 'lost', 'number-like']);

interface Seen extends Omit<Member, 'name'> {
  readonly member: string;
  readonly windows: readonly Window[];
}

/** Members of a view and of ANC endpoints, whose truth is written elsewhere. */
function unwritten(table: FamilyTable): readonly Seen[] {
  return Object.entries(table).flatMap(([family, row]) => {
    const text = (member: string, ...more: readonly Window[]): Seen => ({
      ...{ family, member, type: 'string', confined: {} },
      windows: ['read', 'read-xml', ...more],
    });
    if (row.viewOf !== undefined)
      return ['name', 'description'].map((member) => text(member, 'entry', 'filter', 'sort'));
    return row.ops.includes('apply') ? ['macAddress', 'policyName'].map((member) => text(member)) : [];
  });
}

function seenMembers(table: FamilyTable): readonly Seen[] {
  const written = writtenMembers(table, 'create').map(({ name: member, ...more }): Seen => {
    const { family } = more;
    const fieldsOn = (fields: readonly string[] = []) => fields.some((field) => memberOf(family, field) === member);
    const isListed = vendorFacts(family).listMembers.includes(member);
    return {
      ...{ ...more, member },
      windows: [
        'read',
        'read-xml',
        ...(isListed ? (['entry', 'entry-xml'] as const) : []),
        ...(fieldsOn(table[family]?.filters) ? (['filter'] as const) : []),
        ...(fieldsOn(table[family]?.sorts) ? (['sort'] as const) : []),
      ],
    };
  });
  return [...written, ...unwritten(table)];
}

function fitsWindow(spoiling: Spoiling, seen: Seen, window: Window, table: FamilyTable): boolean {
  const { id } = spoiling;
  const { family, member, type } = seen;
  if (!canSpoil(spoiling, seen)) return false;
  if (window.startsWith('entry')) return IN_ENTRIES.has(id);
  const isChanged = table[family]?.ops.includes('update') || table[family]?.viewOf !== undefined;
  if (id === 'kept' && !isChanged && member !== 'policyName') return false;
  // A number one beside what it is keeps its place in nearly every list.
  if (window === 'sort' && id === 'swapped' && isNumber(type)) return false;
  if (window === 'filter' || window === 'sort')
    return (window === 'filter' ? IN_FILTERS : IN_SORTS).has(id) && (isText(type) || isNumber(type));
  // XML has no types: a number and its text look alike there. What an answer in it leaves out nothing states.
  const isInObject = type === 'object' && id === 'half-lost';
  if (window === 'read-xml' && (isInObject || ['retyped', 'lost'].includes(id))) return false;
  if (window === 'read-xml' && isComposite(type) && id === 'defaulted') return false;
  if (id === 'kept') return true;
  // An address holds no character that these would change.
  if (table[family]?.ops.includes('apply')) return ['lost', 'defaulted', 'swapped'].includes(id);
  return !(id === 'swapped' && isText(type) && isOnlyText(table, family));
}

/** Everywhere a spoiled value can be seen and compared with what was written. */
function seenPlaces(spoiling: Spoiling, table: FamilyTable): readonly Place[] {
  return seenMembers(table).flatMap((seen) =>
    seen.windows
      .filter((window) => fitsWindow(spoiling, seen, window, table))
      .map((window) => ({ family: seen.family, member: seen.member, window })),
  );
}

const VIOLATES: Readonly<Record<Window, readonly string[]>> = {
  read: ['OP-*-R', 'PAY-C', 'PAY-U', 'RES-*', 'SVC-1', 'VIEW-*', 'SPC-ANC', 'LIST-GET'],
  'read-xml': ['OP-*-R', 'CNV-XML', 'CNV-HDR', 'LIST-GET', 'VIEW-*'],
  entry: ['LIST-GET', 'OP-*-L', 'VIEW-*'],
  'entry-xml': ['LIST-GET', 'OP-*-L', 'CNV-XML', 'CNV-HDR'],
  filter: ['FOP-*', 'LST-FILT', 'FLD-*'],
  sort: ['LST-SORT'],
};

interface Setup {
  readonly spoiling: Spoiling;
  readonly place: Place;
  readonly watch: Watch;
  readonly hit: Hit;
}

function inAnswers({ spoiling, place, watch, hit }: Setup) {
  const { family } = place;
  const member = String(place['member']);
  const window = String(place['window']);
  const asked = window.endsWith('-xml') ? 'xml' : 'json';
  return (fields: Fields, record: StoredRecord) => {
    if (fields[member] === undefined || watch.now()?.family !== family || watch.now()?.asked !== asked) return fields;
    const around = { record, before: watch.previous(record.id)?.[member] };
    const occasion = { key: `${record.id} ${window}`, value: record[member] };
    const value = spoiled(watch, hit, occasion, fields[member], (held) => spoiling.spoil(held, around));
    return withMember(fields, member, value);
  };
}

/** The record as filters or sorting see it; decided once for a record in a request. */
function inQueries({ spoiling, place, watch, hit }: Setup) {
  const member = String(place['member']);
  return (record: StoredRecord): StoredRecord => {
    const moment = watch.now();
    if (moment?.family !== place.family || record[member] === undefined) return record;
    const isNew = !moment.decided.has(record.id);
    const occasion = { key: `${record.id} ${moment.query}`, value: record[member] };
    if (!decided(moment, record.id, () => hit(occasion))) return record;
    const value = spoiling.spoil(record[member], { record, before: watch.previous(record.id)?.[member] });
    if (isNew && value !== record[member]) watch.exposure.changed += 1;
    return withMember(record, member, value) as StoredRecord;
  };
}

function install(setup: Setup): Wraps {
  const { family, window, member } = setup.place;
  const looked = inQueries(setup);
  const shown = inAnswers(setup);
  const shownIn = (kind: 'read' | 'entry', name: string, fields: Fields, record: StoredRecord) =>
    name === family && String(window).startsWith(kind) ? shown(fields, record) : fields;
  return {
    query: (inner) => ({
      holds: (record, criterion) =>
        inner.holds(window === 'filter' && criterion.member === member ? looked(record) : record, criterion),
      order: (plan) => {
        const order = inner.order(plan);
        if (window !== 'sort' || order === undefined || plan.sort?.member !== member) return order;
        return (a, b) => order(looked(a), looked(b));
      },
    }),
    present: (inner) => ({
      read: (name, record) => shownIn('read', name, inner.read(name, record), record),
      entry: (name, record, position) => shownIn('entry', name, inner.entry(name, record, position), record),
    }),
  };
}

/** Values that are spoiled on their way out of a record: in reads, list entries, filters and sorting. */
export const SEEN = operators('seen', 'see', SPOILINGS, (spoiling) => ({
  title: ({ family, member, window }) => `${family}: ${window} sees ${member} ${spoiling.title}`,
  places: (table) => seenPlaces(spoiling, table),
  violates: ({ window }) => VIOLATES[window as Window],
  classes: ({ family, member }, table) =>
    isFreeText(table[family], String(member)) && !table[family]?.ops.includes('apply') ? spoiling.classes : [],
  install: (place, _kit, watch, hit) => install({ spoiling, place, watch, hit }),
}));
