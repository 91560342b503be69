import { ANC_OPERATIONS, type AncItemName, type AncOperationName } from '../contract/anc.ts';
import { ANC_DATA_FIELD } from '../contract/operations.ts';
import type { FamilyTable } from '../contract/types.ts';
import { buildRequest } from './request.ts';

export type AncTarget = Readonly<Partial<Record<AncItemName, string>>>;

/** Body fields of an ANC operation: `additionalData` with one name and value pair for each item it carries. */
export function ancFields(operation: AncOperationName, target: AncTarget): Readonly<Record<string, unknown>> {
  const { items } = ANC_OPERATIONS[operation];
  return {
    [ANC_DATA_FIELD]: items.map((name) => {
      const value = target[name];
      if (value === undefined) throw new Error(`${operation} needs ${name}`);
      return { name, value };
    }),
  };
}

/** Name of the table's family that applies and clears policies; undefined if none does. */
export const ancFamily = (table: FamilyTable): string | undefined =>
  Object.keys(table).find((name) => table[name]?.ops.includes('apply'));

/** Stands for a value in the body that is cut at it. */
const CUT = '\u0000';

/** The requests of one ANC operation, for a sender of many: `buildRequest` once, then values between the pieces of its body. */
export function ancRequests(table: FamilyTable, family: string, operation: AncOperationName) {
  const { op, items } = ANC_OPERATIONS[operation];
  const sample = { macAddress: CUT, ipAddress: CUT, policyName: CUT };
  const { method, path, headers, body } = buildRequest(table, family, op, { fields: ancFields(operation, sample) });
  const [head = '', ...pieces] = (body ?? '').split(JSON.stringify(CUT));
  return {
    ...{ method, path, headers },
    /** Throws if the target lacks what the operation needs. */
    bodyOf(target: AncTarget): string {
      let text = head;
      for (let index = 0; index < items.length; index += 1) {
        const name = items[index] as AncItemName;
        const value = target[name];
        if (value === undefined) throw new Error(`${operation} needs ${name}`);
        text += JSON.stringify(value) + pieces[index];
      }
      return text;
    },
  };
}
