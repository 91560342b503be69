import type { Kit, Wraps } from '../../../seams.ts';
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
  readonly kit: Kit;
  readonly watch: Watch;
  readonly hit: Hit;
}

/** The member as an answer shows it. */
function inAnswers({ spoiling, place, watch, hit }: Setup) {
  const { family } = place;
  const member = String(place['member']);
  const window = String(place['window']);
  const asked = window.endsWith('-xml') ? 'xml' : 'json';
  return (fields: Readonly<Record<string, unknown>>, record: StoredRecord) => {
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
  const { family, window } = setup.place;
  if (window === 'filter' || window === 'sort') {
    const looked = inQueries(setup);
    const member = String(setup.place['member']);
    return {
      query: (inner) =>
        window === 'filter'
          ? {
              holds: (record, criterion) =>
                inner.holds(criterion.member === member ? looked(record) : record, criterion),
            }
          : {
              order: (plan) => {
                const order = inner.order(plan);
                if (order === undefined || plan.sort?.member !== member) return order;
                return (a, b) => order(looked(a), looked(b));
              },
            },
    };
  }
  const shown = inAnswers(setup);
  return {
    present: (inner) =>
      String(window).startsWith('read')
        ? {
            read: (name, record) =>
              name === family ? shown(inner.read(name, record), record) : inner.read(name, record),
          }
        : {
            entry: (name, record, position) => {
              const fields = inner.entry(name, record, position);
              return name === family ? shown(fields, record) : fields;
            },
          },
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
    install: (place, kit, watch, hit) => install({ spoiling, place, kit, watch, hit }),
  }),
);
