import { fieldsOf } from '../../lib/contract/types.ts';
import { isObject } from '../../lib/wire/answer.ts';
import { invalidField, Problem } from '../answers/problem.ts';
import { refusing } from '../answers/responder.ts';
import { type Defect, defect } from '../deviation.ts';
import { headerOf } from '../http/wire.ts';
import { isListParameter } from '../query/plan.ts';
import { rangeOf } from '../rules.ts';
import type { Fields } from '../seams.ts';

const LISTED = 'propogateToApic';

/** What is sent under the dictionary's spelling, and nothing that is sent under the listed one. */
const respell = (fields: Fields): Fields =>
  Object.fromEntries(
    Object.entries(fields)
      .filter(([field]) => field !== LISTED)
      .map(([field, value]) => [field === 'propagateToApic' ? LISTED : field, value]),
  );

function asTexts(fields: Fields): Fields {
  const scalar = (value: unknown) => (typeof value === 'number' || typeof value === 'boolean' ? String(value) : value);
  return Object.fromEntries(Object.entries(fields).map(([field, value]) => [field, scalar(value)]));
}

function hasExtraParameter(query: string): boolean {
  return query
    .split('&')
    .map((part) => part.split('=')[0] ?? '')
    .some((name) => name !== '' && !isListParameter(name));
}

export const BODY_DEFECTS: readonly Defect[] = [
  defect(
    'M04',
    'a field whose listed name is misspelled is taken under the dictionary spelling only',
    ['RES-NAMES'],
    'codec',
    (inner) => ({
      decode: (name, op, text, format) => respell(inner.decode(name, op, text, format)),
    }),
  ),
  defect('M05', 'reads show numbers and booleans as texts', ['RES-TYPE'], 'present', (inner) => ({
    read: (name, record) => asTexts(inner.read(name, record)),
  })),
  defect('M06', '-1 is stored as it is', ['RES-SGTVAL'], () => ({
    rules: () => ({ fill: (_name, fields) => fields }),
  })),
  defect('M07', 'numbers outside their range are stored', ['LIM-SGT'], () => ({
    rules: () => ({ inRange: () => true }),
  })),
  defect('M08', 'the ends of a range are refused', ['RES-SGTVAL'], 'rules', (inner, kit) => ({
    check: (name, op, fields) => {
      for (const [field, { type }] of Object.entries(fieldsOf(kit.table[name])))
        if (rangeOf(type)?.includes(Number(fields[field]))) throw invalidField(field, 'it is at the end of its range');
      return inner.check(name, op, fields);
    },
  })),
  defect('M09', 'values outside a list of values are stored', ['RES-PTYPE'], () => ({
    rules: () => ({ isListed: () => true }),
  })),
  defect('M21', 'a body is taken without its root key only', ['RES-ROOT'], 'codec', () => ({
    unwrap: (root, document) => {
      if (root in document) throw new Problem(400, 'schema', `Invalid JSON: Unrecognized field '${root}'`);
      return document;
    },
  })),
  defect('M22', 'the root key of a body is not looked at', ['RES-ROOT'], 'codec', (inner) => ({
    unwrap: (root, document) => {
      const [value, ...more] = Object.values(document);
      return more.length === 0 && isObject(value) ? value : inner.unwrap(root, document);
    },
  })),
  defect('M23', 'application/xml is not recognized when it has parameters', ['CNV-XML'], 'codec', () => ({
    formatOf: (contentType) => (contentType === 'application/xml' ? 'xml' : 'json'),
  })),
  defect('M24', 'description is lost from XML bodies', ['CNV-XML', 'PAY-C'], 'codec', (inner) => ({
    decode: (name, op, text, format) => {
      const { description, ...fields } = inner.decode(name, op, text, format);
      return format === 'xml' || description === undefined ? fields : { ...fields, description };
    },
  })),
  defect(
    'M25',
    'a JSON body is refused without Content-Type and under text/plain',
    ['CNV-XML', 'CNV-HDR'],
    'codec',
    (inner) => ({
      formatOf: (contentType) => {
        if (contentType === undefined || /^text\//i.test(contentType))
          throw new Problem(415, 'media', `Illegal Request Header: 'content-type' is '${contentType ?? ''}'`);
        return inner.formatOf(contentType);
      },
    }),
  ),
  defect(
    'M26',
    'a query parameter that is not listed is refused',
    ['CNV-EXTRA'],
    refusing(({ request }) =>
      hasExtraParameter(request.query) ? new Problem(400, 'query', 'Unknown query parameter') : undefined,
    ),
  ),
  defect(
    'M58',
    'a request with ERS-Media-Type is refused',
    ['CNV-HDR'],
    refusing(({ request }) =>
      headerOf(request, 'ers-media-type') === undefined
        ? undefined
        : new Problem(400, 'media', 'Illegal Request Header: ers-media-type'),
    ),
  ),
];
