import { fieldsOf } from '../../lib/contract/types.ts';
import { isObject } from '../../lib/wire/answer.ts';
import { invalidField, Problem } from '../answers/problem.ts';
import { refusing } from '../answers/responder.ts';
import { type Defect, defect, withFields } from '../deviation.ts';
import { headerOf } from '../http/wire.ts';
import { isListParameter } from '../query/plan.ts';
import { rangeOf } from '../rules.ts';
import type { Fields, Kit, Store } from '../seams.ts';
import { allOf, changesOf, nameOf } from '../store/store.ts';

const DROPPED = 'description';

const spoiled = (text: string) =>
  text
    .trim()
    .replace(/[^ -~]/g, '?')
    .replace(/ {2,}/g, ' ');

/** Strings of listed text fields, spoiled; those with a form or a list of values are left alone. */
function spoilTexts(kit: Kit, name: string, fields: Fields): Fields {
  const rows = fieldsOf(kit.table[name]);
  return Object.fromEntries(
    Object.entries(fields).map(([field, value]) => {
      const row = rows[field];
      const plain = row?.type === 'string' && row.form === undefined && typeof value === 'string';
      return [field, plain ? spoiled(value) : value];
    }),
  );
}

function removeAlike(kit: Kit, store: Store, family: string, removed: Fields): void {
  const name = nameOf(family, removed);
  if (name === '') return;
  const own = allOf(store.list(family)).filter((record) => nameOf(family, record).startsWith(name));
  for (const { id } of own) void store.remove(family, id);
  for (const other of Object.keys(kit.table).filter((key) => key !== family && kit.table[key]?.viewOf === undefined)) {
    const twins = allOf(store.list(other)).filter((record) => nameOf(other, record) === name);
    for (const { id } of twins) void store.remove(other, id);
  }
}

export const RECORD_DEFECTS: readonly Defect[] = [
  defect('M01', 'create answers success and stores nothing', ['SVC-1', 'OP-*-C'], 'store', () => ({
    create: (_name, fields) => ({ id: crypto.randomUUID(), ...fields }),
  })),
  defect('M02', `create drops ${DROPPED}`, ['PAY-C'], 'store', (inner) => ({
    create: (name, { [DROPPED]: _dropped, ...fields }) => inner.create(name, fields),
  })),
  defect(
    'M03',
    'create and update trim texts and spoil every character beyond ASCII',
    ['PAY-C', 'RES-TYPE'],
    'store',
    (inner, kit) => withFields((_kind, name, fields) => spoilTexts(kit, name, fields))(inner),
  ),
  defect('M10', 'update answers success and changes nothing', ['OP-*-U', 'PAY-U'], 'store', (inner) => ({
    update: (name, id, fields) => changesOf(inner.get(name, id) ?? { id }, fields),
  })),
  defect('M11', `update also writes ${DROPPED} into the record created before`, ['OP-*-U'], 'store', (inner) => ({
    update: async (name, id, fields) => {
      const all = allOf(inner.list(name));
      const sibling = all[all.findIndex((record) => record.id === id) - 1];
      if (sibling !== undefined && fields[DROPPED] !== undefined)
        await inner.update(name, sibling.id, { [DROPPED]: fields[DROPPED] });
      return inner.update(name, id, fields);
    },
  })),
  defect('M12', 'update creates a second record', ['OP-*-U', 'CNV-VERB'], 'store', (inner) => ({
    update: async (name, id, fields) => {
      const changes = await inner.update(name, id, fields);
      const { id: _id, ...copy } = inner.get(name, id) ?? { id };
      await inner.create(name, copy);
      return changes;
    },
  })),
  defect('M13', 'delete answers success and the record stays', ['OP-*-D', 'SVC-1'], () => ({
    store: (inner) => ({ remove: (name, id) => inner.get(name, id) !== undefined }),
  })),
  defect(
    'M14',
    'delete removes every record whose name begins alike, and those of that name in other families',
    ['OP-*-D'],
    'store',
    (inner, kit) => ({
      remove: async (name, id) => {
        const record = inner.get(name, id);
        const removed = await inner.remove(name, id);
        if (record !== undefined) removeAlike(kit, inner, name, record);
        return removed;
      },
    }),
  ),
  defect('M15', 'a deleted record is gone by id and still listed', ['SVC-1', 'OP-*-D'], 'store', (inner) => {
    const gone = new Set<string>();
    return {
      get: (name, id) => (gone.has(id) ? undefined : inner.get(name, id)),
      remove: (name, id) => {
        if (inner.get(name, id) === undefined || gone.has(id)) return false;
        gone.add(id);
        return true;
      },
    };
  }),
  defect('M16', 'reads show the id as a number', ['RES-ID'], 'present', (inner) => ({
    read: (name, record) => ({ ...inner.read(name, record), id: Number.parseInt(record.id.slice(0, 8), 16) }),
  })),
  defect('M17', 'a read by id always answers with the first record', ['OP-*-R'], 'lookup', (inner, kit) => ({
    byId: (name, id) => (inner.byId(name, id) === undefined ? undefined : kit.seams.store.list(name).slice(0, 1)[0]),
  })),
];

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
      [...new URLSearchParams(request.query).keys()].some((name) => !isListParameter(name))
        ? new Problem(400, 'query', 'Unknown query parameter')
        : undefined,
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
