import { factoryRecords } from '../../../lib/contract/personas.ts';
import { hasOp } from '../../../lib/contract/types.ts';
import { Problem } from '../../answers/problem.ts';
import { wrap } from '../../seams.ts';
import { allOf } from '../../store/record.ts';
import { changing, type Implementation } from '../rule.ts';

/** The records of a new deployment take the place of the embedded ones; a view shows some of its own. */
const seed: Implementation = {
  seeds: (name, rows) => factoryRecords(name) ?? rows,
  install: wrap('store', (inner, { table }) => ({
    sources: (name) => (table[name]?.viewOf === undefined ? inner.sources(name) : [...inner.sources(name), name]),
  })),
};

/** Every record that the deployment started with stays as it is. */
const defaults = changing('store', (inner, { table, seams }) => {
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
});

export const SEED_RULES = { seed, defaults };
