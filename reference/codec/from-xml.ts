import { ANC_DATA_FIELD, BULK_FIELDS, OPS } from '../../lib/contract/operations.ts';
import { type Family, type Field, type FieldType, fieldsOf, isNumber, type Op } from '../../lib/contract/types.ts';
import { defined } from '../../lib/defined.ts';
import { Problem } from '../answers/problem.ts';
import { typesOf } from '../rules.ts';
import type { Fields } from '../seams.ts';
import type { XmlNode } from './read-xml.ts';

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
