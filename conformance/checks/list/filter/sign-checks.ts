import type { Check, CheckContext, Outcome } from '../../../kit/check.ts';
import { CheckFailure } from '../../../kit/fault.ts';
import { isPlain } from '../../../kit/list/fragments.ts';
import type { Subject } from '../../../kit/subject.ts';
import { guardAgainstChurn, listGroup } from '../shared/list-group.ts';
import { labelOf } from '../shared/population.ts';
import { ask, type FieldCase, knownIn, mustAnswer } from './filter-cell.ts';
import { notHeld, onText, TEXT_OPERATORS, textCases, wildcardVariants } from './value-checks.ts';

/** Pairs of values asked for on one field. */
const PAIRS = 4;

/** A dotted value and a plain one that begins as it does before its dot, and goes on otherwise. */
function forks(on: FieldCase): readonly (readonly [dotted: string, plain: string])[] {
  const texts = [...new Set(on.having.map((record) => String(record.values[on.field])))];
  const lower = (text: string) => text.toLowerCase();
  const dotted = texts.filter((text) => text.indexOf('.') > 0);
  return dotted.flatMap((text) => {
    const [head = ''] = text.split('.');
    const goesOn = (other: string) => lower(other).length > lower(head).length && lower(other).startsWith(lower(head));
    // filter/literal-value checks a value that a dot for any character would stand for.
    const asPattern = (other: string) =>
      [...lower(text)].every((letter, index) => letter === '.' || lower(other)[index] === letter);
    return texts
      .filter((other) => isPlain(other) && goesOn(other) && !asPattern(other))
      .map((other) => [text, other] as const);
  });
}

const tooMany = (expected: string, subject: Subject, extra: readonly string[]) =>
  new CheckFailure({
    expected,
    observed: `${extra.length} of them`,
    about: { kind: 'records', operation: 'list', subject },
    difference: { missing: [], extra },
  });

/** Beginnings that part after a dot keep different records: two answers are held against each other, and no record against either. */
async function dottedBeginnings(context: CheckContext): Promise<Outcome | undefined> {
  const cases = await textCases(context, await listGroup(context));
  const pairs = cases.flatMap((on) =>
    forks(on)
      .slice(0, PAIRS)
      .map(([dotted, plain]) => ({ on, dotted, plain })),
  );
  if (pairs.length === 0) return notHeld('a dot after the beginning of another value');
  for (const { on, dotted, plain } of pairs) {
    const [one, other] = [await ask(on, 'STARTSW', dotted), await ask(on, 'STARTSW', plain)];
    mustAnswer(one, `${on.field}.STARTSW.${dotted}`, 'text with a dot');
    mustAnswer(other, `${on.field}.STARTSW.${plain}`, `filter ${on.field}.STARTSW`);
    const kept = knownIn(on.population, one);
    const both = [...knownIn(on.population, other)].filter((id) => kept.has(id));
    if (both.length > 0) {
      for (const exchange of [...one.exchanges, ...other.exchanges]) context.evidence.add(exchange);
      await guardAgainstChurn(on.group, on.population);
      const expected = `no record that begins with ${on.field} ${dotted} and with ${plain}`;
      const extra = both.map(labelOf(on.population, on.field));
      throw tooMany(expected, 'text with a dot', extra);
    }
    context.witness('apart', Math.min(kept.size, knownIn(on.population, other).size));
  }
  return undefined;
}

/** Records that equal a value are in no answer to that value with a sign in place of a letter. */
async function disguisesKeepOthers(context: CheckContext): Promise<Outcome | undefined> {
  const cases = await textCases(context, await listGroup(context));
  const pairs = cases.flatMap((on) => wildcardVariants(on).map((disguise) => ({ on, ...disguise })));
  if (pairs.length === 0) return notHeld('a value to disguise');
  for (const { on, model, text } of pairs) {
    const plain = await ask(on, 'EQ', model);
    const equal = knownIn(on.population, plain);
    for (const operator of TEXT_OPERATORS) {
      const result = await ask(on, operator, text);
      // What is refused keeps nothing: filter/literal-value judges refusals.
      if (result.refused !== undefined || equal.size === 0) continue;
      const both = [...knownIn(on.population, result)].filter((id) => equal.has(id));
      if (both.length > 0) {
        for (const exchange of [...plain.exchanges, ...result.exchanges]) context.evidence.add(exchange);
        await guardAgainstChurn(on.group, on.population);
        const expected = `no record for ${on.field}.EQ.${model} and for ${on.field}.${operator}.${text}`;
        const extra = both.map(labelOf(on.population, on.field));
        throw tooMany(expected, 'text with wildcards', extra);
      }
      context.witness('apart', equal.size);
    }
  }
  return undefined;
}

/** Answers to values with signs in them, held against answers to plain ones: no record is held against any. */
export const signChecks: readonly Check[] = [
  {
    ...onText,
    id: 'filter/disguised-value',
    title: 'a sign in place of a letter of a filter value is no wildcard',
    requirement: 'FOP-CONTAINS',
    // The checks of dots judge a value that ends at its dot.
    dependsOn: ['list/envelope', 'list/complete', 'filter/dotted-value'],
    run: disguisesKeepOthers,
  },
  {
    ...onText,
    id: 'filter/dotted-beginning',
    title: 'filter values that differ after a dot find different records',
    requirement: 'LST-FILT',
    // Not filter/operator and filter/dotted-value: this one sees the same mistake by another way.
    dependsOn: ['list/envelope', 'list/complete'],
    run: dottedBeginnings,
  },
];
