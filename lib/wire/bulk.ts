import { escapeXml, type XmlName, xmlElement } from './xml.ts';

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

const ATTRIBUTES = ['name', 'description'];

/** The XML form of published definitions: the two listed members are attributes, and each item an element. */
export function bulkXml({ element, namespace }: XmlName, fields: Fields, { action, records }: BulkItems): string {
  const items =
    action === 'delete'
      ? records.map(({ id }) => xmlElement('id', id))
      : records.map((record) => {
          const attributes = ATTRIBUTES.flatMap((member) =>
            typeof record[member] === 'string' ? [` ${member}="${escapeXml(record[member])}"`] : [],
          );
          const members = Object.entries(record).filter(([member]) => !ATTRIBUTES.includes(member));
          const inner = members.map(([member, value]) => xmlElement(member, value)).join('');
          return `<ns0:resource${attributes.join('')}>${inner}</ns0:resource>`;
        });
  const listed = Object.entries(fields).map(([member, value]) => ` ${member}="${escapeXml(String(value))}"`);
  const list = action === 'delete' ? 'idList' : 'resourcesList';
  return (
    `<?xml version="1.0" encoding="UTF-8"?><ns0:${element} xmlns:ns0="${escapeXml(namespace)}"${listed.join('')}>` +
    `<ns0:${list}>${items.join('')}</ns0:${list}></ns0:${element}>`
  );
}
