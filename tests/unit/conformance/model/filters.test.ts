import { describe, expect, it, test } from 'vitest';
import { type Tally, tallyLook } from '../../../../conformance/driver/tally.ts';
import type { CaseRule } from '../../../../conformance/kit/list/value.ts';
import { addressOf } from '../../../../conformance/model/address.ts';
import { bookOf } from '../../../../conformance/model/history.ts';
import { isPlainlyOrdered, matches, matchesAll } from '../../../../conformance/model/match.ts';
import { decided } from '../../../../conformance/model/membership.ts';
import { isOfList } from '../../../../conformance/model/observation.ts';
import { FAMILIES } from '../../../../lib/contract/families.ts';
import type { Operator } from '../../../../lib/contract/list.ts';
import { by, create, filter, list } from '../../../helpers/histories.ts';

/** Verdicts: must be shown, must not, open. */
const WORDS = { '+': true, '-': false, '?': undefined } as const;
const ORDER = ['EQ', 'NEQ', 'GT', 'LT', 'STARTSW', 'NSTARTSW', 'ENDSW', 'NENDSW', 'CONTAINS', 'NCONTAINS'] as const;

type Row = readonly [rule: string, field: string, held: unknown, operand: string, verdicts: string, rule?: CaseRule];

/** Verdicts in the order of the operators: EQ NEQ, GT LT, STARTSW NSTARTSW, ENDSW NENDSW, CONTAINS NCONTAINS. */
const TABLE: readonly Row[] = [
  // "List query parameters": filter operators.
  ['the whole text', 'name', 'beta', 'beta', '+- -- +- +- +-'],
  ['its start', 'name', 'betamax', 'beta', '-+ +- +- -+ +-'],
  ['its end', 'name', 'xbeta', 'beta', '-+ +- -+ +- +-'],
  ['its middle', 'name', 'xbetax', 'beta', '-+ +- -+ -+ +-'],
  ['another text', 'name', 'alpha', 'beta', '-+ -+ -+ -+ -+'],
  ['signs are no patterns', 'name', 'axb', 'a.b', '-+ ?? -+ -+ -+'],
  ['signs are no patterns', 'name', 'alpha', 'al%', '-+ ?? -+ -+ -+'],
  ['numbers by size', 'value', 10, '9', '-+ +- -+ -+ -+'],
  ['the equal number', 'value', 10, '10', '+- -- +- +- +-'],
  ['parts of a number', 'value', 1000, '10', '-+ +- +- -+ +-'],
  ['numbers beyond their bounds', 'value', 5, '65541', '-+ -+ -+ -+ -+'],
  ['truth values', 'propogateToApic', true, 'true', '+- -- +- +- +-'],
  ['the other truth value', 'propogateToApic', true, 'false', '-+ ?? -+ -+ -+'],
  // Not shown: what is compared, and how.
  ['nothing to compare', 'description', undefined, 'beta', '?? ?? ?? ?? ??'],
  ['an empty text', 'description', '', 'beta', '?? ?? ?? ?? ??'],
  ['blanks alone', 'description', '  ', 'beta', '?? ?? ?? ?? ??'],
  ['an empty operand', 'name', 'beta', '', '?? ?? ?? ?? ??'],
  ['a number to be generated', 'value', -1, '-1', '?? ?? ?? ?? ??'],
  ['other words for a truth value', 'propogateToApic', true, '1', '?? ?? -+ -+ -+'],
  // Implied: numbers in another written form are the number, or another text.
  ['zeros before a number', 'value', 10, '010', '?? -- -+ -+ -+'],
  ['zeros before another number', 'value', 8, '010', '-+ -+ -+ -+ -+'],
  ['no number', 'value', 10, 'ten', '-? ?? -+ -+ -+'],
  ['a number among words', 'value', 10, '1e1', '?? ?? -+ -+ -+'],
  // Not stated: case.
  ['another case', 'name', 'Beta', 'beta', '?? ?? ?? ?? ??'],
  ['another case, told apart', 'name', 'Beta', 'beta', '-+ ?? -+ -+ -+', 'sensitive'],
  ['another case, ignored', 'name', 'Beta', 'beta', '+- ?? +- +- +-', 'insensitive'],
  ['letters that are two in capitals', 'name', 'stra\u00dfe', 'strasse', '?? ?? ?? ?? ??'],
  ['letters that are two in capitals, case ignored', 'name', 'stra\u00dfe', 'STRASSE', '?? ?? ?? ?? ??', 'insensitive'],
  ['letters that are two in small letters', 'name', '\u0130x', 'ix', '?? ?? ?? ?? ??', 'insensitive'],
  ['case beyond ASCII', 'name', '\u00c4', '\u00e4', '?? ?? ?? ?? ??', 'insensitive'],
  ['the whole text beyond ASCII', 'name', 'M\u00fcller', 'M\u00fcller', '+- -- +- +- +-'],
  // Not stated: accents, composition and other signs of a collation.
  ['without its accent', 'name', 'M\u00fcller', 'Muller', '?? ?? ?? ?? ??', 'sensitive'],
  ['decomposed', 'name', 'M\u00fcller', 'Mu\u0308ller', '?? ?? ?? ?? ??', 'sensitive'],
  ['another letter beyond ASCII', 'name', '\u6f22\u5b57', '\u6f22\u6587', '-+ ?? -+ -+ -+'],
  ['another sign beyond the first plane', 'name', '\u{1f363}', '\u{1f37a}', '-+ ?? -+ -+ -+'],
  // Not stated: that blanks at the ends count.
  ['a blank at the end', 'name', 'beta ', 'beta', '?? ?? +- ?? +-'],
  ['a blank at the end of the operand', 'name', 'beta', 'beta ', '?? ?? ?? ?? ??'],
  ['a blank at the end of another text', 'name', 'beta ', 'alpha', '-+ +- -+ -+ -+'],
  ['a blank inside before they differ', 'name', 'b eta', 'beta', '-+ ?? -+ -+ -+'],
  // Not shown: that runs of blanks count.
  ['blanks inside', 'name', 'a  b', 'a b', '?? ?? ?? ?? ??'],
  ['blanks inside of both', 'name', 'a  b', 'a  b', '+- -- +- +- +-'],
  ['blanks inside of another text', 'name', 'a  b', 'a c', '-+ ?? -+ -+ -+'],
  // Not shown: collations.
  ['capitals and small letters', 'name', 'Zeta', 'alpha', '-+ ?? -+ -+ -+'],
  ['digits', 'name', 'zeta10', 'zeta9', '-+ ?? -+ -+ -+'],
  ['two capitals', 'name', 'Verizon 4', 'Orange', '-+ +- -+ -+ -+'],
  ['what tells them apart are small letters', 'name', 'E2-Zeta', 'E2-Zeal', '-+ +- -+ -+ -+'],
];

