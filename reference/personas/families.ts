import { factoryRecords, personaFacts } from '../../lib/contract/personas.ts';
import { type Family, fieldsOf, hasOp } from '../../lib/contract/types.ts';
import { vendorFacts } from '../../lib/contract/vendor.ts';

/** Which families a rule affects, by what they are and not by name. */
export const AFFECTS = {
  all: () => true,
  named: (family: Family) => personaFacts(family.name).names?.of === 'other',
  groups: (family: Family) => personaFacts(family.name).names?.of === 'group',
  described: (family: Family) => hasOp(family, 'create') || hasOp(family, 'bulkSubmit'),
  portalKinds: (family: Family) => personaFacts(family.name).portal !== undefined,
  styled: (family: Family) => personaFacts(family.name).styleSheet !== undefined,
  /** Families that name records of another one, and those that are named. */
  mapped: (family: Family) => {
    const { reference, names } = personaFacts(family.name);
    return reference !== undefined || names?.of === 'group';
  },
  mappings: (family: Family) => personaFacts(family.name).reference !== undefined,
  /** Families of one factory record to which no other can be added. */
  single: (family: Family) => !hasOp(family, 'create') && factoryRecords(family.name)?.length === 1,
  empty: (family: Family) => factoryRecords(family.name)?.length === 0,
  /** Families whose bodies carry no description. */
  undescribed: (family: Family) => !('description' in fieldsOf(family)) || !hasOp(family, 'create'),
  counted: (family: Family) => personaFacts(family.name).counter !== undefined,
  views: (family: Family) => family.viewOf !== undefined,
  /** A view and the families whose records it does not show. */
  halfViewed: (family: Family) => family.viewOf !== undefined || personaFacts(family.name).portal !== undefined,
  outside: (family: Family) => {
    const { absent, shownAs, outside } = personaFacts(family.name);
    return absent !== undefined || shownAs !== undefined || outside !== undefined;
  },
  written: (family: Family) => family.ops.some((op) => ['create', 'update', 'delete'].includes(op)),
  deleted: (family: Family) => hasOp(family, 'delete'),
  bulk: (family: Family) => hasOp(family, 'bulkSubmit'),
  anc: (family: Family) => hasOp(family, 'apply'),
  distinct: (family: Family) => (vendorFacts(family.name).unique ?? []).length > 0,
} as const satisfies Readonly<Record<string, (family: Family) => boolean>>;
