import { groupBy } from '../../../group-by.ts';
import type { Cause } from '../../../records/cause.ts';
import { type ConformanceResult, type ExchangeRecord, resultKey } from '../../../records/conformance.ts';
import type { DifferenceKind } from '../../../records/vocabulary.ts';
import { marksOf } from './same-cause.ts';
import { differenceKind, type Exchanges, requirementPattern, signatureOf } from './signature.ts';

/** Groups of things of which each shares a mark with another of its group, in the order of their first member. */
function connected<T>(items: readonly T[], marks: (item: T) => readonly string[]): readonly (readonly T[])[] {
  const parent = new Map<string, string>();
  const root = (mark: string): string => {
    const above = parent.get(mark) ?? mark;
    return above === mark ? mark : root(above);
  };
  const marked = items.map((item) => ({ item, own: marks(item) }));
  for (const { own } of marked) {
    const [first, ...others] = own;
    for (const other of others) parent.set(root(other), root(first ?? other));
  }
  return [...groupBy(marked, ({ own }) => root(own[0] ?? '')).values()].map((group) => group.map(({ item }) => item));
}

/** List requirements of one family from which on its lists as a whole are taken for the cause. */
const WHOLE_LIST = 5;
const ABOUT_LISTS = /^(LST|FOP|LIST)-/;

/** Groups about the lists of one family are one where so many of its list requirements fail. */
function joinWholeLists(groups: readonly (readonly ConformanceResult[])[]): readonly (readonly ConformanceResult[])[] {
  const about = (group: readonly ConformanceResult[], family: string) =>
    group.some((result) => result.family === family && ABOUT_LISTS.test(result.requirement));
  const families = [...new Set(groups.flat().map(({ family }) => family))];
  const broken = families.filter((family) => groups.filter((group) => about(group, family)).length >= WHOLE_LIST);
  return connected(
    groups.map((group, index) => ({ group, index })),
    ({ group, index }) => [
      `group ${index}`,
      ...broken.filter((family) => about(group, family)).map((family) => `lists of ${family}`),
    ],
  ).map((joined) => joined.flatMap(({ group }) => group));
}

const sorted = (values: Iterable<string>) => [...new Set(values)].sort((a, b) => a.localeCompare(b, 'en'));

const KIND_WORDS: Readonly<Record<DifferenceKind, string>> = {
  refused: 'refused',
  accepted: 'accepted against the rules',
  'no-effect': 'success without effect',
  records: 'wrong records',
  missing: 'missing value',
  value: 'wrong value',
};

/** The check that fails most often, with the kind of its difference. */
function titleOf(results: readonly ConformanceResult[]): string {
  const [first] = [...groupBy(results, ({ title }) => title).values()].sort((a, b) => b.length - a.length);
  return first?.[0] === undefined ? '' : `${first[0].title}: ${KIND_WORDS[differenceKind(first[0])]}`;
}

function causeOf(results: readonly ConformanceResult[], exchanges: Exchanges): Omit<Cause, 'expected'> {
  const signatures = [...groupBy(results, (result) => signatureOf(result, exchanges))];
  const bySize = signatures.sort(([a, some], [b, others]) => others.length - some.length || a.localeCompare(b, 'en'));
  const ids = bySize.map(([signature]) => signature);
  return {
    id: ids[0] ?? '',
    title: titleOf(bySize[0]?.[1] ?? results),
    signatures: ids,
    requirements: [...new Set(bySize.flatMap(([, own]) => own.map(requirementPattern)))],
    families: sorted(results.map(({ family }) => family)),
    checks: sorted(results.map(({ checkId }) => checkId)),
    results: results.map(resultKey),
  };
}

/**
 * Groups failures by probable cause: the same requirement, operation and kind of difference, in whichever family or cell
 * it shows, and what one mistake breaks beside it. The largest cause comes first.
 */
export function causesOf(
  failures: readonly ConformanceResult[],
  exchanges: readonly ExchangeRecord[],
): readonly Omit<Cause, 'expected'>[] {
  const byId = new Map(exchanges.map((exchange) => [exchange.id, exchange]));
  const groups = joinWholeLists(connected(failures, (result) => marksOf(result, byId)));
  return groups
    .map((group) => causeOf(group, byId))
    .sort((a, b) => b.results.length - a.results.length || a.id.localeCompare(b.id, 'en'));
}
