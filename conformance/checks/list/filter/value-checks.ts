import type { Operator } from '../../../../lib/contract/list.ts';
import type { Check, CheckContext, Outcome } from '../../../kit/check.ts';
import { CheckFailure } from '../../../kit/fault.ts';
import { candidates, isPlain } from '../../../kit/list/fragments.ts';
import { holds } from '../../../kit/list/predicate.ts';
import { kindOf } from '../../../kit/list/value.ts';
import { isUndecided } from '../../../kit/too-little.ts';
import { guardAgainstChurn, type ListGroup, listGroup } from '../shared/list-group.ts';
import { labelOf } from '../shared/population.ts';
import { ask, type FieldCase, fieldCase, judged, knownIn, mustAnswer } from './filter-cell.ts';

interface Question {
  readonly on: FieldCase;
  readonly operator: Operator;
  readonly value: string;
}

/** The text filter fields of the family whose records tell a match from a non-match. */
export async function textCases(context: CheckContext, group: ListGroup): Promise<readonly FieldCase[]> {
  const cases: FieldCase[] = [];
  for (const field of context.family.filters) {
    if (kindOf(context.family, field) !== 'text') continue;
    try {
      cases.push(await fieldCase(context, group, field));
    } catch (fault) {
      if (!isUndecided(fault)) throw fault;
    }
  }
  return cases;
}

/**
 * Asks for values under both case rules and fails with the first answer that neither explains. `missing` alone: too many
 * records are no matter of how the value is read, but of how it is compared.
 */
async function expectAnswers(
  context: CheckContext,
  questions: readonly Question[],
  { what, judgedOn }: { readonly what: string; readonly judgedOn: 'missing' | 'all' },
): Promise<void> {
  for (const { on, operator, value } of questions) {
    const result = await ask(on, operator, value);
    const found = result.refused ? undefined : judged(on, operator, value, result);
    const difference = judgedOn === 'all' || (found?.missing.length ?? 0) > 0 ? found : undefined;
    if (result.refused || difference) for (const exchange of result.exchanges) context.evidence.add(exchange);
    mustAnswer(result, `${on.field}.${operator}.${value}`, `text ${what}`);
    if (difference) {
      await guardAgainstChurn(on.group, on.population);
      const label = labelOf(on.population, on.field);
      throw new CheckFailure({
        expected: `the records whose ${on.field} fits filter=${on.field}.${operator}.${value}, taken as it is written`,
        observed: `${difference.missing.length} missing, ${difference.extra.length} too many of ${on.having.length}`,
        about: { kind: 'records', operation: 'list', subject: `text ${what}` },
        difference: { missing: difference.missing.map(label), extra: difference.extra.map(label) },
      });
    }
    context.witness('matched', knownIn(on.population, result).size);
    context.witness('unmatched', on.having.length - knownIn(on.population, result).size);
  }
}

const valuesWith = (on: FieldCase, wanted: (text: string) => boolean): readonly string[] =>
  [...new Set(on.having.map((record) => String(record.values[on.field])))].filter(wanted).slice(0, 4);

/** Records are found by their own values that hold a character of the kind looked for. */
function foundByOwnValue(kind: string, has: (text: string) => boolean): Check['run'] {
  return async (context) => {
    const cases = await textCases(context, await listGroup(context));
    const questions = cases.flatMap((on) =>
      valuesWith(on, has).map((value) => ({ on, operator: 'EQ' as const, value })),
    );
    if (questions.length === 0) return notHeld(kind);
    await expectAnswers(context, questions, { what: `with ${kind}`, judgedOn: 'missing' });
    return undefined;
  };
}

/** A check that has no value of the kind to look for. */
export const notHeld = (kind: string): Outcome => ({
  verdict: 'not-testable',
  reason: `no readable record holds ${kind} in a filter field, and none could be made`,
  needs: `a record that holds ${kind} in a filter field`,
});

const WILDCARDS = ['%', '_', '*', '.'] as const;
const isWild = (text: string): boolean => WILDCARDS.some((sign) => text.includes(sign));
const isEncoded = (text: string): boolean => encodeURIComponent(text) !== text && !text.includes('.') && !isWild(text);

/** A plain value with one letter replaced by a wildcard: as a pattern it would match, as a text it does not. */
export interface WildcardVariant {
  readonly model: string;
  readonly text: string;
}

/** Disguises of one value that a record holds. */
export function wildcardVariants(on: FieldCase): readonly WildcardVariant[] {
  const plain = candidates(on.having.map((record) => String(record.values[on.field])).filter(isPlain));
  const [model] = plain.filter(
    (text) => text.length >= 3 && on.having.some((record) => String(record.values[on.field]) === text),
  );
  if (model === undefined) return [];
  const middle = Math.max(1, model.length - 2);
  // Where no record holds a dot, whether a value goes on after one is not known to be right.
  const signs = WILDCARDS.filter(
    (sign) => sign !== '.' || on.having.some((record) => String(record.values[on.field]).includes(sign)),
  );
  return signs.map((sign) => ({ model, text: model.slice(0, middle) + sign + model.slice(middle + 1) }));
}

/** Positive operators that a value with a sign is asked for. */
export const TEXT_OPERATORS: readonly Operator[] = ['CONTAINS', 'EQ', 'STARTSW', 'ENDSW'];

async function literally(context: CheckContext): Promise<Outcome | undefined> {
  const cases = await textCases(context, await listGroup(context));
  const questions = cases.flatMap((on) => {
    const common = on.fragments.find((text) =>
      on.having.some((record) => holds('CONTAINS', record.values[on.field] as string, text, 'sensitive')),
    );
    const control = common === undefined ? [] : [{ on, operator: 'CONTAINS' as const, value: common }];
    const wild = [
      ...valuesWith(on, isWild).map((value) => value.slice(-5)),
      ...wildcardVariants(on).map(({ text }) => text),
    ];
    return [
      ...control,
      ...wild.flatMap((value, index) =>
        TEXT_OPERATORS.slice(0, index === 0 ? 4 : 2).map((operator) => ({ on, operator, value })),
      ),
    ];
  });
  if (questions.length === 0) return notHeld('text');
  await expectAnswers(context, questions, { what: 'with wildcards', judgedOn: 'all' });
  return undefined;
}

/** What checks of text filters share. */
export const onText = {
  level: 'stated',
  appliesTo: (family) =>
    family.ops.includes('list') && family.filters.some((field) => kindOf(family, field) === 'text'),
  dependsOn: ['list/envelope', 'list/complete', 'filter/operator'],
  needs: 'read',
} as const satisfies Partial<Check>;

export const valueChecks: readonly Check[] = [
  {
    ...onText,
    id: 'filter/dotted-value',
    title: 'a filter value with dots finds its records',
    requirement: 'LST-FILT',
    run: foundByOwnValue('a dot', (text) => text.includes('.')),
  },
  {
    ...onText,
    id: 'filter/encoded-value',
    title: 'a filter value that a URL encodes finds its records',
    requirement: 'LST-FILT',
    run: foundByOwnValue('a character that a URL encodes', isEncoded),
  },
  {
    ...onText,
    id: 'filter/literal-value',
    title: 'percent, underscore, star and dot are plain characters in a filter value',
    requirement: 'FOP-CONTAINS',
    dependsOn: [...onText.dependsOn, 'filter/dotted-value', 'filter/encoded-value'],
    run: literally,
  },
];
