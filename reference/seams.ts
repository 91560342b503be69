import type { FamilyTable, Op } from '../lib/contract/types.ts';
import type { AncTarget } from '../lib/wire/anc.ts';
import type { QueryPair } from '../lib/wire/query.ts';
import type { Dialect } from './dialect.ts';
import type { Answer, Call, Route } from './http/wire.ts';
import type { Criterion, ListPlan } from './query/plan.ts';
import type { RecordList, StoredRecord } from './store/store.ts';

/** Members of a body, without its root key. */
export type Fields = Readonly<Record<string, unknown>>;

export interface BulkRequest {
  /** As the client spelled it. */
  readonly operationType: string;
  readonly action: 'create' | 'update' | 'delete';
  readonly resourceMediaType: string;
  readonly resources: readonly Fields[];
  readonly ids: readonly string[];
}

export interface BulkResult {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly failure?: string;
}

export interface BulkState {
  readonly id: string;
  readonly family: string;
  readonly request: BulkRequest;
  readonly startedAt: Date;
  readonly done: boolean;
  readonly results: readonly BulkResult[];
}

export type MaybePromise<T> = T | Promise<T>;

export interface Change {
  readonly field: string;
  readonly oldValue: unknown;
  readonly newValue: unknown;
}

/** The one holder of state. A view has no records of its own: `sources` names the families it shows. */
export interface Store {
  readonly sources: (name: string) => readonly string[];
  readonly list: (name: string) => RecordList;
  readonly get: (name: string, id: string) => StoredRecord | undefined;
  readonly indexed: (name: string, member: string) => boolean;
  readonly find: (name: string, member: string, value: unknown) => StoredRecord | undefined;
  readonly create: (name: string, fields: Fields) => MaybePromise<StoredRecord>;
  readonly update: (name: string, id: string, fields: Fields) => MaybePromise<readonly Change[]>;
  readonly remove: (name: string, id: string) => MaybePromise<boolean>;
  readonly version: (name: string) => number;
}

export interface Query {
  /** Field, operator and value of a triplet; undefined if it is malformed. */
  readonly split: (triplet: string) => readonly [field: string, operator: string, value: string] | undefined;
  readonly plan: (name: string, pairs: readonly QueryPair[]) => ListPlan;
  readonly holds: (record: StoredRecord, criterion: Criterion) => boolean;
  readonly accepts: (record: StoredRecord, plan: ListPlan) => boolean;
  /** Order of two records; undefined for the order of creation. */
  readonly order: (plan: ListPlan) => ((a: StoredRecord, b: StoredRecord) => number) | undefined;
  /** Records found without a scan; undefined if there is no index for the plan. */
  readonly shortcut: (name: string, plan: ListPlan) => readonly StoredRecord[] | undefined;
  readonly select: (name: string, plan: ListPlan) => MaybePromise<RecordList>;
}

export interface PageRange {
  readonly from: number;
  readonly to: number;
  readonly hasNext: boolean;
  readonly hasPrevious: boolean;
}

export interface Pager {
  readonly range: (plan: ListPlan, total: number) => PageRange;
  readonly items: (list: RecordList, range: PageRange, plan: ListPlan) => readonly StoredRecord[];
  /** Query of the link to a page: the pairs of this request, with size and page last. */
  readonly linkPairs: (plan: ListPlan, page: number) => readonly QueryPair[];
  readonly linkPage: (plan: ListPlan, step: 1 | -1) => number;
  readonly href: (call: Call, path: string, pairs: readonly QueryPair[]) => string;
}

export type Format = 'json' | 'xml';

export interface Codec {
  readonly formatOf: (contentType: string | undefined) => Format;
  readonly acceptOf: (accept: string | undefined) => Format;
  /** Members under the root key. Throws `Problem`. */
  readonly decode: (name: string, op: Op, text: string, format: Format) => Fields;
  /** Members under the root key of a JSON document. Throws `Problem`. */
  readonly unwrap: (root: string, document: Fields) => Fields;
  readonly encode: (format: Format, document: Document) => string;
}

export interface Document {
  readonly root: string;
  readonly value: Fields;
  readonly xml: { readonly element: string; readonly namespace: string };
}

export interface Rules {
  /** Members as they are stored: unknown ones refused, types and ranges checked. Throws `Problem`. */
  readonly check: (name: string, op: 'create' | 'update', fields: Fields) => Fields;
  readonly inRange: (value: number, range: readonly [number, number], or: readonly number[]) => boolean;
  readonly isListed: (value: string, listed: readonly string[]) => boolean;
  /** Refuses a value that another record holds. Throws `Problem`. */
  readonly distinct: (name: string, fields: Fields, ownId: string | undefined) => void;
  /** Fills in what the server generates. */
  readonly fill: (name: string, fields: Fields) => Fields;
}

