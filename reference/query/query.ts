import { COMPARING, type LIST_PARAMETERS, OPERATOR_NAMES, type Operator } from '../../lib/contract/list.ts';
import { type FamilyTable, type Field, fieldsOf, isNumber } from '../../lib/contract/types.ts';
import { memberOf, vendorFacts } from '../../lib/contract/vendor.ts';
import { defined } from '../../lib/defined.ts';
import { encodeQuery, type QueryPair } from '../../lib/wire/query.ts';
import { Problem } from '../answers/problem.ts';
import type { Pager, Query, Seams } from '../seams.ts';
import { arrayList, type RecordList, type StoredRecord } from '../store/store.ts';
import { givingWay, sortGivingWay } from './give-way.ts';
import { type Criterion, compareValues, HOLDS, inCase, type ListPlan, type SortPlan, textOf } from './plan.ts';

const FILTER_TYPE = 'filterType' satisfies keyof typeof LIST_PARAMETERS;

const bad = (title: string) => new Problem(400, 'query', title);

/** Table row of a field: by its own name, or by that of the member it reads. */
function fieldRow(table: FamilyTable, name: string, field: string): Pick<Field, 'type' | 'form'> {
  const rows = fieldsOf(table[name]);
  const member = memberOf(name, field);
  const row = rows[member] ?? rows[field];
  if (row !== undefined) return row;
  const known = vendorFacts(name).members?.[member];
  return { type: known === undefined || known === 'string[]' ? 'string' : known };
}

function checkNumber(type: Criterion['type'], operator: Operator, field: string, value: string): void {
  if (isNumber(type) && COMPARING.includes(operator) && !/^-?\d{1,15}(?:\.\d{1,15})?$/.test(value))
    throw bad(`The filter value '${value}' of field ${field} is not a number`);
}

function criterion(table: FamilyTable, seams: Seams, name: string, triplet: string): Criterion | undefined {
  const parts = seams.query.split(triplet);
  if (parts === undefined) throw bad(`The filter '${triplet}' is not of the form field.OPERATOR.value`);
  const [field, operator, value] = parts;
  const { unlistedField, textOrder } = seams.dialect;
  const listed = table[name]?.filters.includes(field) === true;
  if (!listed && unlistedField === 'refuse') throw bad(`The filter field '${field}' is not supported`);
  const known = OPERATOR_NAMES.find((candidate) => candidate === operator);
  if (known === undefined) throw bad(`The filter operator '${operator}' of field ${field} is incorrect`);
  if (!listed && unlistedField === 'ignore') return undefined;
  const { type, form } = fieldRow(table, name, field);
  checkNumber(type, known, field, value);
  if (textOrder === 'refuse' && !isNumber(type) && (known === 'GT' || known === 'LT'))
    throw bad(`The filter operator '${operator}' needs a number, and field ${field} holds text`);
  return { field, member: memberOf(name, field), operator: known, value, type, upper: form === 'mac' };
}

function single(pairs: readonly QueryPair[], name: string): string | undefined {
  return pairs.findLast(([key]) => key === name)?.[1];
}

function wholeNumber(pairs: readonly QueryPair[], name: string, least: number, otherwise: number): number {
  const text = single(pairs, name);
  if (text === undefined) return otherwise;
  if (!/^\d{1,9}$/.test(text) || Number(text) < least)
    throw bad(`The parameter ${name} is '${text}', and must be an integer of at least ${least}`);
  return Number(text);
}

function joinOf(seams: Seams, pairs: readonly QueryPair[]): 'and' | 'or' {
  const given = pairs.findLast(([key]) => key.toLowerCase() === FILTER_TYPE.toLowerCase())?.[1];
  const { orValues, andValues } = seams.dialect;
  if (given === undefined || andValues.includes(given)) return 'and';
  if (orValues.includes(given)) return 'or';
  throw bad(`The parameter ${FILTER_TYPE} is '${given}', and must be AND or OR`);
}

function sortOf(table: FamilyTable, seams: Seams, name: string, pairs: readonly QueryPair[]): SortPlan | undefined {
  const ascending = single(pairs, 'sortasc');
  const descending = single(pairs, 'sortdsc');
  if (ascending !== undefined && descending !== undefined)
    throw bad('The parameters sortasc and sortdsc exclude each other');
  const field = ascending ?? descending;
  if (field === undefined) return undefined;
  if (table[name]?.sorts.includes(field) !== true) {
    if (seams.dialect.unlistedField === 'refuse') throw bad(`The sort field '${field}' is not supported`);
    if (seams.dialect.unlistedField === 'ignore') return undefined;
  }
  return { field, member: memberOf(name, field), descending: descending !== undefined };
}

/** Plan of a list request. Throws `Problem` (400) that names the parameter or the field. */
function makePlan(table: FamilyTable, seams: Seams, name: string, pairs: readonly QueryPair[]): ListPlan {
  const { defaultSize, maxSize, overMaxSize, firstPage } = seams.dialect;
  const criteria = pairs.filter(([key]) => key === 'filter').map(([, value]) => criterion(table, seams, name, value));
  const size = wholeNumber(pairs, 'size', 1, defaultSize);
  if (size > maxSize && overMaxSize === 'refuse')
    throw bad(`The parameter size is '${size}', and must be at most ${maxSize}`);
  const sort = sortOf(table, seams, name, pairs);
  return {
    family: name,
    criteria: criteria.filter((found) => found !== undefined),
    join: joinOf(seams, pairs),
    ...defined({ sort }),
    page: wholeNumber(pairs, 'page', firstPage, firstPage),
    size: Math.min(size, maxSize),
    pairs: pairs.filter(([key]) => key !== 'page' && key !== 'size'),
  };
}

