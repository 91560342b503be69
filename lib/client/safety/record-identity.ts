import { PATH_PREFIX } from '../../contract/operations.ts';
import type { FamilyTable, Op } from '../../contract/types.ts';
import { memberOf } from '../../contract/vendor.ts';
import { isObject, type JsonObject, recordOf, rootOf } from '../../wire/answer.ts';
import type { ListItem } from '../../wire/list-walk.ts';
import { uriPart } from '../../wire/query.ts';
import type { RequestSpec } from '../../wire/request.ts';
import type { OwnRecord } from '../types.ts';

export interface RecordsOptions {
  readonly prefix: string;
  readonly table: FamilyTable;
  readonly inherits?: ((name: string) => boolean) | undefined;
  readonly nowMs: () => number;
  readonly note: (event: 'created' | 'removed', record: OwnRecord & { readonly operation: Op }) => void;
}

/** A segment of a path without its escapes; undefined if they are malformed. */
export function decodedSegment(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}

/** True for a segment that servers may read in more than one way: `..;`, an escaped slash, or nothing at all. */
export function isAmbiguousSegment(segment: string): boolean {
  const text = decodedSegment(segment);
  return text === undefined || /^\.{0,2}$|[/\\;]|\p{Cc}/u.test(text);
}

export const recordPath = (family: string, id: string): string => `${PATH_PREFIX}/${uriPart(family)}/${uriPart(id)}`;

/** Family and id in the path of a request for one record, as `encodeURIComponent` writes them; undefined for any other path. */
export function recordInPath(path: string): { readonly family: string; readonly id: string } | undefined {
  const [, , , family, segment, more] = path.split('?')[0]?.split('/') ?? [];
  if (family === undefined || segment === undefined || more !== undefined) return undefined;
  const id = decodedSegment(segment);
  return id !== undefined && encodeURIComponent(id) === segment ? { family, id } : undefined;
}

/** Longest id of a record that is taken; those of real deployments have 36 characters. */
const LONGEST_ID = 256;
/** Control, format and unpaired characters, line ends, and what servers may read as part of a path. */
const UNUSABLE = /[\p{C}\p{Zl}\p{Zp}/\\?#;%]/u;

/** True for an id that names one record in a path, however a server reads it: bounded, well-formed and without separators. */
export const isUsableId = (id: string): boolean =>
  id !== '' && id === id.trim() && id.length <= LONGEST_ID && id !== '.' && id !== '..' && !UNUSABLE.test(id);

/** The record in an answer or a body, or the object itself. */
export const resourceOf = (value: unknown): JsonObject | undefined =>
  recordOf({ json: value }) ?? (isObject(value) ? value : undefined);

/** Members that may hold the name of a record of the family. */
export const nameMembers = (family: string): readonly string[] => [...new Set([memberOf(family, 'name'), 'name'])];

/** Member in which a record can be recognized by the run's prefix where its name does not tell. */
export const MARK = 'description';

export function nameIn(family: string, record: JsonObject | undefined): string | undefined {
  const held = nameMembers(family).map((member) => record?.[member]);
  return held.find((name): name is string => typeof name === 'string');
}

/**
 * The answer to a read by id, with that id in a record that has a name and shows none: the specification does not show answers, and
 * lists no id among the fields of some families.
 */
export function withAskedId({ op, family, path }: Pick<RequestSpec, 'op' | 'family' | 'path'>, json: unknown): unknown {
  const id = op === 'read' ? recordInPath(path)?.id : undefined;
  const record = resourceOf(json);
  if (id === undefined || record === undefined || 'id' in record || nameIn(family, record) === undefined) return json;
  return record === json ? { ...record, id } : { [rootOf({ json }) ?? family]: { ...record, id } };
}

/** Tells what belongs to one family (ids, names, marks) apart from that of another, as a key of maps and sets. */
export const keyIn = (family: string, text: string): string => `${family}/${text}`;

export const recordKey = ({ family, id }: { readonly family: string; readonly id: string }): string =>
  keyIn(family, id);

/** The family and, of a view, those whose records it shows. */
export const homesOf = (table: FamilyTable, family: string): readonly string[] => [
  family,
  ...(table[family]?.viewOf ?? []),
];

export interface ListEntry {
  readonly id: string;
  readonly name?: string;
  readonly description?: string;
}

/** An item of a list with the texts that tell records apart. */
export function entryOf({ id, record }: ListItem): ListEntry {
  const texts = (['name', 'description'] as const).flatMap((member) => {
    const text = record[member];
    return typeof text === 'string' ? [[member, text] as const] : [];
  });
  return { id, ...Object.fromEntries(texts) };
}
