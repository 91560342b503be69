import { ANC_OPERATIONS, type AncItemName, type AncOperation, type AncOperationName } from '../contract/anc.ts';
import { ANC_DATA_FIELD } from '../contract/operations.ts';
import type { FamilyTable } from '../contract/types.ts';

/** An endpoint of the pool and the policy that is put on it. */
export type AncTarget = Readonly<Partial<Record<AncItemName, string>>>;

/** Body fields of an ANC operation: `additionalData` with one name and value pair for each item it carries. */
export function ancFields(operation: AncOperationName, target: AncTarget): Readonly<Record<string, unknown>> {
  const { items }: AncOperation = ANC_OPERATIONS[operation];
  return {
    [ANC_DATA_FIELD]: items.map((name) => {
      const value = target[name];
      if (value === undefined) throw new Error(`${operation} needs ${name}`);
      return { name, value };
    }),
  };
}

/** Name of the table's family that applies and clears policies; undefined where none does. */
export function ancFamily(table: FamilyTable): string | undefined {
  return Object.keys(table).find((name) => table[name]?.ops.includes('apply'));
}
