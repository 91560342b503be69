import { NEGATIONS, OPERATOR_NAMES, type Operator } from '../../../../lib/contract/list.ts';
import type { Family } from '../../../../lib/contract/types.ts';
import { type Check, type CheckContext, checkOfEach } from '../../../kit/check.ts';
import type { Inconclusive, NotTestable } from '../../../kit/fault.ts';
import { fragmentsFor } from '../../../kit/list/fragments.ts';
import type { Value } from '../../../kit/list/value.ts';
import { isUndecided } from '../../../kit/too-little.ts';
import { type Answers, amongValues, apartFrom, type Contradiction, sameTogether } from '../shared/answer-relations.ts';
import { failOnLists } from '../shared/list-failure.ts';
import { listGroup } from '../shared/list-group.ts';
import { ask, type FieldCase, fieldCase, knownIn } from './filter-cell.ts';
import { levelOf } from './operator-checks.ts';

/** Smallest numbers of a field that an order is asked for beside the fragments. */
const NUMBERS_ASKED = 6;

const POSITIVES = Object.fromEntries(
  Object.entries(NEGATIONS).map(([positive, negative]) => [negative, positive as Operator]),
) as Readonly<Partial<Record<Operator, Operator>>>;

const isOrder = (operator: Operator) => operator === 'GT' || operator === 'LT';

/** The operator that the answers are held against: EQ for an order, for a negation what it negates. */
const otherThan = (operator: Operator): Operator | undefined => (isOrder(operator) ? 'EQ' : POSITIVES[operator]);

/** Fields on which the operator binds as the specification states it. */
const fieldsOf = (family: Family, operator: Operator): readonly string[] =>
  family.filters.filter((field) => levelOf(family, field, operator) === 'stated');

/** Values asked of an operator: those of every other list check of the field, and for an order its smallest numbers too. */
function valuesFor(on: FieldCase, operator: Operator): readonly string[] {
  const held = on.having.map((record) => record.values[on.field] as Value);
  const asked = fragmentsFor(operator, on.fragments, held);
  if (!isOrder(operator)) return asked;
  const numbers = [...new Set(held.map(Number))].sort((a, b) => a - b).slice(0, NUMBERS_ASKED);
  return [...new Set([...asked, ...numbers.map(String)])];
}

/** The answers of an operator; a value that it is refused for is left out: filter/operator judges refusals. */
export async function answersOf(on: FieldCase, operator: Operator, values: Iterable<string>): Promise<Answers> {
  const answers = new Map<string, ReadonlySet<string>>();
  for (const value of values) {
    const result = await ask(on, operator, value);
    if (result.refused === undefined) answers.set(value, knownIn(on.population, result));
  }
  return answers;
}

/** Relations that the answers of the operator take part in; those of an operator that contradicts itself prove nothing of another. */
async function lookAt(on: FieldCase, operator: Operator): Promise<{ looked: number; broken?: Contradiction }> {
  const values = valuesFor(on, operator);
  const answers = await answersOf(on, operator, values);
  const alone = amongValues(operator, answers);
  const other = otherThan(operator);
  if (alone.broken !== undefined || other === undefined) return alone;
  const others = await answersOf(on, other, values);
  if (amongValues(other, others).broken !== undefined) return { looked: 0 };
  const apart = apartFrom(operator, answers, other, others);
  if (apart.broken !== undefined) return apart;
  const together = isOrder(operator) ? { looked: 0 } : sameTogether(operator, answers, other, others);
  return { ...together, looked: alone.looked + apart.looked + together.looked };
}

async function failOnContradiction(
  context: CheckContext,
  on: FieldCase,
  operator: Operator,
  broken: Contradiction,
): Promise<never> {
  const other = otherThan(operator);
  const asked = (other === undefined ? [operator] : [operator, other]).flatMap((each) =>
    [...new Set(broken.values)].map((value) => ask(on, each, value)),
  );
  return failOnLists(context, on, await Promise.all(asked), {
    expected: `for ${on.field}: ${broken.relation}`,
    observed: `${broken.ids.length} records contradict it`,
    subject: `filter ${on.field}.${operator}`,
    difference: { missing: [], extra: broken.ids },
  });
}

async function relationsHold(context: CheckContext, operator: Operator): Promise<undefined> {
  const group = await listGroup(context);
  let why: Inconclusive | NotTestable | undefined;
  let asked = 0;
  for (const field of fieldsOf(context.family, operator)) {
    let on: FieldCase;
    try {
      on = await fieldCase(context, group, field);
    } catch (fault) {
      if (!isUndecided(fault)) throw fault;
      why = fault;
      continue;
    }
    asked += 1;
    const { looked, broken } = await lookAt(on, operator);
    if (broken !== undefined) await failOnContradiction(context, on, operator, broken);
    context.witness('relations', looked);
  }
  if (why !== undefined && asked === 0) throw why;
  if (why !== undefined) context.observe('not looked at', why.message);
  return undefined;
}

/** The answers of a filter held against each other: nothing that a read showed of the records is used. */
const filterRelations = checkOfEach<Operator>({
  id: 'filter/relations',
  title: 'an operator agrees with its negation over different values',
  requirement: 'FOP-EQ',
  level: 'stated',
  appliesTo: (family) => family.ops.includes('list') && family.filters.length > 0,
  variants: (family) =>
    OPERATOR_NAMES.filter((operator) => fieldsOf(family, operator).length > 0).map((operator) => ({
      name: operator,
      data: operator,
      requirement: `FOP-${operator}`,
    })),
  // Not filter/operator: this one sees the same mistakes by another way.
  dependsOn: ['list/envelope', 'list/complete'],
  exercises: ['list'],
  needs: 'read',
  run: (context, operator) => relationsHold(context, operator),
});

export const relationChecks: readonly Check[] = [filterRelations];
