import { LIST_ENVELOPE } from '../../lib/contract/list.ts';
import type { FamilyTable } from '../../lib/contract/types.ts';
import { isObject } from '../../lib/wire/answer.ts';
import { rootKey } from '../../lib/wire/request.ts';
import { escapeXml, resourceXml, xmlElement } from '../../lib/wire/xml.ts';
import { Problem, unsupportedHeader } from '../answers/problem.ts';
import type { Codec, Document, Fields, Seams } from '../seams.ts';
import { fieldsFromXml, readXml } from './read-xml.ts';

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

const invalid = (why: string) => new Problem(400, 'schema', `Resource Initialization Failed: Invalid JSON: ${why}`);

function parsed(text: string): Fields {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw invalid(text.trim() === '' ? 'the body is empty' : 'the body is not JSON');
  }
  if (!isObject(value)) throw invalid('the body is not an object');
  return value;
}

/** Media types of an Accept header in order of preference; the order of equal ones is kept. */
function accepted(accept: string): readonly string[] {
  return accept
    .split(',')
    .map((part) => {
      const [type = '', ...parameters] = part.split(';').map((piece) => piece.trim().toLowerCase());
      const quality = parameters.find((parameter) => parameter.startsWith('q='));
      return { type, quality: quality === undefined ? 1 : Number(quality.slice(2)) };
    })
    .filter(({ quality }) => quality > 0)
    .sort((a, b) => b.quality - a.quality)
    .map(({ type }) => type);
}

export function createCodec(table: FamilyTable, seams: Seams): Codec {
  return {
    // "contains application/xml", whatever its case and parameters: section "Conventions", point 3.
    formatOf: (contentType) => (contentType?.toLowerCase().includes('application/xml') ? 'xml' : 'json'),
    acceptOf: (accept) => {
      if (accept === undefined || accept.trim() === '') return 'json';
      for (const type of accepted(accept)) {
        if (type.endsWith('/json') || type.endsWith('+json') || type === '*/*' || type === 'application/*')
          return 'json';
        if (type.endsWith('/xml') || type.endsWith('+xml')) return 'xml';
      }
      throw unsupportedHeader('accept', accept);
    },
    unwrap: (root, document) => {
      const value = document[root];
      const [found, ...more] = Object.keys(document);
      if (found !== root || more.length > 0)
        throw invalid(`Unrecognized root '${[found, ...more].join("', '")}', expected '${root}'`);
      if (!isObject(value)) throw invalid(`the root '${root}' does not hold an object`);
      return value;
    },
    decode: (name, op, text, format) => {
      const family = table[name];
      const root = family === undefined ? null : rootKey(family, op);
      if (family === undefined || root === null) throw invalid('the operation takes no body');
      if (format === 'xml') return fieldsFromXml(family, op, readXml(text));
      return seams.codec.unwrap(root, parsed(text));
    },
    encode: (format, document) =>
      format === 'xml' ? toXml(document) : JSON.stringify({ [document.root]: document.value }),
  };
}
