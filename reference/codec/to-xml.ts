import { LIST_ENVELOPE } from '../../lib/contract/list.ts';
import { escapeXml, resourceXml, xmlElement } from '../../lib/wire/xml.ts';
import type { Document, Fields } from '../seams.ts';

const SERVICE = 'ers.ise.cisco.com';

function attributes(fields: Fields): string {
  return Object.entries(fields)
    .filter(([, value]) => value !== undefined && value !== null && typeof value !== 'object')
    .map(([name, value]) => ` ${name}="${escapeXml(String(value))}"`)
    .join('');
}

function link(name: string, value: unknown): string {
  return value !== null && typeof value === 'object' ? `<${name}${attributes(value as Fields)}/>` : '';
}

/** A list in its recorded XML form: total, entries and links as attributes. */
function listXml(value: Fields): string {
  const { [LIST_ENVELOPE.items]: items, ...rest } = value;
  const entries = (Array.isArray(items) ? (items as readonly Fields[]) : []).map(
    (entry) => `<resource${attributes(entry)}>${link('link', entry['link'])}</resource>`,
  );
  const links = Object.entries(rest).map(([name, held]) => link(name, held));
  const inner = `<${LIST_ENVELOPE.items}>${entries.join('')}</${LIST_ENVELOPE.items}>${links.join('')}`;
  return `<ns0:searchResult xmlns:ns0="${SERVICE}"${attributes(rest)}>${inner}</ns0:searchResult>`;
}

/** A document as XML text. Lists and resources have their recorded form, the others one element for each member. */
export function toXml(document: Document): string {
  const head = '<?xml version="1.0" encoding="UTF-8"?>';
  if (document.root === LIST_ENVELOPE.root) return head + listXml(document.value);
  const { link: self, ...members } = document.value;
  const text = resourceXml(document.xml, members);
  const end = text.lastIndexOf('</');
  const linked = link('link', self) || xmlElement('link', self);
  return text.slice(0, end) + linked + text.slice(end);
}