export interface Present {
  readonly read: (name: string, record: StoredRecord) => Fields;
  readonly entry: (name: string, record: StoredRecord, position: number) => Fields;
}

export type OutcomeKind =
  | 'read'
  | 'list'
  | 'created'
  | 'updated'
  | 'deleted'
  | 'version'
  | 'bulkAccepted'
  | 'bulkStatus'
  | 'anc'
  | 'problem';

/** Outcome of an operation, before it is a status, headers and a body. */
export interface Outcome {
  readonly kind: OutcomeKind;
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly document?: Document;
  /** Text to answer with, where it is no document. */
  readonly text?: string;
}

export interface Responder {
  /** Last word on status, headers and document. */
  readonly shape: (outcome: Outcome, call: Call) => Outcome;
  readonly answer: (outcome: Outcome, call: Call) => Answer;
}

export interface Anc {
  readonly apply: (targets: readonly AncTarget[]) => MaybePromise<void>;
  readonly clear: (targets: readonly AncTarget[]) => MaybePromise<void>;
}

export interface Bulk {
  /** Id of the accepted request. Throws `Problem` (503) while another one runs. */
  readonly submit: (name: string, request: BulkRequest) => string;
  readonly monitor: (name: string, id: string) => BulkState | undefined;
}

/** The seams of the deployment. Parts call each other through this object only, so that a wrap is seen by all. */
export interface Seams {
  dialect: Dialect;
  store: Store;
  lookup: {
    readonly byId: (name: string, id: string) => StoredRecord | undefined;
    readonly byName: (name: string, value: string) => MaybePromise<StoredRecord | undefined>;
  };
  query: Query;
  pager: Pager;
  codec: Codec;
  rules: Rules;
  present: Present;
  responder: Responder;
  anc: Anc;
  bulk: Bulk;
  /** Refuses a request before it is routed. Throws `Problem`. */
  gate: { readonly admit: (call: Call) => void };
  front: { readonly handle: (call: Call) => MaybePromise<Answer> };
  routing: { readonly routes: readonly Route[] };
}

/** What a wrap may need besides the seam it wraps. */
export interface Kit {
  readonly table: FamilyTable;
  /** The seams as they finally are: for calls into other parts. */
  readonly seams: Seams;
  readonly random: () => number;
  readonly wait: (ms: number) => Promise<void>;
}

/** Replacements for members of seams, made from what they replace. */
export type Wraps = { readonly [S in keyof Seams]?: (inner: Seams[S]) => Partial<Seams[S]> };

/** What is put in place of members of a seam, given what is there and the kit of the deployment. */
export type SeamChange<S extends keyof Seams> = (inner: Seams[S], kit: Kit) => Partial<Seams[S]>;

/** The outcome with other members in its document; the same if it has none. */
export const withValue = (outcome: Outcome, change: (value: Fields) => Fields): Outcome =>
  outcome.document === undefined
    ? outcome
    : { ...outcome, document: { ...outcome.document, value: change(outcome.document.value) } };

/** The outcome with another Location; the same if it has none. */
export function withLocation(outcome: Outcome, change: (href: string) => string): Outcome {
  const location = outcome.headers?.['Location'];
  return location === undefined ? outcome : { ...outcome, headers: { ...outcome.headers, Location: change(location) } };
}

/** What a deviation installs that wraps one seam. */
export const wrap =
  <S extends keyof Seams>(seam: S, change: SeamChange<S>) =>
  (kit: Kit): Wraps => ({ [seam]: (inner: Seams[S]) => change(inner, kit) });

/** What a deviation installs that changes outcomes once they are known. */
export const shaping = (change: (outcome: Outcome, call: Call, kit: Kit) => Outcome) =>
  wrap('responder', (inner, kit) => ({ shape: (outcome, call) => change(inner.shape(outcome, call), call, kit) }));

/** A store that tells of each write: of a create when it is done, of the others before, with the record as it is. */
export const telling =
  (tell: (kind: 'create' | 'update' | 'delete', family: string, id: string, record?: StoredRecord) => void) =>
  (inner: Store): Partial<Store> => ({
    create: async (name, fields) => {
      const record = await inner.create(name, fields);
      tell('create', name, record.id, record);
      return record;
    },
    update: (name, id, fields) => {
      tell('update', name, id, inner.get(name, id));
      return inner.update(name, id, fields);
    },
    remove: (name, id) => {
      tell('delete', name, id, inner.get(name, id));
      return inner.remove(name, id);
    },
  });

/** Puts wraps around the seams, in order: later ones see earlier ones. */
export function wrapSeams(seams: Seams, wraps: Wraps): void {
  const assign = <S extends keyof Seams>(key: S) => {
    const wrap = wraps[key];
    if (wrap !== undefined) seams[key] = { ...seams[key], ...wrap(seams[key]) };
  };
  for (const key of Object.keys(wraps) as (keyof Seams)[]) assign(key);
}
