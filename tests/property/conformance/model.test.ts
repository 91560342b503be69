import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type NamedDeviation, withFields } from '../../../reference/deviation.ts';
import { textOf } from '../../../reference/query/plan.ts';
import type { Fields, Seams, Wraps } from '../../../reference/seams.ts';
import { arrayList } from '../../../reference/store/store.ts';
import { VARIATIONS } from '../../../reference/variations/table.ts';
import { judged } from '../../helpers/histories.ts';
import { inProcess } from '../../helpers/in-process.ts';
import { type Played, type Pool, type Program, playAll, programs, questionsOf } from '../../helpers/programs.ts';

const members = (fields: Fields, change: (value: unknown, member: string) => unknown): Fields =>
  Object.fromEntries(Object.entries(fields).map(([member, value]) => [member, change(value, member)]));

type Change = (text: string) => string;
/** Texts of all members but the id are stored changed. */
const stored = (change: Change): Wraps => ({
  store: withFields((_kind, _name, fields) =>
    members(fields, (value, member) => (typeof value === 'string' && member !== 'id' ? change(value) : value)),
  ),
});

type Criterion = Parameters<Seams['query']['holds']>[1];
/** Decides of the values of one kind that filters ask for; undefined: as it is usual. */
const deciding = (decide: (value: unknown, criterion: Criterion) => boolean | undefined): Wraps => ({
  query: (inner) => ({
    holds: (record, criterion) => decide(record[criterion.member], criterion) ?? inner.holds(record, criterion),
  }),
});

const compared = (change: Change): Wraps => ({
  query: (inner) => ({
    shortcut: () => undefined,
    holds: (record, criterion) => {
      const { member, value } = criterion;
      const held = record[member];
      if (typeof held !== 'string') return inner.holds(record, criterion);
      return inner.holds({ ...record, [member]: change(held) }, { ...criterion, value: change(value) });
    },
  }),
});

const collator = new Intl.Collator('de', { sensitivity: 'base', ignorePunctuation: true, numeric: true });

