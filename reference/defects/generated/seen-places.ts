import { type FamilyTable, isNumber } from '../../../lib/contract/types.ts';
import { memberOf, vendorFacts } from '../../../lib/contract/vendor.ts';
import type { Place } from './line.ts';
import { canSpoil, isComposite, isOnlyText, isText, type Member, type Spoiling, writtenMembers } from './members.ts';

export type Window = 'read' | 'read-xml' | 'entry' | 'entry-xml' | 'filter' | 'sort';

/** Spoilings that change what a member says; a list entry may leave members out, so that losing one there is allowed. */
const IN_ENTRIES = new Set([
  ...['cut-48', 'cut-255', 'cut-1000', 'swapped', 'kept', 'twice-html', 'twice-utf8', 'squeezed', 'recased', 'decoded'],
  ...['unpaired', 'number-like'],
]);
/** Spoilings that move a record in or out of a filtered list. */
const IN_FILTERS = new Set(['cut-48', 'swapped', 'kept', 'twice-utf8', 'defaulted', 'decoded', 'lost', 'number-like']);
/** Spoilings that move a record in a sorted list. Nothing promises an order of signs and of letters beyond ASCII. */
const IN_SORTS = new Set(['cut-48', 'swapped', 'kept', 'defaulted', 'lost', 'number-like']);

interface Seen extends Omit<Member, 'name'> {
  readonly member: string;
  readonly windows: readonly Window[];
}

/** Members of a view and of ANC endpoints, whose truth is written elsewhere. */
function unwritten(table: FamilyTable): readonly Seen[] {
  return Object.entries(table).flatMap(([family, row]) => {
    const text = (member: string, ...more: readonly Window[]): Seen => ({
      ...{ family, member, type: 'string', confined: {} },
      windows: ['read', 'read-xml', ...more],
    });
    if (row.viewOf !== undefined)
      return ['name', 'description'].map((member) => text(member, 'entry', 'filter', 'sort'));
    return row.ops.includes('apply') ? ['macAddress', 'policyName'].map((member) => text(member)) : [];
  });
}

function seenMembers(table: FamilyTable): readonly Seen[] {
  const written = writtenMembers(table, 'create').map(({ name: member, ...more }): Seen => {
    const { family } = more;
    const fieldsOn = (fields: readonly string[] = []) => fields.some((field) => memberOf(family, field) === member);
    const isListed = vendorFacts(family).listMembers.includes(member);
    return {
      ...{ ...more, member },
      windows: [
        'read',
        'read-xml',
        ...(isListed ? (['entry', 'entry-xml'] as const) : []),
        ...(fieldsOn(table[family]?.filters) ? (['filter'] as const) : []),
        ...(fieldsOn(table[family]?.sorts) ? (['sort'] as const) : []),
      ],
    };
  });
  return [...written, ...unwritten(table)];
}

function fitsWindow(spoiling: Spoiling, seen: Seen, window: Window, table: FamilyTable): boolean {
  const { id } = spoiling;
  const { family, member, type } = seen;
  if (!canSpoil(spoiling, seen)) return false;
  if (window.startsWith('entry')) return IN_ENTRIES.has(id);
  const isChanged = table[family]?.ops.includes('update') || table[family]?.viewOf !== undefined;
  if (id === 'kept' && !isChanged && member !== 'policyName') return false;
  // A number one beside what it is keeps its place in nearly every list.
  if (window === 'sort' && id === 'swapped' && isNumber(type)) return false;
  if (window === 'filter' || window === 'sort')
    return (window === 'filter' ? IN_FILTERS : IN_SORTS).has(id) && (isText(type) || isNumber(type));
  // XML has no types: a number and its text look alike there. What an answer in it leaves out nothing states.
  const isInObject = type === 'object' && id === 'half-lost';
  if (window === 'read-xml' && (isInObject || ['retyped', 'lost'].includes(id))) return false;
  if (window === 'read-xml' && isComposite(type) && id === 'defaulted') return false;
  if (id === 'kept') return true;
  // An address holds no character that these would change.
  if (table[family]?.ops.includes('apply')) return ['lost', 'defaulted', 'swapped'].includes(id);
  return !(id === 'swapped' && isText(type) && isOnlyText(table, family));
}

/** Everywhere a spoiled value can be seen and held against what was written. */
export function seenPlaces(spoiling: Spoiling, table: FamilyTable): readonly Place[] {
  return seenMembers(table).flatMap((seen) =>
    seen.windows
      .filter((window) => fitsWindow(spoiling, seen, window, table))
      .map((window) => ({ family: seen.family, member: seen.member, window })),
  );
}
