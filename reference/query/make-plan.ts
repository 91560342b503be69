import { type LIST_PARAMETERS, OPERATOR_NAMES, type Operator } from '../../lib/contract/list.ts';
import { type FamilyTable, type Field, fieldsOf, isNumber } from '../../lib/contract/types.ts';
import { memberOf, vendorFacts } from '../../lib/contract/vendor.ts';
import { defined } from '../../lib/defined.ts';
import type { QueryPair } from '../../lib/wire/query.ts';
import { Problem } from '../answers/problem.ts';
import type { Seams } from '../seams.ts';
import type { Criterion, ListPlan, SortPlan } from './plan.ts';

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
  if (isNumber(type) && ['EQ', 'NEQ', 'GT', 'LT'].includes(operator) && !/^-?\d{1,15}(?:\.\d{1,15})?$/.test(value))
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
export function makePlan(table: FamilyTable, seams: Seams, name: string, pairs: readonly QueryPair[]): ListPlan {
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
