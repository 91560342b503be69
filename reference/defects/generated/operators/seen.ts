import type { Fields, Wraps } from '../../../seams.ts';
import type { StoredRecord } from '../../../store/record.ts';
import type { Operator, Place } from '../line.ts';
import { isText, SPOILINGS, type Spoiling, spoiled, typeOf, withMember } from '../members.ts';
import { seenPlaces, type Window } from '../seen-places.ts';
import { decided, type Hit, type Watch } from '../watch.ts';

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

/** The member as an answer shows it. */
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
export const SEEN: readonly Operator[] = SPOILINGS.map(
  (spoiling): Operator => ({
    id: `seen-${spoiling.id}`,
    about: 'see',
    title: ({ family, member, window }) => `${family}: ${window} sees ${member} ${spoiling.title}`,
    places: (table) => seenPlaces(spoiling, table),
    violates: ({ window }) => VIOLATES[window as Window],
    classes: ({ family, member }, table) =>
      isText(typeOf(table[family], String(member))) && !table[family]?.ops.includes('apply') ? spoiling.classes : [],
    install: (place, _kit, watch, hit) => install({ spoiling, place, watch, hit }),
  }),
);
