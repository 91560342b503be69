import { counted, middle, some, withoutIds } from '../../../text.ts';
import type { Failed } from './causes.ts';
import { parametersOf, pathParts, type Shown } from './shown.ts';

export type Told = Failed & { readonly shown: Shown };

/** What all of several lists have in the same place, `*` where they differ. */
function common(lists: readonly (readonly string[])[]): readonly string[] {
  const [first = []] = lists;
  const longest = Math.min(...lists.map((list) => list.length));
  return first.slice(0, longest).map((part, at) => (lists.every((list) => list[at] === part) ? part : '*'));
}

const FILTER = /^filter=/i;
const SORT = /^sort\w+=/i;

/** A parameter as all queries have it: unchanged, what their filters or sorts share (`filter=*.CONTAINS`, `sortdsc=*`), or nothing. */
function sharedParameter(one: string, queries: readonly (readonly string[])[]): readonly string[] {
  if (queries.every((list) => list.includes(one))) return [one];
  const sort = SORT.exec(one)?.[0];
  if (sort !== undefined)
    return queries.every((list) => list.some((each) => each.startsWith(sort))) ? [`${sort}*`] : [];
  // Filters stand beside those in the same place of the other queries.
  const filtersOf = (list: readonly string[]) => list.filter((parameter) => FILTER.test(parameter));
  const place = filtersOf(queries[0] ?? []).indexOf(one);
  const filters = queries.map((list) => filtersOf(list)[place]?.replace(FILTER, '').split('.'));
  if (!FILTER.test(one) || !filters.every((filter) => filter !== undefined)) return [];
  const alike = common(filters);
  return [`filter=${alike.every((part) => part === '*') ? '*' : alike.join('.')}`];
}

/** The parameters of an example that its failure is about, unless others have them too. */
function telling({ failure: { subject }, shown }: Told, shared: readonly string[]): readonly string[] {
  const form = subject.startsWith('filter') ? FILTER : subject.startsWith('sort') ? SORT : undefined;
  if (form === undefined || shared.some((one) => form.test(one))) return [];
  return parametersOf(shown.exchange).filter((one) => form.test(one));
}

/** Methods and address of requests: what they share, and what the example is about: `GET /ers/config/{family}/versioninfo`. */
export function addressOf(example: Told, shown: readonly Shown[]): string {
  const exchanges = shown.map(({ exchange }) => exchange);
  const methods = some([...new Set(exchanges.map(({ method }) => method))]);
  const all = exchanges.map(parametersOf);
  const shared = (all[0] ?? []).flatMap((one) => sharedParameter(one, all));
  const isOpen = shared.length === 0 && all.every((list) => list.length > 0);
  const only = new Set(exchanges.map(({ path }) => path.split('?')[1] ?? ''));
  const [sent = ''] = only;
  const query =
    only.size === 1 ? [sent].filter(Boolean) : isOpen ? (all[0] ?? []) : [...telling(example, shared), ...shared];
  return `${methods} /${common(exchanges.map(pathParts)).join('/')}${query.length === 0 ? '' : `?${query.join('&')}`}`;
}

/** Letters of one part of an address: each is there, and the middle of a long one is left out, since any may be what it is about. */
const LONGEST_PART = 40;

/** The request as it was sent, without the id of its record. */
export function sentAs({ exchange: { method, path } }: Shown): string {
  const [place = '', ...query] = path.split('?');
  const sent = [withoutIds(place), ...query].join('?');
  return `${method} ${sent.replace(/[^/?&]+/g, (part) => middle(part, LONGEST_PART))}`;
}

/** How many other requests show the same: `; and 11 more like it: GET …/versioninfo`. A pattern such as `filter=*` tells nothing. */
export function othersLike(pattern: string, shown: readonly Shown[]): string {
  const more = new Set(shown.map(sentAs)).size - 1;
  if (more === 0) return '';
  const families = new Set(shown.map(({ exchange }) => exchange.family)).size;
  // What the example alone is about, others are not like.
  const forms = [FILTER, SORT].filter((form) => form.test(pattern.split('?')[1] ?? ''));
  const isOfAll = shown.every(({ exchange }) =>
    forms.every((form) => parametersOf(exchange).some((one) => form.test(one))),
  );
  if (isOfAll && pattern.includes('*') && !/=(?:\*|&|$)/.test(pattern)) return `; and ${more} more like it: ${pattern}`;
  return `; and ${counted(more, 'more request')}${families === 1 ? '' : `, in ${families} resources in all`}`;
}