it('a filter reads the member that the record shows under the name of the field', () => {
  const held = { name: 'anc-7', macAddress: '0A:00:00:00:00:01' };
  const told = (fields: object, value: string) =>
    matches(FAMILIES.ancendpoint, fields as never, filter(`name.EQ.${value}`), {} as never);
  expect([told(held, 'anc-7'), told(held, '0A:00:00:00:00:01')]).toEqual([true, false]);
  const dashed = { ...held, name: '0a-00-00-00-00-01' };
  expect([told(dashed, dashed.name), told(dashed, held.macAddress)]).toEqual([true, false]);
  expect(told({ ...held, name: '0a:00:00:00:00:01' }, held.macAddress)).toBe(true);
  expect(told({ macAddress: held.macAddress }, '0A:00:00:00:00:01')).toBe(true);
});

for (const [title, field, held, operand, verdicts, caseRule] of TABLE)
  it(`${title}: ${JSON.stringify(held)} against ${JSON.stringify(operand)}`, () => {
    const told = ORDER.map((operator) =>
      matches(FAMILIES.sgt, { [field]: held }, { field, operator, value: operand }, { caseRule }),
    );
    expect(told).toEqual([...verdicts.replaceAll(' ', '')].map((sign) => WORDS[sign as keyof typeof WORDS]));
  });

