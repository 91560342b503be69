import { ANC_OPERATIONS, type AncItemName, type AncOperation, type AncOperationName } from '../contract/anc.ts';
import { ANC_DATA_FIELD } from '../contract/operations.ts';
import type { FamilyTable } from '../contract/types.ts';
import { buildRequest, type RequestSpec, rootKey } from './request.ts';

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

/** What is the same in all requests of an ANC operation, and the body that differs. */
export interface AncRequests extends Pick<RequestSpec, 'method' | 'path' | 'headers'> {
  /** Throws where the target lacks what the operation needs. */
  readonly bodyOf: (target: AncTarget) => string;
}

/** Any target: all that is kept of its request does not depend on it. */
const ANY: AncTarget = { macAddress: '', ipAddress: '', policyName: '' };

/** The requests of one ANC operation, for a sender of many: `buildRequest` once, and then bodies alone. Throws as `buildRequest` does. */
export function ancRequests(table: FamilyTable, family: string, operation: AncOperationName): AncRequests {
  const { op } = ANC_OPERATIONS[operation];
  const { method, path, headers } = buildRequest(table, family, op, { fields: ancFields(operation, ANY) });
  const own = table[family];
  const root = (own && rootKey(own, op)) ?? '';
  return { method, path, headers, bodyOf: (target) => JSON.stringify({ [root]: ancFields(operation, target) }) };
}
