import type { Operator } from '../../../../lib/contract/list.ts';
import type { ListQuery } from '../../../../lib/wire/query.ts';
import type { CheckContext } from '../../../kit/check.ts';
import { Blocked, CheckFailure, Inconclusive } from '../../../kit/fault.ts';
import { caseTurned, chooseFragments, isPlain } from '../../../kit/list/fragments.ts';
import type { ListResult } from '../../../kit/list/list-reader.ts';
import { CASE_RULES, type CaseRule, folded, holds } from '../../../kit/list/predicate.ts';
import type { Subject } from '../../../kit/subject.ts';
import { tooLittle } from '../../../kit/too-little.ts';
import { guardAgainstChurn, type ListGroup, scoped } from '../shared/list-group.ts';
import { type KnownRecord, labelOf, type Population, shouldSuffice } from '../shared/population.ts';
import { type Broken, type Difference, differenceOf } from '../shared/relations.ts';
import { queryText, shrink } from '../shared/shrink.ts';

/** A filter field of a family with the records that its relations are about. */
export interface FieldCase {
  readonly group: ListGroup;
  readonly field: string;
  readonly population: Population;
  /** Records that have the field. */
  readonly having: readonly KnownRecord[];
  /** Fragments every operator is asked for, so that relations between operators cost nothing more. */
  readonly fragments: readonly string[];
}

const REFUSED_LOGIN: readonly number[] = [401, 403];

/** The records and fragments of a field. Throws if too little is known to tell a match from a non-match. */
export async function fieldCase(context: CheckContext, group: ListGroup, field: string): Promise<FieldCase> {
  const population = await group.having(field);
  const having = population.records.filter(({ values }) => values[field] !== undefined);
  const values = having.map((record) => record.values[field] as string);
  if (new Set(values).size < 2) {
    const why =
      having.length === 0
        ? `no record with a readable ${field} is on the target`
        : `all ${having.length} readable records hold the same ${field}: no non-match can be seen`;
    const own = shouldSuffice(population);
    throw tooLittle(context, { own, why, needs: `two records with different values of ${field}` });
  }
  return { group, field, population, having, fragments: fragmentsOf(population, field) };
}

/** Fragments by population and field: each of a dozen checks of a field asks for the same ones. */
const CHOSEN = new WeakMap<Population, Map<string, readonly string[]>>();

/** The fragments that tell operators apart on the plain values that a population has in a field. */
function fragmentsOf(population: Population, field: string): readonly string[] {
  const chosen = CHOSEN.get(population) ?? new Map<string, readonly string[]>();
  CHOSEN.set(population, chosen);
  const known = chosen.get(field);
  if (known !== undefined) return known;
  const values = population.records.map(({ values }) => values[field]).filter((value) => value !== undefined);
  const fragments = chooseFragments(values.filter((value) => typeof value !== 'string' || isPlain(value)));
  chosen.set(field, fragments);
  return fragments;
}

/** The answer to one filter, within the scope of the own records where that works. */
export function ask({ group, population, field }: FieldCase, operator: Operator, value: string): Promise<ListResult> {
  return group.read(scoped(group, population, { filters: [{ field, operator, value }] }));
}

/** Throws where the target did not answer with a list. A refusal of a later page is judged by the paging checks alone. */
export function mustAnswer(result: ListResult, query: string, subject: Subject): void {
  const { refused } = result;
  if (refused === undefined) return;
  if (REFUSED_LOGIN.includes(refused.status)) throw new Blocked(`no permission: status ${refused.status}`);
  if (result.pages.length > 0)
    throw new Inconclusive(`page ${result.pages.length + 1} of ${query} was refused: status ${refused.status}`);
  throw new CheckFailure({
    expected: `a list for ${query}`,
    observed: `status ${refused.status} without one`,
    about: { kind: 'refused', operation: 'list', subject },
  });
}

/** Ids of the population that an answer holds. */
export function knownIn(population: Population, result: ListResult): Set<string> {
  const known = new Set(population.records.map(({ id }) => id));
  return new Set(result.ids.filter((id) => known.has(id)));
}

/** What an answer lacks or has too much, by the values of the records themselves; records without the field may not be in positive answers. */
function oracleDifference(
  { having, field, population }: FieldCase,
  operator: Operator,
  value: string,
  kept: ReadonlySet<string>,
  rule: CaseRule,
): Difference | undefined {
  const wanted = new Set(
    having.filter((record) => holds(operator, record.values[field] as string, value, rule)).map(({ id }) => id),
  );
  const judged = new Set(having.map(({ id }) => id));
  const isNegative = operator.startsWith('N');
  const lacking = population.records.filter(({ id }) => !judged.has(id)).map(({ id }) => id);
  const relevant = isNegative ? judged : new Set([...judged, ...lacking]);
  return differenceOf(wanted, new Set([...kept].filter((id) => relevant.has(id))));
}

