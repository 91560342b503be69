import { Problem } from '../../../answers/problem.ts';
import { cross, has, type Operator } from '../line.ts';
import { hasDescription, writes } from '../writes.ts';

/** A refused request that is carried out all the same. */
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

/** A name that was used before brings its old record back. */
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
