import type { NamedDeviation } from '../../reference/deviation.ts';
import { textOf } from '../../reference/query/compare.ts';
import type { Fields, Wraps } from '../../reference/seams.ts';
import { arrayList } from '../../reference/store/record.ts';

/** Texts of all members, changed. */
const eachText =
  (change: (text: string) => string) =>
  (fields: Fields): Fields =>
    Object.fromEntries(
      Object.entries(fields).map(([member, value]) => [
        member,
        typeof value === 'string' && member !== 'id' ? change(value) : value,
      ]),
    );

const stored = (change: (text: string) => string): Wraps => ({
  store: (inner) => ({
    create: (name, fields) => inner.create(name, eachText(change)(fields)),
    update: (name, id, fields) => inner.update(name, id, eachText(change)(fields)),
  }),
});

const compared = (change: (text: string) => string): Wraps => ({
  query: (inner) => ({
    shortcut: () => undefined,
    holds: (record, criterion) => {
      const value = record[criterion.member];
      if (typeof value !== 'string') return inner.holds(record, criterion);
      return inner.holds(
        { ...record, [criterion.member]: change(value) },
        { ...criterion, value: change(criterion.value) },
      );
    },
  }),
});

const collator = new Intl.Collator('de', { sensitivity: 'base', ignorePunctuation: true, numeric: true });

/** GT, LT and sorting by a collation; the other operators are left as they are. */
const collated: Wraps = {
  query: (inner) => ({
    holds: (record, criterion) => {
      const value = record[criterion.member];
      if (typeof value !== 'string' || (criterion.operator !== 'GT' && criterion.operator !== 'LT'))
        return inner.holds(record, criterion);
      const order = collator.compare(value, criterion.value);
      return criterion.operator === 'GT' ? order > 0 : order < 0;
    },
    order: (plan) => {
      const order = inner.order(plan);
      const { sort } = plan;
      if (order === undefined || sort === undefined) return order;
      return (a, b) => {
        const [left, right] = [a[sort.member], b[sort.member]];
        if (typeof left !== 'string' || typeof right !== 'string') return order(a, b);
        return collator.compare(left, right) * (sort.descending ? -1 : 1);
      };
    },
  }),
};

const onXml = (change: (text: string) => string): Wraps => ({
  codec: (inner) => ({
    encode: (format, document) =>
      format === 'xml' ? change(inner.encode(format, document)) : inner.encode(format, document),
  }),
});

/** A capped page, whatever is asked for. */
const capped = (most: number): Wraps => ({
  query: (inner) => ({
    plan: (name, pairs) => {
      const plan = inner.plan(name, pairs);
      return { ...plan, size: Math.min(plan.size, most) };
    },
  }),
});

const withoutAccents = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

/** What a deployment may do beyond the published variations: choices that the specification leaves open. */
const CHOICES: Readonly<Record<string, readonly [title: string, wraps: Wraps]>> = {
  trims: ['blanks at the ends are not stored', stored((text) => text.trim())],
  composes: ['texts are stored composed', stored((text) => text.normalize('NFC'))],
  decomposes: [
    'texts are stored and compared decomposed',
    { ...stored((text) => text.normalize('NFD')), ...compared((text) => text.normalize('NFD')) },
  ],
  'no-empty': [
    'empty texts are not stored',
    {
      store: (inner) => ({
        create: (name, fields) =>
          inner.create(name, Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== ''))),
      }),
    },
  ],
  upper: ['texts are compared in capitals', compared((text) => text.toUpperCase())],
  lower: ['texts are compared in small letters', compared((text) => text.toLowerCase())],
  'ascii-lower': [
    'letters of ASCII are compared in small letters',
    compared((text) => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())),
  ],
  accents: ['texts are compared without accents and case', compared(withoutAccents)],
  'accents-only': [
    'texts are compared without accents',
    compared((text) => text.normalize('NFD').replace(/\p{M}/gu, '')),
  ],
  nfc: ['texts are compared composed', compared((text) => text.normalize('NFC'))],
  'trimmed-operand': ['texts are compared without blanks at their ends', compared((text) => text.trim() || text)],
  collated: ['texts are ordered by a collation', collated],
  'number-texts': [
    'numbers are compared as written by EQ and NEQ',
    {
      query: (inner) => ({
        holds: (record, criterion) => {
          const value = record[criterion.member];
          if (typeof value !== 'number' || !['EQ', 'NEQ'].includes(criterion.operator))
            return inner.holds(record, criterion);
          return (textOf(value) === criterion.value) === (criterion.operator === 'EQ');
        },
      }),
    },
  ],
  capped: ['a page holds two records at most', capped(2)],
  'newest-first': [
    'lists begin with the newest record',
    {
      query: (inner) => ({
        select: async (name, plan) => {
          const list = await inner.select(name, plan);
          return plan.sort === undefined ? arrayList([...list.slice(0, list.length)].reverse()) : list;
        },
      }),
    },
  ],
  'bare-entries': ['entries are ids alone', { present: () => ({ entry: (_name, { id }) => ({ id }) }) }],
  'bare-xml': ['XML answers lack the description', onXml((xml) => xml.replace(/ description="[^"]*"/, ''))],
  'empty-xml': [
    'XML answers show an empty description',
    onXml((xml) => xml.replace(/ description="[^"]*"/, ' description=""')),
  ],
  'coded-xml': [
    'XML answers code what is beyond ASCII',
    onXml((xml) => xml.replace(/[^\p{ASCII}]/gu, (sign) => `&#${sign.codePointAt(0)};`)),
  ],
  'lists-reversed': [
    'lists in records are shown in another order',
    {
      present: (inner) => ({
        read: (name, record) =>
          Object.fromEntries(
            Object.entries(inner.read(name, record)).map(([member, value]) => [
              member,
              Array.isArray(value) ? [...value].reverse() : value,
            ]),
          ),
      }),
    },
  ],
};

export const ALLOWED: readonly NamedDeviation[] = Object.entries(CHOICES).map(([id, [title, wraps]]) => ({
  ...{ id, title },
  install: () => wraps,
}));