// "List query parameters": filterType, default AND; or changes it to OR.
it.each([
  [undefined, '++', true],
  [undefined, '+-', false],
  [undefined, '+?', undefined],
  ['and', '-?', false],
  ['or', '+?', true],
  ['or', '-?', undefined],
  ['or', '--', false],
] as const)(
  'what every reading says of a filter filters joined by %s, of which %s are met: %s',
  (join, met, expected) => {
    const triplets = { '+': 'name.EQ.beta', '-': 'name.EQ.alpha', '?': 'description.EQ.x' };
    const { filters } = by(...[...met].map((sign) => triplets[sign as keyof typeof triplets]));
    expect(matchesAll(FAMILIES.sgt, { name: 'beta' }, { filters, join }, { caseRule: undefined })).toBe(expected);
  },
);

const MAC = '02:00:00:00:75:3A';

describe('addresses', () => {
  test('are told by their digits, and a part or a word is none', () => {
    for (const text of [MAC, MAC.toLowerCase(), MAC.replaceAll(':', '-'), '0200.0000.753A'])
      expect(addressOf(text), text).toBe('02000000753A');
    for (const text of ['02:00:00', 'feed-beef']) expect(addressOf(text), text).toBeUndefined();
  });

  test.each<[Operator, string, boolean | undefined]>([
    ['EQ', MAC, true],
    ['EQ', MAC.toLowerCase(), undefined],
    ['STARTSW', '03:00', false],
    ['STARTSW', '02-00', undefined],
    ['NEQ', MAC, false],
    ['STARTSW', '02:00', true],
    ['ENDSW', '3a', undefined],
    ['CONTAINS', '75', true],
    ['EQ', '02:00:00:00:75:3B', false],
    ['GT', '02:00:00:00:74:3A', true],
    ['GT', '02:00:00:00:75:39', undefined],
    ['LT', MAC, false],
  ])('a filter name.%s.%s', (operator, value, wanted) => {
    const fields = { macAddress: MAC };
    // Whatever is known of texts: nothing says that an address is compared as one.
    const told = matches(FAMILIES.ancendpoint, fields, { field: 'name', operator, value }, { caseRule: 'sensitive' });
    expect(told).toBe(wanted);
  });

  test.each([
    ['02:00:00:00:75:30', '02:00:00:00:75:31', true],
    ['02:00:00:00:75:3A', '02:00:00:00:75:3B', true],
    ['02:00:00:00:75:39', '02:00:00:00:75:3A', false],
    ['02:00:00:00:75:3a', '02:00:00:00:75:3B', false],
    ['0017', '18', true],
    ['9', '18', false],
    ['017', '17', false],
  ])('%s and %s have one order: %s', (one, other, wanted) => {
    expect(isPlainlyOrdered(one, other)).toBe(wanted);
  });
});

// One filter twice is answered alike whether AND or OR joins it: a record tells only if the filters differ about it.
it.each([
  ['the same filter twice', by('name.EQ.beta', 'name.EQ.beta'), 'a', { shown: 1, absent: 0, isParted: false }],
  ['filters that fit no record', by('name.EQ.x', 'name.EQ.y'), '', { shown: 0, absent: 1, isParted: false }],
  ['one filter', by('name.EQ.beta'), 'a', { shown: 1, absent: 0, isParted: false }],
  ['AND', by('name.EQ.beta', 'name.EQ.x'), '', { shown: 0, absent: 1, isParted: true }],
  ['OR', { ...by('name.EQ.beta', 'name.EQ.x'), join: 'or' as const }, 'a', { shown: 1, absent: 0, isParted: true }],
])('what a right answer to several filters tells %s', (_title, question, ids, told) => {
  const book = bookOf([create({ name: 'beta' })], FAMILIES);
  const seen = list(question, ids);
  if (!isOfList(seen)) throw new Error('no list');
  const facts = { table: FAMILIES, caseRule: undefined, largestPage: undefined };
  expect(decided(book, seen.question, seen.shown, facts)).toEqual(told);
  const tally: Tally = new Map();
  tallyLook(tally, seen, told);
  expect(tally.has('joins')).toBe(told.isParted);
  tallyLook(tally, seen, { shown: 0, absent: 0, isParted: false });
  expect(tally.get('pages')).toBe(1);
});
