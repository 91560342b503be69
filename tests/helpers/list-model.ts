import type { FamilyTable } from '../../lib/contract/types.ts';
import { memberOf } from '../../lib/contract/vendor.ts';
import { type Answered, startTinyTarget, type TinyTarget } from './tiny-target.ts';

type Item = Record<string, unknown>;

/** What a list does in the places that a defect or a variation may change; the defaults conform. */
export interface ListRules {
  readonly firstPage: number;
  readonly defaultSize: number;
  readonly largestSize: number;
  /** Operator, value of the record, value asked for. */
  readonly holds: (operator: string, held: unknown, wanted: string) => boolean;
  /** Value of a triplet and its parts. */
  readonly split: (triplet: string) => readonly [string, string, string] | undefined;
  readonly joins: (verdicts: readonly boolean[], query: URLSearchParams) => boolean;
  readonly compare: (one: unknown, other: unknown) => number;
  /** Records in order, before the page is cut. */
  readonly order: (items: readonly Item[], sort: (items: readonly Item[]) => Item[], query: URLSearchParams) => Item[];
  readonly cut: (items: readonly Item[], page: number, size: number) => readonly Item[];
  readonly hasNext: (page: number, size: number, total: number) => boolean;
  readonly href: (query: URLSearchParams) => URLSearchParams;
  readonly next: (href: string) => unknown;
  readonly entry: (item: Item) => Item;
  /** Status for a query that the model refuses. */
  readonly refuses: (query: URLSearchParams) => number | undefined;
}

const text = (value: unknown): string => String(value ?? '');

export function modelHolds(operator: string, held: unknown, wanted: string): boolean {
  const number = typeof held === 'number';
  const sign = number ? Math.sign(held - Number(wanted)) : text(held) < wanted ? -1 : text(held) > wanted ? 1 : 0;
  const missing = held === undefined;
  const positive: Record<string, boolean> = {
    EQ: sign === 0,
    GT: sign > 0,
    LT: sign < 0,
    STARTSW: text(held).startsWith(wanted),
    ENDSW: text(held).endsWith(wanted),
    CONTAINS: text(held).includes(wanted),
  };
  if (operator in positive) return !missing && positive[operator] === true;
  return missing ? false : positive[operator.slice(1)] === false;
}

export const CONFORMING: ListRules = {
  firstPage: 1,
  defaultSize: 20,
  largestSize: 100,
  holds: modelHolds,
  split: (triplet) => {
    const found = /^([^.]+)\.([^.]+)\.(.*)$/s.exec(triplet);
    return found ? [found[1] ?? '', found[2] ?? '', found[3] ?? ''] : undefined;
  },
  joins: (verdicts, query) =>
    query.get('filterType')?.toLowerCase() === 'or' ? verdicts.some(Boolean) : verdicts.every(Boolean),
  compare: (one, other) =>
    one === undefined || other === undefined
      ? Number(one !== undefined) - Number(other !== undefined)
      : (one as string) < (other as string)
        ? -1
        : Number((one as string) > (other as string)),
  order: (items, sort) => sort(items),
  cut: (items, page, size) => items.slice(page * size, page * size + size),
  hasNext: (page, size, total) => (page + 1) * size < total,
  href: (query) => query,
  next: (href) => ({ rel: 'next', href, type: 'application/json' }),
  entry: ({ id, name }) => ({ id, name }),
  refuses: () => undefined,
};

const OPERATORS = ['EQ', 'NEQ', 'GT', 'LT', 'STARTSW', 'NSTARTSW', 'ENDSW', 'NENDSW', 'CONTAINS', 'NCONTAINS'];

function answerList(family: string, items: readonly Item[], path: string, rules: ListRules): Answered {
  const url = new URL(path, 'http://model');
  const query = url.searchParams;
  const held = (item: Item, field: string) =>
    item[memberOf(family, field)] === '' ? undefined : item[memberOf(family, field)];
  const triplets = query.getAll('filter').map(rules.split);
  const bad = triplets.some((triplet) => !triplet || !OPERATORS.includes(triplet[1]) || triplet[0].startsWith('cfmNo'));
  const status = bad || query.get('sortasc')?.startsWith('cfmNo') ? 400 : rules.refuses(query);
  if (status !== undefined) return { status, body: { ERSResponse: { messages: [{ title: 'refused' }] } } };
  const kept = items.filter(
    (item) =>
      triplets.length === 0 ||
      rules.joins(
        triplets.map((each) => each !== undefined && rules.holds(each[1], held(item, each[0]), each[2])),
        query,
      ),
  );
  const field = query.get('sortasc') ?? query.get('sortdsc');
  const sign = query.has('sortdsc') ? -1 : 1;
  const sort = (some: readonly Item[]) =>
    field === null ? [...some] : [...some].sort((a, b) => sign * rules.compare(held(a, field), held(b, field)));
  const ordered = rules.order(kept, sort, query);
  const size = Math.min(Number(query.get('size') ?? rules.defaultSize), rules.largestSize);
  const page = Number(query.get('page') ?? rules.firstPage) - rules.firstPage;
  const cut = rules.cut(ordered, page, size);
  const onward = new URLSearchParams(query);
  onward.set('size', String(size));
  onward.set('page', String(page + 1 + rules.firstPage));
  const next = rules.hasNext(page, size, ordered.length)
    ? { nextPage: rules.next(`${url.pathname}?${rules.href(onward)}`) }
    : {};
  return { status: 200, body: { SearchResult: { total: ordered.length, resources: cut.map(rules.entry), ...next } } };
}

/** A deployment that keeps records and answers lists by these rules. */
export async function startListModel(table: FamilyTable, changes: Partial<ListRules> = {}): Promise<TinyTarget> {
  const rules = { ...CONFORMING, ...changes };
  const target: TinyTarget = await startTinyTarget(table, ({ method, path }) => {
    const [, , , name = '', id] = path.split('?')[0]?.split('/') ?? [];
    if (method !== 'GET' || id !== undefined || table[name] === undefined) return undefined;
    return answerList(name, target.records(name), path, rules);
  });
  return target;
}
