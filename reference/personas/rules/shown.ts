import { factoryRecords, personaFacts } from '../../../lib/contract/personas.ts';
import { hasOp } from '../../../lib/contract/types.ts';
import { Problem } from '../../answers/problem.ts';
import { changing, type Deviation } from '../../deviation.ts';
import type { Fields } from '../../seams.ts';
import { allOf } from '../../store/store.ts';

const without = (fields: Fields, members: readonly string[]): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([member]) => !members.includes(member)));

const withoutEmpty = (fields: Fields): Fields =>
  fields['description'] === '' ? without(fields, ['description']) : fields;

const showing = (change: (name: string, fields: Fields) => Fields) =>
  changing('present', (inner) => ({
    read: (name, record) => change(name, inner.read(name, record)),
    entry: (name, record, position) => change(name, inner.entry(name, record, position)),
  }));

export const SHOWN_RULES = {
  generation: {
    install: () => {
      const counts = new Map<string, number>();
      const counterOf = (name: string) => personaFacts(name).counter;
      return {
        rules: (inner) => ({
          check: (name, op, fields) => {
            const counter = counterOf(name);
            return inner.check(name, op, counter === undefined ? fields : without(fields, [counter]));
          },
        }),
        store: (inner) => ({
          update: async (name, id, fields) => {
            const changes = await inner.update(name, id, fields);
            if (counterOf(name) !== undefined && changes.length > 0) counts.set(id, (counts.get(id) ?? 0) + 1);
            return changes;
          },
        }),
        present: (inner) => ({
          read: (name, record) => {
            const counter = counterOf(name);
            const shown = inner.read(name, record);
            return counter === undefined ? shown : { ...shown, [counter]: String(counts.get(record.id) ?? 0) };
          },
        }),
      };
    },
  },
  sgtfields: showing((name, fields) => {
    const { hidden } = personaFacts(name);
    return hidden === undefined ? fields : withoutEmpty(without(fields, hidden));
  }),
  /** Members that are never shown, values that a view shows in place of others, and a record that is out of range. */
  members: {
    seeds: (name, rows) => {
      const { outside } = personaFacts(name);
      if (outside === undefined) return rows;
      return [...rows.filter(({ id, name: title }) => id !== outside['id'] && title !== outside['name']), outside];
    },
    ...showing((name, fields) => {
      const { absent = [], shownAs } = personaFacts(name);
      const left = without(fields, absent);
      const value = shownAs?.values[String(left[shownAs.member])];
      return shownAs === undefined || value === undefined ? left : { ...left, [shownAs.member]: value };
    }),
  },
  lists: {
    install: () => ({
      present: (inner) => ({
        entry: (name, record, position) =>
          withoutEmpty(without(inner.entry(name, record, position), personaFacts(name).notListed ?? [])),
      }),
      query: (inner) => ({
        select: (name, plan) => {
          const field = personaFacts(name).listOrder;
          if (plan.sort !== undefined || field === undefined) return inner.select(name, plan);
          return inner.select(name, { ...plan, sort: { field, member: field, descending: false } });
        },
      }),
    }),
  },
  /** The records of a new deployment take the place of the embedded ones; a view shows some of its own. */
  seed: {
    seeds: (name, rows) => factoryRecords(name) ?? rows,
    ...changing('store', (inner, { table }) => ({
      sources: (name) => (table[name]?.viewOf === undefined ? inner.sources(name) : [...inner.sources(name), name]),
    })),
  },
  defaults: changing('store', (inner, { table, seams }) => {
    const kept = new Set<string>();
    for (const [name, family] of Object.entries(table)) {
      if (!hasOp(family, 'delete')) continue;
      for (const { id } of allOf(seams.store.list(name))) kept.add(`${name}/${id}`);
    }
    const refuse = (name: string, id: string, what: string) => {
      if (kept.has(`${name}/${id}`))
        throw new Problem(400, 'validation', `A default resource can not be ${what}: ${name} with id '${id}'`);
    };
    return {
      update: (name, id, fields) => {
        refuse(name, id, 'changed');
        return inner.update(name, id, fields);
      },
      remove: (name, id) => {
        refuse(name, id, 'deleted');
        return inner.remove(name, id);
      },
    };
  }),
} satisfies Readonly<Record<string, Deviation>>;
