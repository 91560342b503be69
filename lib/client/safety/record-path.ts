import { PATH_PREFIX } from '../../contract/operations.ts';
import { uriPart } from '../../wire/query.ts';

/** A segment of a path without its escapes; undefined where they are malformed. */
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
const LONGEST = 256;
/** Control, format and unpaired characters, line ends, and what servers may read as part of a path. */
const UNUSABLE = /[\p{C}\p{Zl}\p{Zp}/\\?#;%]/u;

/** True for an id that names one record in a path, however a server reads it: bounded, well-formed and without separators. */
export const isUsableId = (id: string): boolean =>
  id !== '' && id === id.trim() && id.length <= LONGEST && id !== '.' && id !== '..' && !UNUSABLE.test(id);