const POSITIVE: readonly Operator[] = ['EQ', 'STARTSW', 'ENDSW', 'CONTAINS'];

/**
 * Whether upper and lower case are the same on this field: what most of the positive operators say, EQ in a tie.
 * Undefined where no value has letters or the operators could not be asked.
 */
export async function caseRuleOf(on: FieldCase): Promise<CaseRule | undefined> {
  const probe = on.having.find((record) => {
    const value = String(record.values[on.field]);
    return (
      isPlain(value) &&
      caseTurned(value) !== value &&
      folded(value, 'insensitive') !== folded(caseTurned(value), 'sensitive')
    );
  });
  if (probe === undefined || typeof probe.values[on.field] !== 'string') return undefined;
  const value = caseTurned(String(probe.values[on.field]));
  const taken = on.having.some((record) => record.values[on.field] === value);
  if (taken) return undefined;
  let insensitive = 0;
  let first: boolean | undefined;
  for (const operator of POSITIVE) {
    const result = await ask(on, operator, value);
    if (result.refused) return undefined;
    const found = result.ids.includes(probe.id);
    first ??= found;
    insensitive += found ? 1 : 0;
  }
  if (insensitive * 2 === POSITIVE.length) return first ? 'insensitive' : 'sensitive';
  return insensitive * 2 > POSITIVE.length ? 'insensitive' : 'sensitive';
}

/** Difference of an answer under the field's case rule, or under the kinder of both where none is known. */
export function judged(
  on: FieldCase,
  operator: Operator,
  value: string,
  result: ListResult,
  rule?: CaseRule,
): Difference | undefined {
  const kept = knownIn(on.population, result);
  const differences = (rule === undefined ? CASE_RULES : [rule]).map((each) =>
    oracleDifference(on, operator, value, kept, each),
  );
  return differences.includes(undefined) ? undefined : differences[0];
}

/** Fails with the smallest query that shows the difference, after making sure that no one else changed the records. */
export async function failOn(
  context: CheckContext,
  on: FieldCase,
  found: {
    readonly expected: string;
    readonly operator: Operator;
    readonly value: string;
    readonly rule: CaseRule | undefined;
  },
): Promise<never> {
  const { group, population, field } = on;
  await guardAgainstChurn(group, population);
  const { operator, value, rule } = found;
  const start = scoped(group, population, { filters: [{ field, operator, value }] }).list as ListQuery;
  const stillFails = async (query: ListQuery): Promise<boolean> => {
    const last = query.filters?.at(-1);
    if (last?.operator !== operator || last.field !== field) return false;
    const result = await group.read({ list: query });
    return result.refused === undefined && judged(on, operator, last.value, result, rule) !== undefined;
  };
  const smallest = await shrink(start, stillFails);
  const result = await group.read({ list: smallest });
  for (const exchange of result.exchanges) context.evidence.add(exchange);
  const difference = judged(on, operator, smallest.filters?.at(-1)?.value ?? value, result, rule);
  const label = labelOf(population, field);
  const { missing = [], extra = [] } = difference ?? {};
  throw new CheckFailure({
    expected: `${found.expected}: ${queryText(smallest)}`,
    observed: `${missing.length} records missing, ${extra.length} too many of ${on.having.length}`,
    about: { kind: 'records', operation: 'list', subject: `filter ${field}.${operator}` },
    difference: { missing: missing.map(label), extra: extra.map(label) },
  });
}

/** Fails with a relation between answers that does not hold. */
export async function failOnRelation(
  context: CheckContext,
  on: FieldCase,
  broken: Broken,
  value: string,
): Promise<never> {
  await guardAgainstChurn(on.group, on.population);
  for (const operator of broken.operators) {
    for (const exchange of (await ask(on, operator, value)).exchanges) context.evidence.add(exchange);
  }
  const label = labelOf(on.population, on.field);
  const { missing, extra } = broken.difference;
  throw new CheckFailure({
    expected: `${broken.relation} for ${on.field} and ${value}`,
    observed: `${missing.length} records missing, ${extra.length} too many`,
    about: { kind: 'records', operation: 'list', subject: `filter ${on.field}.${broken.operators.at(-1)}` },
    difference: { missing: missing.map(label), extra: extra.map(label) },
  });
}
