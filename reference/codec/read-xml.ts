import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { Problem } from '../answers/problem.ts';

/** An element: its attributes by local name, its child elements in order of first appearance, its own text. */
export interface XmlNode {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: Readonly<Record<string, readonly XmlNode[]>>;
  readonly text: string;
}

const ATTRIBUTE = '@';
const TEXT = '#text';
const CDATA = '#cdata';

// Entities are decoded here and not by the parser: it leaves numeric ones, and a document type could define others.
const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: ATTRIBUTE,
  parseAttributeValue: false,
  parseTagValue: false,
  trimValues: false,
  removeNSPrefix: true,
  processEntities: false,
  textNodeName: TEXT,
  cdataPropName: CDATA,
  ignoreDeclaration: true,
  ignorePiTags: true,
  isArray: (_name, _path, _leaf, isAttribute) => !isAttribute,
  alwaysCreateTextNode: true,
});

const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

const malformed = (why: string) => new Problem(400, 'schema', `Resource Initialization Failed: Invalid XML: ${why}`);

/** Text with its five named and its numeric entities replaced. Throws `Problem` for any other. */
export function decodeEntities(text: string): string {
  return text.replace(/&([^;&\s]{1,12});/g, (_, entity: string) => {
    const named = NAMED[entity];
    if (named !== undefined) return named;
    const number = /^#(?:x([0-9a-f]{1,6})|(\d{1,7}))$/i.exec(entity);
    const code = number === null ? Number.NaN : Number.parseInt(number[1] ?? number[2] ?? '', number[1] ? 16 : 10);
    if (!(code <= 0x10ffff)) throw malformed(`the entity &${entity}; is not known`);
    return String.fromCodePoint(code);
  });
}

type Raw = Readonly<Record<string, unknown>>;

function textsIn(value: unknown): string {
  if (typeof value === 'string') return value;
  if (!Array.isArray(value)) return '';
  return value.map((part) => (typeof part === 'string' ? part : String((part as Raw)[TEXT] ?? ''))).join('');
}

function nodeOf(name: string, raw: unknown): XmlNode {
  if (typeof raw === 'string') return { name, attributes: {}, children: {}, text: decodeEntities(raw) };
  const attributes: Record<string, string> = {};
  const children: Record<string, readonly XmlNode[]> = {};
  let text = '';
  for (const [key, value] of Object.entries((raw ?? {}) as Raw)) {
    if (key === TEXT) text += decodeEntities(textsIn(value));
    else if (key === CDATA) text += textsIn(value);
    else if (key.startsWith(ATTRIBUTE)) attributes[key.slice(ATTRIBUTE.length)] = decodeEntities(String(value));
    else children[key] = (Array.isArray(value) ? value : [value]).map((item) => nodeOf(key, item));
  }
  return { name, attributes, children, text };
}

/** The root element of a document. Throws `Problem` (400) where it is not well formed or has not exactly one root. */
export function readXml(text: string): XmlNode {
  if (text.trim() === '') throw malformed('the body is empty');
  if (/<!DOCTYPE/i.test(text)) throw malformed('a document type is not accepted');
  const valid = XMLValidator.validate(text);
  if (valid !== true) throw malformed(`${valid.err.msg} (line ${valid.err.line})`);
  let parsed: Raw;
  try {
    parsed = parser.parse(text) as Raw;
  } catch (fault) {
    if (fault instanceof Problem) throw fault;
    throw malformed('it cannot be read');
  }
  const roots = Object.entries(parsed).filter(([key]) => key !== TEXT && !key.startsWith('?'));
  const [root] = roots;
  const held = root === undefined ? undefined : Array.isArray(root[1]) ? root[1] : [root[1]];
  if (root === undefined || held === undefined || roots.length !== 1 || held.length !== 1)
    throw malformed('there must be exactly one root element');
  return nodeOf(root[0], held[0]);
}
