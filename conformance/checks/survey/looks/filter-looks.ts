import { OPERATOR_NAMES, type Operator } from '../../../../lib/contract/list.ts';
import { memberOf } from '../../../../lib/contract/vendor.ts';
import { defined } from '../../../../lib/defined.ts';
import { counted } from '../../../../lib/numbers.ts';
import { recordOf } from '../../../../lib/wire/answer.ts';
import type { Filter, ListQuery } from '../../../../lib/wire/query.ts';
import { CASE_RULES, type CaseRule, holds } from '../../../kit/list/predicate.ts';
import { kindOf, type Value, valueIn } from '../../../kit/list/value.ts';
import { queryText } from '../../list/shared/shrink.ts';
import type { Findings } from '../world/findings.ts';
import { denseTail } from '../world/texts.ts';
import { havingField, type Surveyed, type World } from '../world/world.ts';
import { type Asked, askList, roomFor } from './list-ask.ts';
import type { Round } from './rounds.ts';

const COMPARING: readonly Operator[] = ['EQ', 'NEQ', 'GT', 'LT'];
const WRAPS = [2 ** 16, 2 ** 31] as const;
const NUMBER = 40_000;
const DIGITS = '313';

/** What an operator is asked for in a round: values that tell every wrong reading of it from the right one. */
function operandsOf(world: World, field: string, operator: Operator, round: Round): readonly string[] {
  const { asks } = round;
  const isPlain = round.laden === undefined && round.pages === undefined;
  const kind = kindOf(world.family, field);
  const having = havingField(world, field);
  const isOrder = operator === 'GT' || operator === 'LT';
  // Nothing gives an order of texts and truth values, so that only whole sets of answers tell: asked for in plain rounds.
  if (kind !== 'integer' && isOrder && !isPlain) return [];
  // Parts of what is no text: asked for in plain rounds, as what reads them as texts shows there.
  if (kind !== 'text' && !COMPARING.includes(operator) && !isPlain) return [];
  if (kind === 'boolean') return COMPARING.includes(operator) ? ['true', 'false'] : ['true'];
  if (kind === 'integer') {
    if (!COMPARING.includes(operator)) return [DIGITS];
    return [NUMBER, ...(isPlain ? WRAPS : []).map((wrap) => wrap + NUMBER)].map(String);
  }
  // The shortest is the one that the others are mistaken for.
  const dense = having
    .map(({ values }) => String(values[field]))
    .filter((value) => value.endsWith(denseTail()))
    .sort((a, b) => a.length - b.length)[0];
  if (dense === undefined) {
    const [first] = having;
    if (first === undefined) return [];
    const value = String(first.values[field]);
    // With a blank behind it, it is another value.
    return COMPARING.slice(0, 2).includes(operator) && isPlain ? [value, `${value} `] : [value];
  }
  const isPart = asks === 'part' && !COMPARING.includes(operator) && !operator.includes('START');
  return [isPart ? denseTail() : dense];
}

/** Records that a filter keeps, under a rule of case. */
const keptBy = (records: readonly Surveyed[], { field, operator, value }: Filter, rule: CaseRule) =>
  new Set(records.filter(({ values }) => holds(operator, values[field] as Value, value, rule)).map(({ id }) => id));

const isSame = (one: ReadonlySet<string>, other: ReadonlySet<string>) =>
  one.size === other.size && [...one].every((id) => other.has(id));

/** Rules of case that a target may follow: what the probe found, or either. */
function rulesOf({ context }: World): readonly CaseRule[] {
  const found = context.run.dialect('text.case');
  return found === 'ignored' ? ['insensitive'] : found === 'told apart' ? ['sensitive'] : CASE_RULES;
}

/** The query of a round that asks one filter. */
function queryOf(world: World, filter: Filter, kept: number, round: Round): ListQuery {
  const sort = world.family.sorts[0];
  if (round.laden) return { filters: [filter], size: 50, ...defined({ sortAsc: sort }) };
  if (!round.pages) return { filters: [filter], ...roomFor(kept) };
  const { selects } = world;
  const isOwn = world.records.some(({ values }) => values[filter.field] !== undefined);
  const beside = selects === undefined || !isOwn ? filter : selects;
  return { filters: [beside, filter], size: 50 };
}

/** Nothing says which truth value is the greater one: only that equal ones are treated alike, and that none exceeds itself. */
async function judgeTruth(
  { scope, family }: World,
  having: readonly Surveyed[],
  { field, operator, value }: Filter,
  asked: Asked,
  out: Findings,
): Promise<void> {
  if (asked.fault !== undefined) return;
  const kept = new Set(having.filter(({ id }) => asked.ids.includes(id)).map(({ values }) => values[field]));
  const [stranger] = kept.size > 0 ? [] : asked.ids;
  const record = stranger === undefined ? undefined : recordOf(await scope.send('read', { id: stranger }));
  const theirs = record === undefined ? undefined : valueIn(record, memberOf(family.name, field), 'boolean');
  if (theirs !== undefined) kept.add(theirs);
  const isReflexive = kept.has(value === 'true');
  const lost = having.find(({ id, values }) => kept.has(values[field]) && !asked.ids.includes(id));
  if (lost === undefined && !isReflexive) return out.held('filters');
  if (!isReflexive && (await asked.isMoved())) return;
  const without = lost === undefined ? '' : `, and not ${lost.id}`;
  out.add('filters', {
    expected: `all records with one truth value, and none with ${value}: ${field}.${operator}.${value}`,
    observed: `${counted(asked.ids.length, 'record')}${isReflexive ? `, some with ${value}` : without}`,
    about: { kind: 'records', operation: 'list', subject: `filter ${field}.${operator}` },
    requirement: `FOP-${operator}`,
    exchanges: asked.exchanges,
  });
}

