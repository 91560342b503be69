import { personaFacts } from '../../../lib/contract/personas.ts';
import type { Fields } from '../../seams.ts';
import type { Implementation } from '../rule.ts';

const without = (fields: Fields, members: readonly string[]): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([member]) => !members.includes(member)));

/** A counter that the server keeps, and shows as a text. */
const generation: Implementation = {
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
};

const isEmptyDescription = ([member, value]: readonly [string, unknown]) => member === 'description' && value === '';

const withoutEmpty = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter((entry) => !isEmptyDescription(entry)));

/** Members that are taken and never shown. */
const sgtfields: Implementation = {
  install: () => ({
    present: (inner) => {
      const shown = (name: string, fields: Fields) => {
        const { hidden } = personaFacts(name);
        return hidden === undefined ? fields : withoutEmpty(without(fields, hidden));
      };
      return {
        read: (name, record) => shown(name, inner.read(name, record)),
        entry: (name, record, position) => shown(name, inner.entry(name, record, position)),
      };
    },
  }),
};

/** Members that are never shown, values that a view shows in place of others, and a record that is out of range. */
const members: Implementation = {
  seeds: (name, rows) => {
    const { outside } = personaFacts(name);
    if (outside === undefined) return rows;
    return [...rows.filter(({ id, name: title }) => id !== outside['id'] && title !== outside['name']), outside];
  },
  install: () => ({
    present: (inner) => {
      const shown = (name: string, fields: Fields) => {
        const { absent = [], shownAs } = personaFacts(name);
        const left = absent.length === 0 ? fields : without(fields, absent);
        if (shownAs === undefined) return left;
        const { member, values } = shownAs;
        const value = values[String(left[member])];
        return value === undefined ? left : { ...left, [member]: value };
      };
      return {
        read: (name, record) => shown(name, inner.read(name, record)),
        entry: (name, record, position) => shown(name, inner.entry(name, record, position)),
      };
    },
  }),
};

/** Entries that show less, and lists with an order of their own. */
const lists: Implementation = {
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
};

export const SHOWN_RULES = { generation, sgtfields, members, lists };