const TRIPLET = new RegExp(`^(.+?)\\.(${OPERATOR_NAMES.join('|')})\\.(.+)$`, 's');

/** Splits at the first operator, for a field may hold dots; else at the first two dots. The value keeps its own. */
function split(triplet: string): readonly [string, string, string] | undefined {
  const [, field, operator, value] = TRIPLET.exec(triplet) ?? /^([^.]+)\.([^.]+)\.(.+)$/s.exec(triplet) ?? [];
  return field === undefined || operator === undefined || value === undefined ? undefined : [field, operator, value];
}

function orderOf(seams: Seams, plan: ListPlan): ((a: StoredRecord, b: StoredRecord) => number) | undefined {
  const { sort } = plan;
  if (sort === undefined) return undefined;
  const { absentFirst, sortIgnoresCase } = seams.dialect;
  const key = (value: unknown) => (sortIgnoresCase && typeof value === 'string' ? value.toLowerCase() : value);
  const sign = sort.descending ? -1 : 1;
  return (a, b) => {
    const [left, right] = [a[sort.member], b[sort.member]];
    if (left === undefined || right === undefined) {
      if (left === right) return 0;
      return (left === undefined) === absentFirst ? -1 : 1;
    }
    return sign * compareValues(key(left), key(right));
  };
}

/** Filter and sort over the store. Long lists are worked through in pieces, so that other requests get their turn. */
export function createQuery(table: FamilyTable, seams: Seams): Query {
  const remembered = new Map<string, { readonly key: string; readonly result: RecordList }>();

  const scan = async (name: string, plan: ListPlan): Promise<readonly StoredRecord[]> => {
    const pause = givingWay();
    const found: StoredRecord[] = [];
    for (const piece of seams.store.list(name).pieces()) {
      for (const record of piece) if (seams.query.accepts(record, plan)) found.push(record);
      await pause();
    }
    return found;
  };

  const work = async (name: string, plan: ListPlan): Promise<RecordList> => {
    const found = seams.query.shortcut(name, plan) ?? (await scan(name, plan));
    const order = seams.query.order(plan);
    return arrayList(order === undefined ? found : await sortGivingWay(found, order));
  };

  return {
    split,
    plan: (name, pairs) => makePlan(table, seams, name, pairs),
    holds: (record, criterion) => {
      const value = record[criterion.member];
      if (value === undefined) return criterion.operator.startsWith('N') && seams.dialect.negativeKeepsAbsent;
      const [stored, filter] = inCase(criterion, seams.dialect.ignoreCase, value);
      return HOLDS[criterion.operator](stored, filter);
    },
    accepts: (record, { criteria, join }) => {
      if (criteria.length === 0) return true;
      const holds = (criterion: ListPlan['criteria'][number]) => seams.query.holds(record, criterion);
      return join === 'or' ? criteria.some(holds) : criteria.every(holds);
    },
    order: (plan) => orderOf(seams, plan),
    shortcut: (name, plan) => {
      const exact = plan.criteria.find(({ operator, type }) => operator === 'EQ' && type === 'string');
      const sources = seams.store.sources(name);
      if (exact === undefined || (plan.join === 'or' && plan.criteria.length > 1) || seams.dialect.ignoreCase) return;
      // An index holds one record for each value.
      if (seams.dialect.duplicates === 'allow') return;
      if (sources.length !== 1 || !seams.store.indexed(name, exact.member)) return;
      const value = exact.upper ? textOf(exact.value).toUpperCase() : exact.value;
      const record = seams.store.find(name, exact.member, value);
      return record !== undefined && seams.query.accepts(record, plan) ? [record] : [];
    },
    select: async (name, plan) => {
      if (plan.criteria.length === 0 && plan.sort === undefined) return seams.store.list(name);
      const key = JSON.stringify([seams.store.version(name), plan.criteria, plan.join, plan.sort]);
      const last = remembered.get(name);
      if (last?.key === key) return last.result;
      const result = await work(name, plan);
      remembered.set(name, { key, result });
      return result;
    },
  };
}

export function createPager(seams: Seams): Pager {
  return {
    range: ({ page, size }, total) => {
      const { firstPage, pastEnd } = seams.dialect;
      const from = (page - firstPage) * size;
      if (from >= total && page !== firstPage && pastEnd === 'refuse')
        throw new Problem(400, 'page', `The page ${page} does not exist. Please refine your query.`);
      return { from, to: Math.min(from + size, total), hasNext: from + size < total, hasPrevious: page > firstPage };
    },
    items: (list, { from, to }) => list.slice(from, to),
    linkPage: ({ page }, step) => page + step,
    // Clients read the number of the page off the end of the link (C9).
    linkPairs: ({ pairs, size }, page) => [...pairs, ['size', String(size)], ['page', String(page)]],
    href: ({ request }, path, pairs) => `${request.origin}${path}${encodeQuery(pairs)}`,
  };
}