async function lookAt(world: World, filter: Filter, round: Round, out: Findings): Promise<Asked | undefined> {
  const { field, operator, value } = filter;
  const having = havingField(world, field);
  const kind = kindOf(world.family, field);
  const isOrder = (operator === 'GT' || operator === 'LT') && kind !== 'integer';
  const wants = rulesOf(world).map((rule) => keptBy(having, filter, rule));
  const query = queryOf(world, filter, wants[0]?.size ?? 0, round);
  const asked = await askList(world, query, round);
  const known = new Set(having.map(({ id }) => id));
  const seen = new Set(asked.ids.filter((id) => known.has(id)));
  if (isOrder) {
    if (kind === 'boolean') await judgeTruth(world, having, filter, asked, out);
    return asked;
  }
  const fault = asked.fault ?? (wants.some((each) => isSame(each, seen)) ? undefined : 'other records');
  if (fault === undefined) {
    out.held('filters');
    return asked;
  }
  // What came or went meanwhile may hide a record between two pages; it brings in none that does not fit.
  const isForeign = wants.every((want) => [...seen].some((id) => !want.has(id)));
  if (!isForeign && (await asked.isMoved())) return undefined;
  out.add('filters', {
    expected: `the ${wants[0]?.size ?? 0} records of ${known.size} whose ${field} fits: ${queryText(query)}`.slice(
      0,
      900,
    ),
    observed: asked.fault ?? `${counted(seen.size, 'record')}, not the same: ${operator} ${value.length} characters`,
    about: asked.about ?? { kind: 'records', operation: 'list', subject: `filter ${field}.${operator}` },
    requirement: asked.requirement ?? `FOP-${operator}`,
    exchanges: asked.exchanges,
  });
  return undefined;
}

/** Where GT and LT are taken for texts, they and EQ part the records, whatever the order is. */
async function judgeOrder(
  world: World,
  field: string,
  answers: ReadonlyMap<Operator, Asked>,
  out: Findings,
): Promise<void> {
  const [less, equal, greater] = (['LT', 'EQ', 'GT'] as const).map((operator) => answers.get(operator));
  if (less === undefined || equal === undefined || greater === undefined) return;
  if ([less, equal, greater].some(({ fault }) => fault !== undefined)) return;
  const known = havingField(world, field).map(({ id }) => id);
  const wrong = known.find((id) => [less, equal, greater].filter(({ ids }) => ids.includes(id)).length !== 1);
  if (wrong === undefined) {
    out.held('filters');
    return;
  }
  for (const asked of [less, equal, greater]) if (await asked.isMoved()) return;
  const seen = [less, equal, greater].filter(({ ids }) => ids.includes(wrong)).length;
  out.add('filters', {
    expected: `each record of ${field} among those less than, equal to or greater than a value`,
    observed: `${wrong} is among ${seen} of the three`,
    about: {
      kind: 'records',
      operation: 'list',
      subject: `filter ${field}.${greater.ids.includes(wrong) ? 'GT' : 'LT'}`,
    },
    requirement: greater.ids.includes(wrong) ? 'FOP-GT' : 'FOP-LT',
    exchanges: [...less.exchanges, ...equal.exchanges, ...greater.exchanges],
  });
}

const AT_ONCE = 3;

/** Asks every operator on every field of the family once, and holds the answers against the records. */
export async function lookAtFilters(world: World, round: Round, out: Findings): Promise<void> {
  for (const field of world.family.filters) {
    if (havingField(world, field).length === 0) continue;
    const filters = OPERATOR_NAMES.flatMap((operator) =>
      operandsOf(world, field, operator, round).map((value): Filter => ({ field, operator, value })),
    );
    const answers = new Map<Operator, Asked>();
    for (let from = 0; from < filters.length && out.isOpen('filters'); from += AT_ONCE) {
      // Several at one time go over several connections: at least one over another than the last write did.
      const some = filters.slice(from, from + AT_ONCE);
      const asked = await Promise.all(some.map((filter) => lookAt(world, filter, round, out)));
      for (const [index, answer] of asked.entries()) {
        const operator = some[index]?.operator;
        // All are asked for the first value.
        if (answer !== undefined && operator !== undefined && !answers.has(operator)) answers.set(operator, answer);
      }
    }
    if (kindOf(world.family, field) === 'text' && out.isOpen('filters')) await judgeOrder(world, field, answers, out);
  }
}
