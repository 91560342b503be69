import { type Family, type FamilyTable, fieldsOf, hasOp } from '../../../lib/contract/types.ts';
import { defined } from '../../../lib/defined.ts';
import { groupBy } from '../../../lib/group-by.ts';
import { isCreatable, nameMember, rangeOf, referenceOf, sentFields, viewOf } from '../../kit/fields.ts';
import { WRONG_REQUESTS } from '../../steps/step.ts';

/** Members that an update may change besides the name, with plain texts taken together as one. */
export function changeable(table: FamilyTable, family: Family): readonly string[] {
  const isFree = (member: string) =>
    referenceOf(table, family, member) === undefined && fieldsOf(family)[member]?.form === undefined;
  const members = sentFields(family, 'update').map(([member]) => member);
  return members.filter((member) => !['id', nameMember(family)].includes(member) && isFree(member));
}

/** A text beside the name, in the member that the family has for one; nothing in a family without. */
export function textIn(table: FamilyTable, family: Family, text: string): Readonly<Record<string, string>> {
  const texts = changeable(table, family).filter((member) => fieldsOf(family)[member]?.type === 'string');
  const member = texts.find((each) => each === 'description') ?? texts[0];
  return member === undefined ? {} : { [member]: text };
}

/** Families that can be written and that a view shows beside the family. */
export function siblingsOf(table: FamilyTable, family: Family): readonly string[] {
  const view = viewOf(table, family.name);
  const shown = view === undefined ? [] : (table[view]?.viewOf ?? []);
  return shown.filter((name) => name !== family.name && isCreatable(table[name]));
}

/** Families beside the own one, by their relation to it. */
export function relatives(table: FamilyTable, family: Family): Readonly<Record<string, string>> {
  const names = Object.keys(table).filter((name) => name !== family.name && isCreatable(table[name]));
  const inView = siblingsOf(table, family);
  const [sibling] = inView;
  const referred = Object.keys(fieldsOf(family)).flatMap((member) => referenceOf(table, family, member) ?? [])[0];
  const isReferring = (name: string) =>
    Object.keys(fieldsOf(table[name])).some((member) => referenceOf(table, table[name], member) === family.name);
  const refers = names.find(isReferring);
  const unrelated = names.find((name) => ![referred, refers, ...inView].includes(name));
  return defined({ sibling, referred, refers, unrelated }) as Readonly<Record<string, string>>;
}

/** Members that name a record of the family that is referred to, and that an update may change. */
export const pointers = (table: FamilyTable, family: Family): readonly string[] => {
  const { referred } = relatives(table, family);
  return sentFields(family, 'update').flatMap(([member]) =>
    referred !== undefined && referenceOf(table, family, member) === referred ? [member] : [],
  );
};

/** Kinds of requests that may be refused, with the reasons that each can have in the family. */
export function refusalsOf(table: FamilyTable, family: Family): Readonly<Record<string, readonly string[]>> {
  const isRanged = Object.values(fieldsOf(family)).some((field) => rangeOf(field) !== undefined);
  const isViewed = viewOf(table, family.name) !== undefined;
  const rows = WRONG_REQUESTS.filter((request) => {
    const [op] = request.split(' ');
    if (request.endsWith('by view') && !isViewed) return false;
    if (request.endsWith('out of bounds') && !isRanged) return false;
    return (op !== 'update' || hasOp(family, 'update')) && (op !== 'delete' || hasOp(family, 'delete'));
  });
  const byOp = [...groupBy(rows, (request) => request.split(' ')[0] as string)];
  return Object.fromEntries(byOp.map(([op, requests]) => [op, requests.map((each) => each.slice(op.length + 1))]));
}
