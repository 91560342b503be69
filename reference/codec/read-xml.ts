import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { ANC_DATA_FIELD, BULK_FIELDS, OPS } from '../../lib/contract/operations.ts';
import { type Family, type Field, type FieldType, fieldsOf, isNumber, type Op } from '../../lib/contract/types.ts';
import { defined } from '../../lib/defined.ts';
import { Problem } from '../answers/problem.ts';
import { typesOf } from '../rules.ts';
import type { Fields } from '../seams.ts';

/** An element: its attributes by local name, its child elements in order of first appearance, its own text. */
interface XmlNode {
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

function childrenOf(node: XmlNode): readonly XmlNode[] {
  return Object.values(node.children).flat();
}

/** Texts that can only be a boolean or an integer become one: inside objects whose members are not shown. */
function freeScalar(text: string): unknown {
  if (text === 'true' || text === 'false') return text === 'true';
  return /^(0|-?[1-9]\d{0,14})$/.test(text) ? Number(text) : text;
}

type Members = Readonly<Record<string, Field>>;

function freeValue(node: XmlNode, members: Members = {}): unknown {
  const attributes = Object.entries(node.attributes);
  const children = Object.entries(node.children);
  if (attributes.length === 0 && children.length === 0) return freeScalar(node.text);
  return Object.fromEntries([
    ...attributes.map(([name, text]) => [name, freeScalar(text)] as const),
    ...children.map(([name, nodes]) => {
      const field = Object.hasOwn(members, name) ? members[name] : undefined;
      if (field !== undefined) return [name, memberValue(field.type, nodes, field.members)] as const;
      const [only] = nodes;
      return [name, nodes.length === 1 && only ? freeValue(only) : nodes.map((each) => freeValue(each))] as const;
    }),
  ]);
}

/** An empty element of an object field is an object without members. */
function objectValue(node: XmlNode, members?: Members): unknown {
  const value = freeValue(node, members);
  return value === '' ? {} : value;
}

/** Text in the type of its field; left as it is where it cannot be, for the rules to refuse. */
function typedText(type: FieldType, text: string): unknown {
  if (type === 'boolean') return text === 'true' ? true : text === 'false' ? false : text;
  return isNumber(type) && /^\s*-?\d{1,15}(?:\.\d{1,15})?\s*$/.test(text) ? Number(text) : text;
}

function memberValue(type: FieldType, nodes: readonly XmlNode[], members?: Members): unknown {
  const [first] = nodes;
  // A list of one item is a list: the field table says so, the document cannot.
  if (type === 'object[]') return nodes.map((node) => objectValue(node, members));
  if (type === 'string[]') return nodes.map((node) => node.text);
  if (first === undefined) return undefined;
  if (nodes.length > 1)
    throw new Problem(400, 'schema', `Invalid XML: the element ${first.name} occurs more than once`);
  if (type === 'object') return objectValue(first, members);
  return typedText(type, first.text);
}

function resourceFields(family: Family, root: XmlNode): Fields {
  const types = typesOf(family.name, family);
  const rows = fieldsOf(family);
  const found: Record<string, unknown> = {};
  for (const [field, text] of Object.entries(root.attributes)) {
    if (Object.hasOwn(types, field)) found[field] = typedText(types[field] ?? 'string', text);
  }
  for (const [field, nodes] of Object.entries(root.children)) {
    if (field !== 'link') found[field] = memberValue(types[field] ?? 'string', nodes, rows[field]?.members);
  }
  return found;
}

/** The items of an apply or clear: name and value as attributes or elements, under either of the two recorded names. */
function ancFields(root: XmlNode): Fields {
  const direct = root.children[ANC_DATA_FIELD] ?? [];
  const nested = (root.children['requestAdditionalAttributes'] ?? []).flatMap(childrenOf);
  const part = (node: XmlNode, name: string) => node.attributes[name] ?? node.children[name]?.[0]?.text;
  const items = [...direct, ...nested].flatMap((node) =>
    part(node, 'name') === undefined && childrenOf(node).length > 0 ? childrenOf(node) : [node],
  );
  return { [ANC_DATA_FIELD]: items.map((node) => ({ name: part(node, 'name'), value: part(node, 'value') })) };
}

function bulkFields(family: Family, root: XmlNode): Fields {
  const member = (field: string) => root.attributes[field] ?? root.children[field]?.[0]?.text;
  const lists = (field: string) => (root.children[field] ?? []).flatMap(childrenOf);
  return {
    ...Object.fromEntries(Object.keys(BULK_FIELDS).map((field) => [field, member(field)])),
    ...(root.children['resourcesList'] === undefined
      ? {}
      : { resourcesList: lists('resourcesList').map((node) => resourceFields(family, node)) }),
    ...defined({ idList: root.children['idList'] && lists('idList').map((node) => node.text) }),
  };
}

function checkRoot(family: Family, op: Op, root: XmlNode): void {
  const kind = OPS[op].body ?? 'resource';
  const accepted = [family.roots[kind], family.name, ...(kind === 'bulk' ? ['bulkRequest'] : [])];
  const local = root.name.toLowerCase();
  const known = accepted.some((candidate) => candidate?.toLowerCase() === local);
  if (!known && !(kind === 'bulk' && local.endsWith('bulkrequest')))
    throw new Problem(400, 'schema', `Invalid XML: Unrecognized root element '${root.name}'`);
}

/** Members of an XML body, typed by the field table; a field may be an attribute or a child element. */
export function fieldsFromXml(family: Family, op: Op, root: XmlNode): Fields {
  checkRoot(family, op, root);
  if (OPS[op].body === 'anc') return ancFields(root);
  if (OPS[op].body === 'bulk') return bulkFields(family, root);
  return resourceFields(family, root);
}
