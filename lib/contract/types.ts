import type { OPS } from './operations.ts';

/** Shape of a member of a resource: section "Resources and their fields". */
export type FieldType =
  | 'string'
  | 'integer'
  | 'number'
  | 'boolean'
  | 'object'
  | 'object[]'
  | 'string[]'
  | { readonly oneOf: readonly string[] }
  | { readonly range: readonly [number, number]; readonly or: readonly number[] };

export interface Field {
  readonly type: FieldType;
  /** The table says "yes" in its Required column. Absent: "no" or not shown. */
  readonly required?: true;
  /** Bodies that carry the field. Absent: every body the family sends (create and update). */
  readonly sentOn?: 'create' | 'update' | 'create+update' | 'never';
  /** What the field holds, where the notes column gives it a form that a check can read. */
  readonly form?: 'mac' | 'url' | 'uuid';
  /** Family of the record that it names, where its own name does not tell. */
  readonly refersTo?: string;
  /** It holds the name of that record, and not its id. */
  readonly refersBy?: 'name';
  /** A password or the like: generated, never read back, shown in no record and no report. */
  readonly secret?: true;
  /** An answer may show null for it. */
  readonly nullable?: true;
  /** Listed members of an object, or of each object of a list; others are allowed. */
  readonly members?: Readonly<Record<string, Field>>;
  /** Least and greatest number, or number of characters of a text. */
  readonly limits?: readonly [number, number];
  /** A value that a published definition shows, and another one; creates and changes use them. */
  readonly samples?: readonly [unknown, unknown];
}

/** The operations of the API; `bulkSubmit` and `bulkMonitor` are the two halves of code B. */
export type Op = keyof typeof OPS;

export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** How one operation looks on the wire, the same for every family: section "Endpoints". */
export interface OpSpec {
  /** Letter of the operations table; those the table has no letter for are spelled out. */
  readonly code: string;
  readonly method: HttpMethod;
  /** Path below the family path, with `{id}`, `{name}` or `{bulkid}`. */
  readonly path: string;
  readonly body: 'resource' | 'bulk' | 'anc' | null;
  /** `all`: the four optional headers; `content`: only Content-Type and Accept. */
  readonly headers: 'all' | 'content';
  readonly mutates: boolean;
}

type VersionGroup = '3.0.0' | '3.1.0' | '3.1.1';

/** One resource family: a row of the family table, its field table and its operations row. */
export interface Family {
  /** Path segment, and key of the table that holds it. */
  readonly name: string;
  readonly title: string;
  readonly versions: readonly VersionGroup[];
  readonly ops: readonly Op[];
  /** `unspecified` where the specification does not show the fields (gap G-01). */
  readonly fields: Readonly<Record<string, Field>> | 'unspecified';
  readonly filters: readonly string[];
  readonly sorts: readonly string[];
  readonly roots: { readonly resource?: string; readonly bulk?: string; readonly anc?: string };
  /** Families whose records this one shows, for a read-only view. */
  readonly viewOf?: readonly string[];
  /** Published definition that the family was imported from; absent for the twelve of the specification. */
  readonly imported?: string;
}

/** A table of families keyed by path segment. Every derivation takes one, so that a family can be added as data. */
export type FamilyTable = Readonly<Record<string, Family>>;

export type OpsOf<T extends FamilyTable, F extends keyof T> = T[F]['ops'][number];

export const hasOp = (family: Family, op: Op): boolean => family.ops.includes(op);

/** True if a family of the table, if it is one, offers the operation. */
export const offers = (table: FamilyTable, family: string, op: Op): boolean => table[family]?.ops.includes(op) === true;

/** Field table of a family; empty if the specification shows none, and for a family that is none of the table. */
export const fieldsOf = (family: Family | undefined): Readonly<Record<string, Field>> =>
  family === undefined || family.fields === 'unspecified' ? {} : family.fields;

/** True if a field is compared as a number: integers, numbers with a fraction, and ranges. */
export const isNumber = (type: FieldType | undefined): boolean =>
  type === 'integer' || type === 'number' || (typeof type === 'object' && 'range' in type);

/** A value of a member without secrets, at any depth: answers do not show them. Undefined if it is one. */
export function withoutSecrets(value: unknown, { secret, members = {} }: Partial<Field>): unknown {
  if (secret === true) return undefined;
  if (Array.isArray(value)) return value.map((item) => withoutSecrets(item, { members }));
  if (typeof value !== 'object' || value === null) return value;
  const fieldOf = (name: string) => (Object.hasOwn(members, name) ? members[name] : undefined) ?? {};
  const open = Object.entries(value).map(([name, held]) => [name, withoutSecrets(held, fieldOf(name))] as const);
  return Object.fromEntries(open.filter(([, held]) => held !== undefined));
}
