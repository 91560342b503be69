import { XMLParser } from 'fast-xml-parser';
import { isObject } from '../../lib/wire/answer.ts';

const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '',
  removeNSPrefix: true,
  parseTagValue: false,
  parseAttributeValue: false,
  trimValues: false,
  ignoreDeclaration: true,
  htmlEntities: true,
});

/** Members of an XML answer with texts for values; undefined where it is no XML. */
export function xmlRecord(body: string): Readonly<Record<string, unknown>> | undefined {
  if (!body.trimStart().startsWith('<')) return undefined;
  try {
    const [root] = Object.values(parser.parse(body) as Record<string, unknown>);
    return isObject(root) ? root : undefined;
  } catch {
    return undefined;
  }
}
