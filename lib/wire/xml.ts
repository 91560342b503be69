/** Members that the XML form carries as attributes of the root element. */
const ATTRIBUTES: ReadonlySet<string> = new Set(['id', 'name', 'description']);

export interface XmlName {
  readonly element: string;
  readonly namespace: string;
}

/** Text with the five XML characters replaced; characters XML 1.0 cannot hold are dropped. */
export function escapeXml(text: string): string {
  return (
    text
      // biome-ignore lint/suspicious/noControlCharactersInRegex: XML 1.0 forbids exactly these
      .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '')
      .replace(/[&<>"'\t\r\n]/g, (character) => REPLACEMENTS[character] ?? `&#${character.charCodeAt(0)};`)
  );
}

const REPLACEMENTS: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

/** A member as elements: lists repeat the element, objects nest, nothing for undefined. */
export function xmlElement(name: string, value: unknown): string {
  if (value === undefined || value === null) return '';
  if (Array.isArray(value)) return value.map((item) => xmlElement(name, item)).join('');
  if (typeof value === 'object') {
    const inner = Object.entries(value).map(([member, held]) => xmlElement(member, held));
    return `<${name}>${inner.join('')}</${name}>`;
  }
  return `<${name}>${escapeXml(String(value))}</${name}>`;
}

const attributesXml = (entries: readonly (readonly [string, unknown])[]): string =>
  entries.map(([name, value]) => ` ${name}="${escapeXml(String(value))}"`).join('');

/** The beginning of a document, up to the attributes of its root. */
const rootXml = ({ element, namespace }: XmlName): string =>
  `<?xml version="1.0" encoding="UTF-8"?><ns0:${element} xmlns:ns0="${escapeXml(namespace)}"`;

/** What follows the name of an element: listed members as attributes, the others as child elements, and its end. */
function membersXml(name: string, fields: Readonly<Record<string, unknown>>, listed: ReadonlySet<string>): string {
  const supplied = Object.entries(fields).filter(([, value]) => value !== undefined && value !== null);
  const isAttribute = ([member, value]: readonly [string, unknown]) => listed.has(member) && typeof value !== 'object';
  const children = supplied.filter((each) => !isAttribute(each)).map(([member, value]) => xmlElement(member, value));
  return `${attributesXml(supplied.filter(isAttribute))}>${children.join('')}</${name}>`;
}

/** A resource as an XML document. The specification says "XML text" and no more; the form is that of real clients. */
export const resourceXml = (name: XmlName, fields: Readonly<Record<string, unknown>>): string =>
  rootXml(name) + membersXml(`ns0:${name.element}`, fields, ATTRIBUTES);

type Fields = Readonly<Record<string, unknown>>;

/** The items of a bulk request. The specification shows no place for them (gap G-08); published definitions use this one. */
export interface BulkItems {
  readonly action: 'create' | 'update' | 'delete';
  readonly records: readonly Fields[];
}

/** Members of the JSON body that hold the items. */
export function bulkFields({ action, records }: BulkItems): Fields {
  if (action === 'delete') return { idList: { id: records.map(({ id }) => id) } };
  return { resourcesList: { resource: records } };
}

const ITEM_ATTRIBUTES: ReadonlySet<string> = new Set(['name', 'description']);

/** The XML form of published definitions: the two listed members are attributes, and each item an element. */
export function bulkXml(root: XmlName, fields: Fields, { action, records }: BulkItems): string {
  const items =
    action === 'delete'
      ? records.map(({ id }) => xmlElement('id', id))
      : records.map((record) => `<ns0:resource${membersXml('ns0:resource', record, ITEM_ATTRIBUTES)}`);
  const list = action === 'delete' ? 'ns0:idList' : 'ns0:resourcesList';
  const begin = rootXml(root) + attributesXml(Object.entries(fields));
  return `${begin}><${list}>${items.join('')}</${list}></ns0:${root.element}>`;
}
