import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Answers,
  amongValues,
  apartFrom,
  sameTogether,
} from '../../../../../../conformance/checks/list/shared/answer-relations.ts';
import { CASE_RULES, type CaseRule, holds } from '../../../../../../conformance/kit/list/predicate.ts';
import type { Value } from '../../../../../../conformance/kit/list/value.ts';
import { NEGATIONS, OPERATOR_NAMES, type Operator } from '../../../../../../lib/contract/list.ts';

type Holds = (operator: Operator, value: Value, wanted: string, rule: CaseRule) => boolean;

const part = fc.string({ minLength: 1, maxLength: 3, unit: fc.constantFrom('a', 'A', 'b', 'x') });
const texts = fc.uniqueArray(fc.string({ minLength: 1, maxLength: 6, unit: fc.constantFrom('a', 'A', 'b', 'x') }), {
  minLength: 1,
  maxLength: 12,
});
const numbers = fc.uniqueArray(fc.integer({ min: 2, max: 2000 }), { minLength: 1, maxLength: 12 });

/** What a server with these meanings answers to an operator, for each of the values. */
function answers(
  values: readonly Value[],
  operator: Operator,
  wanted: readonly string[],
  rule: CaseRule,
  meaning: Holds,
) {
  const kept = (each: string) =>
    new Set(values.flatMap((value, index) => (meaning(operator, value, each, rule) ? [`${index}`] : [])));
  return new Map(wanted.map((each) => [each, kept(each)])) satisfies Answers;
}

const LATTICE = ['beta', 'betamax', 'xbeta', 'xbetax', 'alpha', 'zeta9', 'zeta10'];
const LADDER = [9, 10, 99, 100, 1000];

/** A relation of the operator, or of it and its counterpart, is broken by a server with this meaning. */
function isSeen(operator: Operator, values: readonly Value[], meaning: Holds): boolean {
  const wanted = values.map(String).concat(typeof values[0] === 'string' ? ['eta', 'be', 'x'] : []);
  const given = (each: Operator) => answers(values, each, wanted, 'sensitive', meaning);
  const positive = Object.entries(NEGATIONS).find(([, negative]) => negative === operator)?.[0] as Operator | undefined;
  const other = operator === 'GT' || operator === 'LT' ? 'EQ' : positive;
  return [
    amongValues(operator, given(operator)),
    ...(other === undefined ? [] : [apartFrom(operator, given(operator), other, given(other))]),
    ...(positive === undefined ? [] : [sameTogether(operator, given(operator), positive, given(positive))]),
  ].some(({ broken }) => broken !== undefined);
}

describe('relations between the answers of a filter', () => {
  it('hold for the meaning of the operators on texts, whatever is asked and the case rule', () => {
    fc.assert(
      fc.property(
        texts,
        fc.uniqueArray(part, { maxLength: 6 }),
        fc.constantFrom(...CASE_RULES),
        (values, wanted, rule) => {
          const given = (operator: Operator) => answers(values, operator, wanted, rule, holds);
          for (const operator of OPERATOR_NAMES.filter((each) => each !== 'GT' && each !== 'LT'))
            expect(amongValues(operator, given(operator)).broken).toBeUndefined();
          for (const [positive, negative] of Object.entries(NEGATIONS)) {
            const [one, other] = [given(negative), given(positive as Operator)];
            expect(apartFrom(negative, one, positive as Operator, other).broken).toBeUndefined();
            expect(sameTogether(negative, one, positive as Operator, other).broken).toBeUndefined();
          }
        },
      ),
    );
  });

  it('hold for the order of numbers', () => {
    fc.assert(
      fc.property(numbers, (values) => {
        const given = (operator: Operator) => answers(values, operator, values.map(String), 'sensitive', holds);
        for (const operator of ['EQ', 'GT', 'LT'] as const) {
          expect(amongValues(operator, given(operator)).broken).toBeUndefined();
          if (operator !== 'EQ') expect(apartFrom(operator, given(operator), 'EQ', given('EQ')).broken).toBeUndefined();
        }
      }),
    );
  });

  it('look at something where answers differ, and at nothing where all are empty', () => {
    expect(amongValues('EQ', answers(LATTICE, 'EQ', LATTICE, 'sensitive', holds)).looked).toBeGreaterThan(0);
    expect(amongValues('EQ', answers([], 'EQ', LATTICE, 'sensitive', holds)).looked).toBe(0);
  });

  const as =
    (from: Operator, to: Operator): Holds =>
    (operator, value, wanted, rule) =>
      holds(operator === from ? to : operator, value, wanted, rule);
  const orEqual: Holds = (operator, value, wanted, rule) =>
    holds(operator, value, wanted, rule) || (operator !== 'EQ' && holds('EQ', value, wanted, rule));
  const asText: Holds = (operator, value, wanted, rule) =>
    holds(operator, operator === 'EQ' ? value : `${value}`, wanted, rule);

  it.each([
    ['EQ that keeps what contains the value', 'EQ', LATTICE, as('EQ', 'CONTAINS')],
    ['NEQ that keeps everything', 'NEQ', LATTICE, (...given) => given[0] === 'NEQ' || holds(...given)],
    ['STARTSW that keeps what contains the value', 'STARTSW', LATTICE, as('STARTSW', 'CONTAINS')],
    ['ENDSW that keeps what contains the value', 'ENDSW', LATTICE, as('ENDSW', 'CONTAINS')],
    ['NSTARTSW without its negation', 'NSTARTSW', LATTICE, as('NSTARTSW', 'STARTSW')],
    ['NENDSW without its negation', 'NENDSW', LATTICE, as('NENDSW', 'ENDSW')],
    ['NCONTAINS that is NEQ', 'NCONTAINS', LATTICE, as('NCONTAINS', 'NEQ')],
    ['GT that keeps the equal value', 'GT', LADDER, orEqual],
    ['LT that keeps the equal value', 'LT', LADDER, orEqual],
    ['GT that compares numbers as texts', 'GT', LADDER, asText],
    ['LT that compares numbers as texts', 'LT', LADDER, asText],
  ] as readonly [string, Operator, readonly Value[], Holds][])('are broken by %s', (_, operator, values, meaning) => {
    expect(isSeen(operator, values, holds)).toBe(false);
    expect(isSeen(operator, values, meaning)).toBe(true);
  });
});
