import { attributesXml, membersXml, rootXml, type XmlName, xmlElement } from './xml.ts';

type Fields = Readonly<Record<string, unknown>>;

/** The items of a bulk request. The specification shows no place for them (gap G-08); published definitions use this one. */
export interface BulkItems {
  readonly action: 'create' | 'update' | 'delete';
  /** Members of each record; of one to remove, its `id`. */
  readonly records: readonly Fields[];
}

/** Members of the JSON body that hold the items. */
export function bulkFields({ action, records }: BulkItems): Fields {
  if (action === 'delete') return { idList: { id: records.map(({ id }) => id) } };
  return { resourcesList: { resource: records } };
}

const ATTRIBUTES: ReadonlySet<string> = new Set(['name', 'description']);

/** The XML form of published definitions: the two listed members are attributes, and each item an element. */
export function bulkXml(root: XmlName, fields: Fields, { action, records }: BulkItems): string {
  const items =
    action === 'delete'
      ? records.map(({ id }) => xmlElement('id', id))
      : records.map((record) => `<ns0:resource${membersXml('ns0:resource', record, ATTRIBUTES)}`);
  const list = action === 'delete' ? 'ns0:idList' : 'ns0:resourcesList';
  const begin = rootXml(root) + attributesXml(Object.entries(fields));
  return `${begin}><${list}>${items.join('')}</${list}></ns0:${root.element}>`;
}
