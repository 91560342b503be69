import { PATH_PREFIX } from '../../lib/contract/operations.ts';
import { type FamilyTable, fieldsOf, withoutSecrets } from '../../lib/contract/types.ts';
import { vendorFacts } from '../../lib/contract/vendor.ts';
import type { Document, Fields, Present } from '../seams.ts';

/** Members that answers of a family show, in the order of its table. */
function shown(table: FamilyTable, name: string): readonly string[] {
  const listed = Object.keys(fieldsOf(table[name]));
  const known = [...listed, ...Object.keys(vendorFacts(name).members ?? {})];
  return [...new Set(known.length === 0 ? ['id', 'name', 'description'] : ['id', ...known])];
}

export function createPresent(table: FamilyTable): Present {
  const members = new Map(Object.keys(table).map((name) => [name, shown(table, name)]));
  const pick = (family: string, names: readonly string[], record: Fields) => {
    const fields = fieldsOf(table[family]);
    const picked: Record<string, unknown> = {};
    for (const name of names) {
      const value = withoutSecrets(record[name], fields[name] ?? {});
      if (value !== undefined) picked[name] = value;
    }
    return picked;
  };
  return {
    read: (name, record) => pick(name, members.get(name) ?? ['id'], record),
    entry: (name, record) => pick(name, ['id', ...vendorFacts(name).listMembers], record),
  };
}

/** Root key of a single read: the body root of the family, or the recorded one where it has no body. */
export function readRoot(table: FamilyTable, name: string): string {
  return vendorFacts(name).readRoot ?? table[name]?.roots.resource ?? name;
}

export function selfLink(origin: string, name: string, id: string): Fields {
  const href = `${origin}${PATH_PREFIX}/${name}/${encodeURIComponent(id)}`;
  return { rel: 'self', href, type: 'application/json' };
}

export function serviceDocument(root: string, value: Fields): Document {
  const element = root.startsWith('ERS') ? `ers${root.slice(3)}` : root.charAt(0).toLowerCase() + root.slice(1);
  return { root, value, xml: { element, namespace: 'ers.ise.cisco.com' } };
}
