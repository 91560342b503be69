import type { FamilyTable } from '../../lib/contract/types.ts';
import { isObject } from '../../lib/wire/answer.ts';
import { rootKey } from '../../lib/wire/request.ts';
import { Problem, unsupportedHeader } from '../answers/problem.ts';
import type { Codec, Fields, Seams } from '../seams.ts';
import { fieldsFromXml } from './from-xml.ts';
import { readXml } from './read-xml.ts';
import { toXml } from './to-xml.ts';

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
