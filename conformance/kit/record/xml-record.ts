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

/** Every element of a document that has an id, as attribute or child, with its other attributes and children; none where it is no XML. */
export function xmlRecords(body: string): readonly Node[] {
  if (!body.trimStart().startsWith('<')) return [];
  const found: Node[] = [];
  const walk = (value: unknown): void => {
    const inner = Array.isArray(value) ? value : isNode(value) ? Object.values(value) : [];
    if (isNode(value) && typeof value['id'] === 'string') found.push(value);
    for (const each of inner) walk(each);
  };
  try {
    walk(parser.parse(body));
  } catch {
    return [];
  }
  return found;
}
