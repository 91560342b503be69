import { vendorFacts } from '../../../../lib/contract/vendor.ts';
import type { Fields } from '../../../seams.ts';
import type { Operator } from '../line.ts';
import { changes } from '../watch.ts';
import { writes } from '../writes.ts';

/** How long each write is on its way. */
const MOMENT_MS = 3;

/** Parallel writes of one family that get into each other's way. */
export const PARALLEL: readonly Operator[] = (['lost', 'mixed'] as const).map(
  (effect): Operator => ({
    id: `parallel-${effect}`,
    about: 'request',
    title: ({ family, write }) =>
      `${family}: a parallel ${write} is ${effect === 'lost' ? 'lost' : 'stored with the members of another'}`,
    places: (table) =>
      writes(table, ['create', 'update']).filter(
        ({ family }) => effect === 'lost' || vendorFacts(family).listMembers.length > 0,
      ),
    violates: () => ['SVC-1', 'OP-*', 'PAY-*', 'ATOM-1', 'RES-ID'],
    install: ({ family, write }, kit, watch, hit) => {
      let latest: Fields = {};
      const isNow = (name: string, op: string) =>
        name === family && op === write && watch.open(family) > 1 && hit({ key: name });
      const mixed = (fields: Fields): Fields => {
        const description = latest['description'];
        latest = fields;
        if (description === undefined || description === fields['description']) return fields;
        return changes(watch, { ...fields, description });
      };
      return {
        // Writes are over before the next one is read, unless each takes a moment.
        front: (inner) => ({
          handle: async (call) => {
            if (watch.now()?.family === family && watch.now()?.op === write) await kit.wait(MOMENT_MS);
            return inner.handle(call);
          },
        }),
        store: (inner) => ({
          create: async (name, fields) => {
            if (!isNow(name, 'create')) {
              if (name === family) latest = fields;
              return inner.create(name, fields);
            }
            if (effect === 'mixed') return inner.create(name, mixed(fields));
            const record = await inner.create(name, fields);
            await inner.remove(name, record.id);
            return changes(watch, record);
          },
          update: async (name, id, fields) => {
            if (!isNow(name, 'update')) {
              if (name === family) latest = fields;
              return inner.update(name, id, fields);
            }
            if (effect === 'mixed') return inner.update(name, id, mixed(fields));
            return changes(watch, []);
          },
        }),
      };
    },
  }),
);
