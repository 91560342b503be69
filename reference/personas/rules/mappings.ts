import { personaFacts } from '../../../lib/contract/personas.ts';
import type { FamilyTable } from '../../../lib/contract/types.ts';
import { isObject } from '../../../lib/wire/answer.ts';
import { invalidField, Problem } from '../../answers/problem.ts';
import type { Fields, Kit } from '../../seams.ts';
import { allOf, type StoredRecord } from '../../store/record.ts';
import { changing, type Implementation } from '../rule.ts';

/** Items with what the server adds: an id, and networks of their own. */
function completed(member: string, items: unknown, kit: Kit): unknown {
  if (!Array.isArray(items)) return items;
  return items.map((item) => {
    if (!isObject(item) || typeof item['name'] !== 'string' || item['name'] === '')
      throw invalidField(member, 'each item needs a name');
    const vlans = Array.isArray(item['vlans']) ? item['vlans'] : [];
    return {
      id: newId(kit),
      ...item,
      vlans: vlans.map((vlan: unknown) => (isObject(vlan) ? { id: newId(kit), ...vlan } : vlan)),
    };
  });
}

function newId({ random }: Kit): string {
  const digits = (count: number) =>
    Array.from({ length: count }, () => Math.floor(random() * 16).toString(16)).join('');
  return `${digits(8)}-${digits(4)}-11ee-${digits(4)}-${digits(12)}`;
}

function namedBy(table: FamilyTable, seams: Kit['seams'], family: string, id: string): StoredRecord | undefined {
  for (const name of Object.keys(table)) {
    const { reference } = personaFacts(name);
    if (reference?.family !== family) continue;
    const found = allOf(seams.store.list(name)).find((record) => record[reference.member] === id);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** A mapping names a group that exists, and keeps it from being deleted. */
const vn: Implementation = {
  seeds: (name, rows, { table, seams }) => {
    const { reference } = personaFacts(name);
    if (reference === undefined || table[reference.family] === undefined) return rows;
    const named = seams.store.list(reference.family);
    return rows.map((row, index) => ({ ...row, [reference.member]: named.slice(index, index + 1)[0]?.id ?? '' }));
  },
  install: (kit) => ({
    rules: (inner) => ({
      check: (name, op, fields) => {
        const checked: Fields = inner.check(name, op, fields);
        const { reference } = personaFacts(name);
        if (reference === undefined || kit.table[reference.family] === undefined) return checked;
        const { member, family, items } = reference;
        const value = checked[member];
        if (value === undefined && op === 'create')
          throw new Problem(400, 'validation', `Validation Error - Mandatory fields missing: [${member}]`);
        if (value !== undefined && kit.seams.store.get(family, String(value)) === undefined)
          throw invalidField(member, 'there is no such record');
        return checked[items] === undefined ? checked : { ...checked, [items]: completed(items, checked[items], kit) };
      },
    }),
    store: (inner) => ({
      remove: (name, id) => {
        const mapping = namedBy(kit.table, kit.seams, name, id);
        if (mapping !== undefined)
          throw new Problem(400, 'crud', `The resource ${name} with id '${id}' is in use by a mapping`);
        return inner.remove(name, id);
      },
    }),
  }),
};

/** No two mappings of one group. */
const vn1 = changing('rules', (inner, { seams }) => ({
  distinct: (name, fields, ownId) => {
    inner.distinct(name, fields, ownId);
    const member = personaFacts(name).reference?.member;
    const value = member === undefined ? undefined : fields[member];
    if (member === undefined || value === undefined) return;
    if (allOf(seams.store.list(name)).some((record) => record.id !== ownId && record[member] === value))
      throw new Problem(400, 'crud', `${member} '${String(value)}' is mapped already`);
  },
}));

export const MAPPING_RULES = { vn, vn1 };
