import { OPS } from '../../../../lib/contract/operations.ts';
import type { FamilyTable, Op } from '../../../../lib/contract/types.ts';
import { Problem } from '../../../answers/problem.ts';
import { refuse } from '../../../answers/responder.ts';
import type { ListPlan } from '../../../query/plan.ts';
import { arrayList, changesOf } from '../../../store/store.ts';
import { cross, has, hasDescription, type Operator, type Place, writes } from '../line.ts';
import type { Feature } from '../watch.ts';
import { decided, type Watch } from '../watch.ts';

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

/** What is violated beside the operation, by what the request carries. */
const CARRYING: Readonly<Record<string, readonly string[]>> = {
  nothing: ['SPC-*', 'OP-*'],
  xml: ['CNV-XML'],
  extra: ['CNV-EXTRA'],
};

const violates = ({ family, op, feature }: Place): readonly string[] => [
  `OP-${family}-${OPS[op as Op].code}`,
  ...(CARRYING[String(feature)] ?? ['CNV-HDR']),
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
        return watch.changes(refuse(kit, call, problem));
      },
    }),
  }),
});

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
      name === place.family && isIt(place, watch) && hit({ key }) && watch.changes(true);
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
          return right && isEmptied(plan) ? watch.changes(false) : right;
        },
        select: async (name, plan) => {
          const list = await inner.select(name, plan);
          if (!isEmptied(plan)) return list;
          return list.length > 0 ? watch.changes(arrayList([])) : list;
        },
      }),
    };
  },
};

export const REQUESTS: readonly Operator[] = [refusing(400), refusing(500), undone, emptied];

export const REFUSED_BUT_DONE: Operator = {
  id: 'refused-stored',
  about: 'request',
  title: ({ family, op }) => `${family}: a ${op} is refused, and stored all the same`,
  places: (table) => writes(table, ['create', 'update']).map(({ family, write }) => ({ family, op: String(write) })),
  violates: () => ['NEG-BODY', 'LIM-SGT', 'RES-*', 'OP-*'],
  install: ({ family, op }, kit, watch, hit) => ({
    rules: (inner) => ({
      check: (name, kind, fields) => {
        try {
          return inner.check(name, kind, fields);
        } catch (fault) {
          const moment = watch.now();
          if (name !== family || kind !== op || moment?.op !== op || !hit({ key: name })) throw fault;
          const known = Object.entries(fields).filter(
            ([member, value]) => typeof value === 'string' && member !== 'id',
          );
          const members = Object.fromEntries(known);
          watch.exposure.changed += 1;
          if (op === 'create') void kit.seams.store.create(name, members);
          else {
            const id = String(fields['id'] ?? watch.created(name)[0]);
            if (kit.seams.store.get(name, id) !== undefined) void kit.seams.store.update(name, id, members);
          }
          throw fault;
        }
      },
    }),
  }),
};

export const REUSED: Operator = {
  id: 'name-reused',
  about: 'request',
  title: ({ family, effect }) =>
    `${family}: a name that a removed record had ${effect === 'refused' ? 'is refused' : 'brings its members back'}`,
  places: (table) =>
    cross(table, has('create'), { effect: ['refused', 'revived'] }).filter(
      ({ family, effect }) => effect === 'refused' || hasDescription(table, family),
    ),
  violates: () => ['OP-*-C', 'PAY-C', 'SVC-1', 'OP-*-D'],
  install: ({ family, effect }, _kit, watch, hit) => ({
    rules: (inner) => ({
      fill: (name, fields) => {
        const filled = inner.fill(name, fields);
        const member = Object.keys(filled).find((each) => /name$/i.test(each)) ?? 'name';
        const old = watch.removed(family).find((record) => record[member] === filled[member]);
        if (name !== family || old === undefined || watch.now()?.op !== 'create' || !hit({ key: name })) return filled;
        watch.exposure.changed += 1;
        if (effect === 'refused') throw new Problem(400, 'crud', `${member} was used before`);
        return { ...filled, description: old['description'] };
      },
    }),
  }),
};
