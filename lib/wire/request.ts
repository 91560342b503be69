import { HEADERS_ALLOWED, OPS, PATH_PREFIX, REQUEST_HEADERS, type RequestHeader } from '../contract/operations.ts';
import { type Family, type FamilyTable, fieldsOf, type HttpMethod, type Op, type OpsOf } from '../contract/types.ts';
import { xmlName } from '../contract/vendor.ts';
import {
  encodeQuery,
  type FilterTypeSpelling,
  type ListQuery,
  listQueryPairs,
  type QueryPair,
  uriPart,
} from './query.ts';
import { type BulkItems, bulkFields, bulkXml, resourceXml, type XmlName } from './xml.ts';

/** A request ready to be sent: relative to the base URL, headers as spelled in the specification. */
export interface RequestSpec {
  readonly family: string;
  readonly op: Op;
  readonly method: HttpMethod;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

type Fields = Readonly<Record<string, unknown>>;

/** What a request is made from; which members count depends on the operation. */
export interface RequestInput<F extends Family = Family> {
  readonly id?: string;
  readonly name?: string;
  readonly bulkId?: string;
  readonly list?: ListQuery<F['filters'][number], F['sorts'][number]>;
  readonly filterType?: FilterTypeSpelling;
  /** Query parameters beyond the listed ones, passed through as they are: the first before those, the others behind. */
  readonly extra?: readonly QueryPair[];
  /** Members of the body, without the root key; unset ones are left out. */
  readonly fields?: Fields;
  /** Items of a bulk request, beside its `fields`: the guard looks at each of them. */
  readonly bulk?: BulkItems;
  /** Overrides the root key, for checks that send a wrong one; `null` sends the bare object (JSON only). */
  readonly root?: string | null;
  readonly format?: 'json' | 'xml';
  /** Headers by their role; `null` leaves one out. Only those the operation accepts are sent. */
  readonly headers?: Readonly<Partial<Record<RequestHeader, string | null>>>;
}

const PLACEHOLDER = /\{(id|name|bulkid)\}/g;

/** `.` and `..` are cut out of a path by every URL parser, escaped or not: no request can carry them. */
export const isDotSegment = (value: string | undefined): boolean => value === '.' || value === '..';

function pathOf(family: string, op: Op, input: RequestInput): string {
  const values: Readonly<Record<string, string | undefined>> = { id: input.id, name: input.name, bulkid: input.bulkId };
  const below = OPS[op].path.replace(PLACEHOLDER, (_, key: string) => {
    const value = values[key];
    if (value === undefined || value === '') throw new Error(`${op} on ${family} needs ${key}`);
    return uriPart(value);
  });
  return `${PATH_PREFIX}/${encodeURIComponent(family)}${below}`;
}

/** Root key of an operation's body: column "Body root key"; null if the operation has no body. */
export function rootKey(family: Family, op: Op): string | null {
  const kind = OPS[op].body;
  return kind === null ? null : (family.roots[kind] ?? null);
}

/** Element of the XML form: the resource's own, else the root key as XML spells it (`SgtBulkRequest` → `sgtBulkRequest`). */
function elementOf(name: string, op: Op, own: string, asked: string): XmlName {
  const { element, namespace } = xmlName(name);
  if (OPS[op].body === 'resource' && asked === own) return { element, namespace };
  return { element: asked.charAt(0).toLowerCase() + asked.slice(1), namespace };
}

/** `undefined` is unset and left out (Conventions point 4); `null` is a value, which JSON carries and XML has no word for. */
function bodyOf(family: Family, op: Op, input: RequestInput): string | undefined {
  if (OPS[op].body === null) return undefined;
  const own = rootKey(family, op);
  if (own === null) throw new Error(`${family.name} has no root key for ${op}`);
  const items = input.bulk;
  const other = op === 'create' || items?.action === 'create' ? 'update' : 'create';
  const isElsewhere = (member: string) => member !== 'id' && fieldsOf(family)[member]?.sentOn === other;
  /** Members without those that only a body of the other kind of write is published to hold. */
  const held = (all: Fields): Fields =>
    Object.fromEntries(Object.entries(all).filter(([member]) => !isElsewhere(member)));
  const bulk = items && { ...items, records: items.records.map(held) };
  const fields = held(input.fields ?? {});
  if (input.format === 'xml') {
    const name = elementOf(family.name, op, own, input.root ?? own);
    return bulk === undefined ? resourceXml(name, fields) : bulkXml(name, fields, bulk);
  }
  const whole = bulk === undefined ? fields : { ...fields, ...bulkFields(bulk) };
  return JSON.stringify(input.root === null ? whole : { [input.root ?? own]: whole });
}

/** Clients of real deployments name both media types in every request; some deployments refuse one without. */
function headersOf(op: Op, input: RequestInput): Record<string, string> {
  const defaults: Partial<Record<RequestHeader, string>> = {
    contentType: input.format === 'xml' ? 'application/xml' : 'application/json',
    accept: 'application/json',
  };
  const chosen = { ...defaults, ...input.headers };
  const headers: Record<string, string> = {};
  for (const role of HEADERS_ALLOWED[OPS[op].headers]) {
    const value = chosen[role];
    if (value !== undefined && value !== null) headers[REQUEST_HEADERS[role]] = value;
  }
  return headers;
}

/** Builds the request of an operation from the tables ("Conventions"). Throws for a missing path parameter, operation or root key. */
export function buildRequest<T extends FamilyTable, F extends keyof T & string, O extends OpsOf<T, F>>(
  table: T,
  name: F,
  op: O,
  input: RequestInput<T[F]> = {},
): RequestSpec {
  const family: Family | undefined = table[name];
  if (!family?.ops.includes(op)) throw new Error(`${name} has no operation ${op}`);
  const { extra = [] } = input;
  const list = op === 'list' && input.list ? listQueryPairs(input.list, input.filterType) : [];
  const body = bodyOf(family, op, input);
  return {
    family: name,
    op,
    method: OPS[op].method,
    path: pathOf(name, op, input) + encodeQuery([...extra.slice(0, 1), ...list, ...extra.slice(1)]),
    headers: headersOf(op, input),
    ...(body === undefined ? {} : { body }),
  };
}
