import { counted } from '../../../../lib/numbers.ts';
import { pageOf } from '../../../../lib/wire/list-walk.ts';
import type { ListQuery } from '../../../../lib/wire/query.ts';
import type { CheckContext } from '../../../kit/check.ts';
import { CheckFailure, Inconclusive } from '../../../kit/fault.ts';
import type { ListResult } from '../../../kit/list/list-reader.ts';
import { tooLittle } from '../../../kit/too-little.ts';
import { mustAnswer } from '../filter/filter-cell.ts';
import { guardAgainstChurn, type ListGroup, listGroup, scoped } from '../shared/list-group.ts';
import { shouldSuffice } from '../shared/population.ts';
import { differenceOf } from '../shared/relations.ts';
import { queryText } from '../shared/shrink.ts';

/** A list whose records are known, to be read page by page. */
export interface PagingCase {
  readonly group: ListGroup;
  /** Ids of the list, read whole. */
  readonly whole: readonly string[];
}

/** Pages of one walk at most: larger lists are walked at larger sizes only. */
const PAGES = 40;
/** Taken where the target took none of the sizes that were tried. */
const SMALLEST_LIMIT = 20;

/** The fault of a list that is too short to be read page by page. */
export const tooShort = (context: CheckContext, { population }: ListGroup, length: number, least: 'two' | 'three') =>
  tooLittle(context, {
    own: shouldSuffice(population),
    why: `the list holds ${counted(length, 'record')}: ${length < 2 ? 'it has no second page' : 'too few for pages of several'}`,
    needs: `a list of at least ${least} records`,
  });

/** The list of the group's scope, whole. Throws if it is too short to have pages. */
export async function pagingCase(context: CheckContext): Promise<PagingCase> {
  const group = await listGroup(context);
  const result = await group.read(scoped(group, group.population, {}));
  mustAnswer(result, 'the whole list', 'list');
  if (result.cut !== undefined) throw new Inconclusive('the list could not be read to its end');
  if (result.ids.length < 2) throw tooShort(context, group, result.ids.length, 'two');
  return { group, whole: result.ids };
}

/**
 * Sizes that tell paging defects apart: a small one, one that leaves a rest, half of the length, one less than it, and the length itself. None
 * above `largest`, the size that the target is known to take: what it does with larger ones is implementation-defined.
 */
export function walkSizes(length: number, largest: number): readonly number[] {
  const exact = length % 2 === 0 ? [length / 2] : [2];
  const sizes = [1, 7, ...exact, length - 1, length];
  const walked = sizes.filter((size) => size >= 1 && size <= largest && length / size <= PAGES);
  // A list that is long for its largest size is walked at that one alone.
  return [...new Set(walked.length === 0 ? [largest] : walked)].sort((a, b) => a - b);
}

/** Sizes to walk the list at. */
export function sizesOf({ group, whole }: PagingCase): readonly number[] {
  return walkSizes(whole.length, group.size ?? SMALLEST_LIMIT);
}

/** Number of the first page: what the probe found, else whichever of 0 and 1 begins the list. */
export async function firstNumber(context: CheckContext, on: PagingCase): Promise<number | undefined> {
  const told = context.run.dialect('page.first');
  if (told === 0 || told === 1) return told;
  for (const page of [1, 0]) {
    const answer = pageOf(await on.group.requester.list(scoped(on.group, on.group.population, { size: 1, page })));
    if (answer?.items[0]?.id === on.whole[0]) return page;
  }
  return undefined;
}

/** Walks the list at a size by following nextPage.href. */
export function readAt({ group }: PagingCase, size: number, list: ListQuery = {}): Promise<ListResult> {
  return group.read(scoped(group, group.population, { ...list, size }));
}

/** Fails with the pages as evidence, after making sure that no one else changed the list. */
export async function failPaging(
  context: CheckContext,
  on: PagingCase,
  result: ListResult,
  finding: { readonly expected: string; readonly observed: string; readonly ids?: readonly string[] },
): Promise<never> {
  for (const exchange of result.exchanges.slice(0, 12)) context.evidence.add(exchange);
  await guardAgainstChurn(on.group);
  const difference = finding.ids === undefined ? undefined : differenceOf(new Set(on.whole), new Set(finding.ids));
  throw new CheckFailure({
    expected: finding.expected,
    observed: finding.observed,
    about: { kind: difference === undefined ? 'value' : 'records', operation: 'list', subject: 'pages' },
    difference: difference && { missing: [...difference.missing], extra: [...difference.extra] },
  });
}

/** The pages together hold the records of the whole list, each once. */
export async function expectUnion(
  context: CheckContext,
  on: PagingCase,
  result: ListResult,
  query: ListQuery,
): Promise<void> {
  const what = queryText(query);
  const repeated = result.ids.filter((id, index) => result.ids.indexOf(id) !== index);
  const difference = differenceOf(new Set(on.whole), new Set(result.ids));
  if (repeated.length === 0 && difference === undefined) return;
  const { missing = [], extra = [] } = difference ?? {};
  await failPaging(context, on, result, {
    expected: `the pages of ${what} hold the ${on.whole.length} records of the list once each`,
    observed: `${counted(result.pages.length, 'page')}: ${missing.length} missing, ${extra.length} foreign, ${repeated.length} repeated`,
    ids: result.ids,
  });
}
