import { fieldsOf } from '../../lib/contract/types.ts';
import { invalidField, Problem } from '../answers/problem.ts';
import { problemOutcome } from '../answers/responder.ts';
import { isObject } from '../codec/codec.ts';
import { headerOf } from '../http/wire.ts';
import { type Fields, type Kit, wrap } from '../seams.ts';
import type { Defect } from './defect.ts';

/** Listed spelling → the dictionary's. */
const RESPELLED: Readonly<Record<string, string>> = { propogateToApic: 'propagateToApic' };

function respell(fields: Fields): Fields {
  const entries = Object.entries(fields).filter(([field]) => !(field in RESPELLED));
  const back = Object.fromEntries(Object.entries(RESPELLED).map(([listed, other]) => [other, listed]));
  return Object.fromEntries(entries.map(([field, value]) => [back[field] ?? field, value]));
}

/** Numbers and booleans of a record as texts. */
function asTexts(fields: Fields): Fields {
  const scalar = (value: unknown) => (typeof value === 'number' || typeof value === 'boolean' ? String(value) : value);
  return Object.fromEntries(Object.entries(fields).map(([field, value]) => [field, scalar(value)]));
}

function rangesOf(kit: Kit, name: string): readonly (readonly [string, readonly [number, number]])[] {
  const family = kit.table[name];
  return Object.entries(family === undefined ? {} : fieldsOf(family)).flatMap(([field, { type }]) =>
    typeof type === 'object' && 'range' in type ? [[field, type.range] as const] : [],
  );
}

const refuseAll = (kit: Kit, when: (call: Parameters<Kit['seams']['front']['handle']>[0]) => Problem | undefined) => ({
  front: (inner: Kit['seams']['front']) => ({
    handle: (call: Parameters<Kit['seams']['front']['handle']>[0]) => {
      const problem = when(call);
      return problem === undefined
        ? inner.handle(call)
        : kit.seams.responder.answer(problemOutcome(problem, call), call);
    },
  }),
});

const KNOWN_PARAMETERS = new Set(['page', 'size', 'sortasc', 'sortdsc', 'filter', 'filtertype']);

function hasExtraParameter(query: string): boolean {
  return query
    .split('&')
    .map((part) => part.split('=')[0]?.toLowerCase() ?? '')
    .some((name) => name !== '' && !KNOWN_PARAMETERS.has(name));
}

/** Defects of fields, values, bodies and conventions. */
export const BODY_DEFECTS: readonly Defect[] = [
  {
    id: 'M04',
    title: 'a field whose listed name is misspelled is taken under the dictionary spelling only',
    violates: ['RES-NAMES'],
    install: wrap('codec', (inner) => ({
      decode: (name, op, text, format) => respell(inner.decode(name, op, text, format)),
    })),
  },
  {
    id: 'M05',
    title: 'reads show numbers and booleans as texts',
    violates: ['RES-TYPE'],
    install: wrap('present', (inner) => ({ read: (name, record) => asTexts(inner.read(name, record)) })),
  },
  {
    id: 'M06',
    title: '-1 is stored as it is',
    violates: ['RES-SGTVAL'],
    install: () => ({ rules: () => ({ fill: (_name, fields) => fields }) }),
  },
  {
    id: 'M07',
    title: 'numbers outside their range are stored',
    violates: ['LIM-SGT'],
    install: () => ({ rules: () => ({ inRange: () => true }) }),
  },
  {
    id: 'M08',
    title: 'the ends of a range are refused',
    violates: ['RES-SGTVAL'],
    install: wrap('rules', (inner, kit) => ({
      check: (name, op, fields) => {
        for (const [field, range] of rangesOf(kit, name))
          if (range.includes(Number(fields[field]))) throw invalidField(field, 'it is at the end of its range');
        return inner.check(name, op, fields);
      },
    })),
  },
  {
    id: 'M09',
    title: 'values outside a list of values are stored',
    violates: ['RES-PTYPE'],
    install: () => ({ rules: () => ({ isListed: () => true }) }),
  },
  {
    id: 'M21',
    title: 'a body is taken without its root key only',
    violates: ['RES-ROOT'],
    install: wrap('codec', () => ({
      unwrap: (root, document) => {
        if (root in document) throw new Problem(400, 'schema', `Invalid JSON: Unrecognized field '${root}'`);
        return document;
      },
    })),
  },
  {
    id: 'M22',
    title: 'the root key of a body is not looked at',
    violates: ['RES-ROOT'],
    install: wrap('codec', (inner) => ({
      unwrap: (root, document) => {
        const [value, ...more] = Object.values(document);
        return more.length === 0 && isObject(value) ? value : inner.unwrap(root, document);
      },
    })),
  },
  {
    id: 'M23',
    title: 'application/xml is not recognized when it has parameters',
    violates: ['CNV-XML'],
    install: wrap('codec', () => ({ formatOf: (contentType) => (contentType === 'application/xml' ? 'xml' : 'json') })),
  },
  {
    id: 'M24',
    title: 'description is lost from XML bodies',
    violates: ['CNV-XML', 'PAY-C'],
    install: wrap('codec', (inner) => ({
      decode: (name, op, text, format) => {
        const { description, ...fields } = inner.decode(name, op, text, format);
        return format === 'xml' || description === undefined ? fields : { ...fields, description };
      },
    })),
  },
  {
    id: 'M25',
    title: 'a JSON body is refused without Content-Type and under text/plain',
    violates: ['CNV-XML', 'CNV-HDR'],
    install: wrap('codec', (inner) => ({
      formatOf: (contentType) => {
        if (contentType === undefined || /^text\//i.test(contentType))
          throw new Problem(415, 'media', `Illegal Request Header: 'content-type' is '${contentType ?? ''}'`);
        return inner.formatOf(contentType);
      },
    })),
  },
  {
    id: 'M26',
    title: 'a query parameter that is not listed is refused',
    violates: ['CNV-EXTRA'],
    install: (kit) =>
      refuseAll(kit, ({ request }) =>
        hasExtraParameter(request.query) ? new Problem(400, 'query', 'Unknown query parameter') : undefined,
      ),
  },
  {
    id: 'M58',
    title: 'a request with ERS-Media-Type is refused',
    violates: ['CNV-HDR'],
    install: (kit) =>
      refuseAll(kit, ({ request }) =>
        headerOf(request, 'ers-media-type') === undefined
          ? undefined
          : new Problem(400, 'media', 'Illegal Request Header: ers-media-type'),
      ),
  },
];