/** GT, LT and sorting by a collation; the other operators are left as they are. */
const collated: Wraps = {
  query: (inner) => ({
    ...deciding((value, { operator, value: operand }) => {
      if (typeof value !== 'string' || (operator !== 'GT' && operator !== 'LT')) return undefined;
      const order = collator.compare(value, operand);
      return operator === 'GT' ? order > 0 : order < 0;
    }).query?.(inner),
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

const numberTexts = deciding((value, { operator, value: operand }) =>
  typeof value === 'number' && ['EQ', 'NEQ'].includes(operator)
    ? (textOf(value) === operand) === (operator === 'EQ')
    : undefined,
);

const onXml = (change: Change): Wraps => ({
  codec: (inner) => ({
    encode: (format, document) => (format === 'xml' ? change : String)(inner.encode(format, document)),
  }),
});

/** A page of two records, whatever is asked for. */
const capped: Wraps = {
  query: (inner) => ({
    plan: (name, pairs) => {
      const plan = inner.plan(name, pairs);
      return { ...plan, size: Math.min(plan.size, 2) };
    },
  }),
};

const newestFirst: Wraps = {
  query: (inner) => ({
    select: async (name, plan) => {
      const list = await inner.select(name, plan);
      return plan.sort === undefined ? arrayList([...list.slice(0, list.length)].reverse()) : list;
    },
  }),
};

const reversed: Wraps = {
  present: (inner) => ({
    read: (name, record) =>
      members(inner.read(name, record), (value) => (Array.isArray(value) ? [...value].reverse() : value)),
  }),
};

const noEmpty: Wraps = {
  store: (inner) => ({
    create: (name, fields) =>
      inner.create(name, Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== ''))),
  }),
};

const bareAccents: Change = (text) => text.normalize('NFD').replace(/\p{M}/gu, '');
const decomposed: Change = (text) => text.normalize('NFD');
const asciiLower: Change = (text) => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
const describedAs =
  (attribute: string): Change =>
  (xml) =>
    xml.replace(/ description="[^"]*"/, attribute);
const coded: Change = (xml) => xml.replace(/[^\p{ASCII}]/gu, (sign) => `&#${sign.codePointAt(0)};`);

/** What a deployment may do beyond the published variations: choices that the specification leaves open. */
const CHOICES: Readonly<Record<string, readonly [title: string, wraps: Wraps]>> = {
  trims: ['blanks at the ends are not stored', stored((text) => text.trim())],
  composes: ['texts are stored composed', stored((text) => text.normalize('NFC'))],
  decomposes: ['texts are stored and compared decomposed', { ...stored(decomposed), ...compared(decomposed) }],
  'no-empty': ['empty texts are not stored', noEmpty],
  upper: ['texts are compared in capitals', compared((text) => text.toUpperCase())],
  lower: ['texts are compared in small letters', compared((text) => text.toLowerCase())],
  'ascii-lower': ['letters of ASCII are compared in small letters', compared(asciiLower)],
  accents: ['texts are compared without accents and case', compared((text) => bareAccents(text).toLowerCase())],
  'accents-only': ['texts are compared without accents', compared(bareAccents)],
  nfc: ['texts are compared composed', compared((text) => text.normalize('NFC'))],
  'trimmed-operand': ['texts are compared without blanks at their ends', compared((text) => text.trim() || text)],
  collated: ['texts are ordered by a collation', collated],
  'number-texts': ['numbers are compared as written by EQ and NEQ', numberTexts],
  capped: ['a page holds two records at most', capped],
  'newest-first': ['lists begin with the newest record', newestFirst],
  'bare-entries': ['entries are ids alone', { present: () => ({ entry: (_name, { id }) => ({ id }) }) }],
  'bare-xml': ['XML answers lack the description', onXml(describedAs(''))],
  'empty-xml': ['XML answers show an empty description', onXml(describedAs(' description=""'))],
  'coded-xml': ['XML answers code what is beyond ASCII', onXml(coded)],
  'lists-reversed': ['lists in records are shown in another order', reversed],
};

const ALLOWED: readonly NamedDeviation[] = Object.entries(CHOICES).map(([id, [title, wraps]]) => ({
  ...{ id, title },
  install: () => wraps,
}));

/** Texts with everything that deployments have been seen to confuse. */
const TEXTS = [
  ...['beta', 'Beta', 'betamax', 'xbeta', 'alpha', 'aab', 'zeta10', 'zeta9', 'a.b', 'axb', 'al%ha', 'al_ha', 'alXha'],
  ...['M\u00fcller', 'Mu\u0308ller', 'muller', 'stra\u00dfe', 'STRASSE', '\u0130x', 'ix'],
  ...['\u6f22\u5b57', '\u{1f363}', '\u{1f37a}'],
  ...[' beta', 'beta ', 'a  b', 'a b', '42', '042', 'true', 'null', '<b>&amp;"', "it's", 'a,b', 'a/b', 'a\nb'],
];
const ANY: Pool = {
  names: TEXTS,
  texts: [...TEXTS, '', '  '],
  operands: [...TEXTS, '10', '010', '+9', '-1', '65546', '9.0', 'ten', 'TRUE', 'false', '\u00fc', 'SS', ' ', 'z'],
  numbers: [9, 10, 11, 99, 100, 101, 1000, 2, 65519, -1],
  isPlain: false,
};

/** Deployments that conform. One that shows a write late needs time, which is the driver's. */
const SOUND = [...VARIATIONS.filter(({ silence }) => silence !== 'FRESH-1'), ...ALLOWED];
const IGNORES_CASE = new Set(['V09', 'upper', 'lower', 'ascii-lower', 'accents']);

async function accusation(deviations: typeof SOUND, program: Program, isTold: boolean) {
  const target = inProcess(deviations);
  const played: Played = await playAll(target, program);
  const caseRule = deviations.some(({ id }) => IGNORES_CASE.has(id)) ? 'insensitive' : 'sensitive';
  let largestPage: number | undefined;
  for (const question of questionsOf(program, played)) {
    const seen = await target.look(question);
    const facts = { caseRule: isTold ? caseRule : undefined, largestPage } as const;
    const found = judged(played.history, seen, facts);
    if (found !== undefined) return { found, question, shown: seen.shown, history: played.history };
    if ('pages' in seen.shown)
      largestPage = Math.max(largestPage ?? 0, ...seen.shown.pages.map(({ length }) => length));
  }
  return undefined;
}

describe('the oracle and a conforming deployment', () => {
  it.each(SOUND.map((deviation) => [deviation.title, deviation] as const))('agree: %s', async (_title, deviation) => {
    await fc.assert(
      fc.asyncProperty(programs(ANY), fc.boolean(), async (program, isTold) => {
        expect(await accusation([deviation], program, isTold)).toBeUndefined();
      }),
      { numRuns: 5 },
    );
  });

  it('agree whatever it chooses at once', async () => {
    const several = fc.uniqueArray(fc.constantFrom(...SOUND), { maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(several, programs(ANY), fc.boolean(), async (deviations, program, isTold) => {
        expect(await accusation(deviations, program, isTold)).toBeUndefined();
      }),
      { numRuns: 80 },
    );
  });
});
