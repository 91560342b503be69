import { XMLParser } from 'fast-xml-parser';

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

type Node = Readonly<Record<string, unknown>>;
const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Every element of a document that has an id, as attribute or child, with its other attributes and children, but for what stands within
 * another one: that is a part of its record. None where it is no XML.
 */
export function xmlRecords(body: string): readonly Node[] {
  if (!body.trimStart().startsWith('<')) return [];
  const found: Node[] = [];
  const walk = (value: unknown): void => {
    const inner = Array.isArray(value) ? value : isNode(value) ? Object.values(value) : [];
    if (isNode(value) && typeof value['id'] === 'string') found.push(value);
    else for (const each of inner) walk(each);
  };
  try {
    walk(parser.parse(body));
  } catch {
    return [];
  }
  return found;
}

/** Address under `nextPage` of a list in XML, wherever it stands there; undefined if there is none, or the text is no XML. */
export function nextInXml(body: string): string | undefined {
  const find = (value: unknown, isNext: boolean): string | undefined => {
    const entries: readonly (readonly [string, unknown])[] =
      isNode(value) || Array.isArray(value) ? Object.entries(value) : [];
    for (const [name, held] of entries) {
      if (typeof held === 'string' && (name === 'nextPage' || (isNext && name === 'href'))) return held.trim();
      const found = find(held, isNext || name === 'nextPage');
      if (found !== undefined) return found;
    }
    return undefined;
  };
  try {
    return find(parser.parse(body), false);
  } catch {
    return undefined;
  }
}
