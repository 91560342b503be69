import type { FamilyTable } from '../../lib/contract/types.ts';
import type { Query, Seams } from '../seams.ts';
import { arrayList, type RecordList, type StoredRecord } from '../store/record.ts';
import { compareValues, HOLDS, inCase, isNegative, textOf } from './compare.ts';
import { givingWay, sortGivingWay } from './give-way.ts';
import { makePlan } from './make-plan.ts';
import type { ListPlan } from './plan.ts';

/** Splits at the first two dots: the value keeps its own. */
function split(triplet: string): readonly [string, string, string] | undefined {
  const first = triplet.indexOf('.');
  const second = triplet.indexOf('.', first + 1);
  if (first < 1 || second < 0) return undefined;
  const [operator, value] = [triplet.slice(first + 1, second), triplet.slice(second + 1)];
  return operator === '' || value === '' ? undefined : [triplet.slice(0, first), operator, value];
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
      const waiting = pause();
      if (waiting !== undefined) await waiting;
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
      if (value === undefined) return isNegative(criterion.operator) && seams.dialect.negativeKeepsAbsent;
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
