import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { isObject, type JsonObject } from '../../../lib/wire/answer.ts';

const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '',
  parseAttributeValue: false,
  parseTagValue: false,
  trimValues: false,
  removeNSPrefix: true,
  ignoreDeclaration: true,
  htmlEntities: true,
});

/** Tags of a document that is still parsed: one of 4 MiB that holds records has half as many. */
const MOST_TAGS = 400_000;

function hasTooManyTags(body: string): boolean {
  let tags = 0;
  for (let at = body.indexOf('<'); at !== -1 && tags <= MOST_TAGS; at = body.indexOf('<', at + 1)) tags += 1;
  return tags > MOST_TAGS;
}

/** A document as a tree; undefined if it is not well-formed, beyond its bounds, or if the parser would guess its end. */
function treeOf(body: string): unknown {
  if (!body.trimStart().startsWith('<') || hasTooManyTags(body) || malformedIn(body) !== undefined) return undefined;
  try {
    return parser.parse(body);
  } catch {
    return undefined;
  }
}

/** Every element of a document that has an id, as attribute or child, but for parts of another one. None if it is not well-formed. */
export function xmlRecords(body: string): readonly JsonObject[] {
  const found: JsonObject[] = [];
  const walk = (value: unknown): void => {
    const inner = Array.isArray(value) ? value : isObject(value) ? Object.values(value) : [];
    if (isObject(value) && typeof value['id'] === 'string') found.push(value);
    else for (const each of inner) walk(each);
  };
  walk(treeOf(body));
  return found;
}

/** What is wrong with a document, with its line; undefined if it is well-formed. */
export function malformedIn(body: string): string | undefined {
  const told = XMLValidator.validate(body);
  return told === true ? undefined : `${told.err.msg} (line ${told.err.line})`;
}

/** Address under `nextPage` of a list in XML, wherever it stands there; undefined if there is none, or the document is not well-formed. */
export function nextInXml(body: string): string | undefined {
  const find = (value: unknown, isNext: boolean): string | undefined => {
    const entries: readonly (readonly [string, unknown])[] =
      isObject(value) || Array.isArray(value) ? Object.entries(value) : [];
    for (const [name, held] of entries) {
      if (typeof held === 'string' && (name === 'nextPage' || (isNext && name === 'href'))) return held.trim();
      const found = find(held, isNext || name === 'nextPage');
      if (found !== undefined) return found;
    }
    return undefined;
  };
  return find(treeOf(body), false);
}
