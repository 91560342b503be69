import { OPS } from '../../../../lib/contract/operations.ts';
import type { FamilyTable, Op } from '../../../../lib/contract/types.ts';
import { Problem } from '../../../answers/problem.ts';
import type { ListPlan } from '../../../query/plan.ts';
import { refuse } from '../../../refusals.ts';
import { arrayList } from '../../../store/record.ts';
import { changesOf } from '../../../store/store.ts';
import type { Operator, Place } from '../line.ts';
import type { Feature } from '../moment.ts';
import { changes, decided, type Watch } from '../watch.ts';

/** What a request may carry by its tables, besides the bare minimum. */
const CARRIED: readonly (Feature | 'nothing')[] = ['nothing', 'xml', 'media-type', 'csrf', 'extra'];

function places(table: FamilyTable, ops: (op: Op) => boolean): readonly Place[] {
  return Object.entries(table).flatMap(([family, row]) =>
    row.ops.filter(ops).flatMap((op) =>
      CARRIED.filter(
        (feature) => feature === 'nothing' || feature === 'extra' || feature === 'xml' || OPS[op].headers === 'all',
      )
        // The form of a bulk or ANC body in XML is not shown; XML as an answer is not promised.
        .filter((feature) => feature !== 'xml' || OPS[op].body === 'resource')
        .map((feature) => ({ family, op, feature })),
    ),
  );
}

const isIt = ({ family, op, feature }: Place, watch: Watch): boolean => {
  const moment = watch.now();
  if (moment?.family !== family || moment.op !== op) return false;
  return feature === 'nothing' || moment.features.has(feature as Feature);
};

const violates = ({ family, op, feature }: Place): readonly string[] => [
  `OP-${family}-${OPS[op as Op].code}`,
  ...(feature === 'nothing'
    ? ['SPC-*', 'OP-*']
    : feature === 'xml'
      ? ['CNV-XML']
      : feature === 'extra'
        ? ['CNV-EXTRA']
        : ['CNV-HDR']),
  'SVC-1',
];

const refusing = (status: number): Operator => ({
  id: `request-refused-${status}`,
  about: 'request',
  title: ({ family, op, feature }) => `${family}: ${op} with ${feature} is refused with ${status}`,
  places: (table) => places(table, () => true),
  violates,
  // The form of a resource in XML is not shown: a target that never takes ours may know another.
  mayAlways: ({ feature }) => feature === 'xml' && status < 500,
  install: (place, kit, watch, hit) => ({
    front: (inner) => ({
      handle: (call) => {
        // A record is removed once: the second time is that of another.
        const key = place['op'] === 'delete' ? 'delete' : call.request.path;
        if (!isIt(place, watch) || !hit({ key })) return inner.handle(call);
        const problem = new Problem(status, status < 500 ? 'validation' : 'internal', 'The request cannot be served');
        return changes(watch, refuse(kit, call, problem));
      },
    }),
  }),
});

/** Writes that are answered as done and are not. */
const undone: Operator = {
  id: 'request-undone',
  about: 'request',
  title: ({ family, op, feature }) => `${family}: ${op} with ${feature} answers success and does nothing`,
  places: (table) =>
    places(table, (op) => OPS[op].mutates)
      // Where no record is created, the specification shows nothing that a bulk request does.
      .filter(({ family, op }) => op !== 'bulkSubmit' || table[family]?.ops.includes('create')),
  violates,
  install: (place, kit, watch, hit) => {
    const isUndone = (name: string, key: string) =>
      name === place.family && isIt(place, watch) && hit({ key }) && changes(watch, true);
    let made = 0;
    return {
      store: (inner) => ({
        create: (name, fields) => {
          if (!isUndone(name, name)) return inner.create(name, fields);
          made += 1;
          return { id: `00000000-0000-4000-9000-${String(made).padStart(12, '0')}`, ...fields };
        },
        update: (name, id, fields) => {
          const old = kit.seams.store.get(name, id);
          return old !== undefined && isUndone(name, id) ? changesOf(old, fields) : inner.update(name, id, fields);
        },
        remove: (name, id) => isUndone(name, name) || inner.remove(name, id),
      }),
    };
  },
};

/** Lists and reads that answer as if nothing were there. */
const emptied: Operator = {
  id: 'request-emptied',
  about: 'request',
  title: ({ family, op, feature }) => `${family}: ${op} with ${feature} answers an empty list`,
  places: (table) => places(table, (op) => op === 'list').filter(({ feature }) => feature !== 'nothing'),
  violates,
  install: (place, _kit, watch, hit) => {
    const isEmptied = (plan: ListPlan) => {
      const moment = watch.now();
      if (plan.family !== place.family || moment === undefined || !isIt(place, watch)) return false;
      return decided(moment, 'emptied', () => hit({ key: moment.query }));
    };
    return {
      query: (inner) => ({
        accepts: (record, plan) => {
          const right = inner.accepts(record, plan);
          return right && isEmptied(plan) ? changes(watch, false) : right;
        },
        select: async (name, plan) => {
          const list = await inner.select(name, plan);
          if (!isEmptied(plan)) return list;
          return list.length > 0 ? changes(watch, arrayList([])) : list;
        },
      }),
    };
  },
};

/** Requests that are refused, not done or answered with nothing: headers and forms × operations. */
export const REQUESTS: readonly Operator[] = [refusing(400), refusing(500), undone, emptied];
