import { OPERATOR_NAMES, type Operator } from '../../../../lib/contract/list.ts';
import type { Level } from '../../../../lib/contract/requirements.ts';
import type { Family } from '../../../../lib/contract/types.ts';
import { type Check, type CheckContext, checkOfEach, type Outcome } from '../../../kit/check.ts';
import { fragmentsFor } from '../../../kit/list/fragments.ts';
import { CASE_RULES, type CaseRule, holds } from '../../../kit/list/predicate.ts';
import { kindOf, type Value } from '../../../kit/list/value.ts';
import { tooLittle } from '../../../kit/too-little.ts';
import { listGroup } from '../shared/list-group.ts';
import { shouldSuffice } from '../shared/population.ts';
import { type Broken, brokenPartitions, brokenParts, brokenTrichotomy, type Kept } from '../shared/relations.ts';
import {
  ask,
  caseRuleOf,
  type FieldCase,
  failOn,
  failOnRelation,
  fieldCase,
  judged,
  knownIn,
  mustAnswer,
} from './filter-cell.ts';

const ORDERED: readonly Operator[] = ['GT', 'LT'];
const EQUALITY: readonly Operator[] = ['EQ', 'NEQ'];

/**
 * How strongly an operator binds on a field. No order of texts or truth values is stated. What it means for a number or a
 * truth value to start or end with a text is only implied.
 */
export function levelOf(family: Family, field: string, operator: Operator): Level {
  const kind = kindOf(family, field);
  if (ORDERED.includes(operator)) return kind === 'integer' ? 'stated' : 'gap';
  return kind === 'text' || EQUALITY.includes(operator) ? 'stated' : 'implied';
}

const cells = (family: Family) =>
  family.filters.flatMap((field) =>
    OPERATOR_NAMES.map((operator) => ({
      name: `${field}.${operator}`,
      data: { field, operator },
      requirement: `FOP-${operator}`,
      level: levelOf(family, field, operator),
      covers: { kind: 'filter' as const, cell: `${family.name}.${field}.${operator}` },
    })),
  );

interface Seen {
  matched: number;
  unmatched: number;
}

function count(on: FieldCase, operator: Operator, value: string, seen: Seen): void {
  for (const record of on.having) {
    if (holds(operator, record.values[on.field] as string, value, 'sensitive')) seen.matched += 1;
    else seen.unmatched += 1;
  }
}

const fragmentsOf = (on: FieldCase, operator: Operator): readonly string[] =>
  fragmentsFor(
    operator,
    on.fragments,
    on.having.map((record) => record.values[on.field] as Value),
  );

/** Relations between the answers for one value in which the operator takes part, of answers that are right by themselves. */
async function brokenFor(on: FieldCase, operator: Operator, value: string): Promise<Broken | undefined> {
  const kept: Partial<Record<Operator, ReadonlySet<string>>> = {};
  for (const each of OPERATOR_NAMES) {
    const result = await ask(on, each, value);
    if (result.refused === undefined && judged(on, each, value, result) === undefined) {
      kept[each] = knownIn(on.population, result);
    }
  }
  const having = new Set(on.having.map(({ id }) => id));
  const broken = [
    ...brokenPartitions(kept as Kept, having),
    ...brokenParts(kept as Kept),
    ...brokenTrichotomy(kept as Kept, having),
  ];
  return broken.find(({ operators }) => operators.at(-1) === operator);
}

async function judgeCell(context: CheckContext, on: FieldCase, operator: Operator): Promise<undefined> {
  const rule = await caseRuleOf(on);
  const seen: Seen = { matched: 0, unmatched: 0 };
  for (const value of fragmentsOf(on, operator)) {
    const result = await ask(on, operator, value);
    if (result.refused) context.evidence.add(result.refused);
    mustAnswer(result, `${on.field}.${operator}.${value}`, `filter ${on.field}.${operator}`);
    if (judged(on, operator, value, result, rule) !== undefined) {
      await failOn(context, on, {
        expected: `every record whose ${on.field} fits, and no other`,
        operator,
        value,
        rule,
      });
    }
    const broken = rule === undefined ? await brokenFor(on, operator, value) : undefined;
    if (broken !== undefined) await failOnRelation(context, on, broken, value);
    count(on, operator, value, seen);
    if (value === fragmentsOf(on, operator)[0])
      for (const exchange of result.exchanges.slice(0, 1)) context.evidence.add(exchange);
  }
  witness(context, on, seen);
  return undefined;
}

function witness(context: CheckContext, { population, field }: FieldCase, seen: Seen): void {
  context.witness('matched', seen.matched);
  context.witness('unmatched', seen.unmatched);
  if (seen.matched === 0 || seen.unmatched === 0) {
    const why = seen.matched === 0 ? 'no record could match' : 'no record could fail to match';
    const own = shouldSuffice(population);
    throw tooLittle(context, { own, why, needs: `two records with different values of ${field}` });
  }
}

/** What an order that the specification does not give was seen to be. */
async function observeOrder(context: CheckContext, on: FieldCase, operator: Operator): Promise<Outcome> {
  const seen: Seen = { matched: 0, unmatched: 0 };
  const fits = new Set<CaseRule>(CASE_RULES);
  for (const value of fragmentsOf(on, operator)) {
    const result = await ask(on, operator, value);
    if (result.refused) {
      context.evidence.add(result.refused);
      const reason = `the target refuses ${operator} here (status ${result.refused.status}); the specification gives no order`;
      return { verdict: 'not-applicable', reason };
    }
    const kept = knownIn(on.population, result).size;
    seen.matched += kept;
    seen.unmatched += on.population.records.length - kept;
    for (const rule of CASE_RULES) if (judged(on, operator, value, result, rule) !== undefined) fits.delete(rule);
    if (value === fragmentsOf(on, operator)[0])
      for (const exchange of result.exchanges.slice(0, 1)) context.evidence.add(exchange);
  }
  context.observe('order', fits.size === 0 ? 'another' : [...fits].join(' or '));
  context.witness('matched', seen.matched);
  context.witness('unmatched', seen.unmatched);
  if (seen.matched === 0 || seen.unmatched === 0) {
    return { verdict: 'inconclusive', reason: `${operator} kept ${seen.matched === 0 ? 'nothing' : 'everything'}` };
  }
  const order = fits.size === 0 ? 'an order of its own' : `the order of letters, case ${[...fits].join(' or ')}`;
  return { verdict: 'info', observed: `${operator} follows ${order}` };
}

/** One result for each listed filter field and operator: the 190 cells. */
const filterOperator = checkOfEach<{ readonly field: string; readonly operator: Operator }>({
  id: 'filter/operator',
  title: 'a filter keeps the records that match, and no others',
  requirement: 'FOP-EQ',
  level: 'stated',
  appliesTo: (family) => family.ops.includes('list') && family.filters.length > 0,
  variants: cells,
  dependsOn: ['list/envelope', 'list/complete'],
  exercises: ['list'],
  needs: 'read',
  run: async (context, { field, operator }, variant) => {
    const group = await listGroup(context);
    const on = await fieldCase(context, group, field);
    return variant.level === 'gap' ? observeOrder(context, on, operator) : judgeCell(context, on, operator);
  },
});

export const filterChecks: readonly Check[] = [filterOperator];
