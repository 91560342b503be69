import { personaFacts } from '../../../lib/contract/personas.ts';
import { memberOf } from '../../../lib/contract/vendor.ts';
import { invalidField, Problem } from '../../answers/problem.ts';
import type { Fields, Kit } from '../../seams.ts';
import { allOf } from '../../store/record.ts';
import { changing, type Implementation, onBody } from '../rule.ts';

/** Refuses a name that the pattern of its family does not take. */
function takesName(of: 'group' | 'other', form: 'plain' | 'loose', name: string, fields: Fields): void {
  const { names } = personaFacts(name);
  const value = fields[memberOf(name, 'name')];
  const pattern = names?.of === of ? names[form]?.pattern : undefined;
  if (pattern !== undefined && typeof value === 'string' && value !== '' && !pattern.test(value))
    throw invalidField('Name', `'${value}' holds characters that are not allowed, or is too long`);
}

const groupNames = (form: 'plain' | 'loose'): Implementation =>
  onBody(() => (name, _op, fields) => {
    takesName('group', form, name, fields);
    return fields;
  });

/** Another record whose name differs in case only. */
function sameButCase({ seams }: Kit, name: string, member: string, value: string, ownId: string | undefined): boolean {
  return allOf(seams.store.list(name)).some(
    (record) => record.id !== ownId && String(record[member] ?? '').toLowerCase() === value.toLowerCase(),
  );
}

/** Names of the other families: their letters, and no two that differ in case only. */
const names2 = changing('rules', (inner, kit) => ({
  check: (name, op, fields) => {
    takesName('other', 'plain', name, fields);
    return inner.check(name, op, fields);
  },
  distinct: (name, fields, ownId) => {
    inner.distinct(name, fields, ownId);
    const member = memberOf(name, 'name');
    const value = fields[member];
    if (personaFacts(name).names?.plain.ignoresCase !== true || typeof value !== 'string') return;
    if (sameButCase(kit, name, member, value, ownId))
      throw new Problem(400, 'crud', `${member} '${value}' already exists`);
  },
}));

/** A name that another record has is answered as a fault of the database. */
const dup500 = changing('rules', (inner) => ({
  distinct: (name, fields, ownId) => {
    const member = memberOf(name, 'name');
    const named: Fields = fields[member] === undefined ? {} : { [member]: fields[member] };
    try {
      inner.distinct(name, named, ownId);
    } catch {
      throw new Problem(500, 'crud', 'CREATE: DB internal error during CRUD operation: the name is in use');
    }
    inner.distinct(name, fields, ownId);
  },
}));

export const NAME_RULES = {
  names: groupNames('plain'),
  'names-loose': groupNames('loose'),
  names2,
  dup500,
};
