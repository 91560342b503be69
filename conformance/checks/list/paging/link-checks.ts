import { counted } from '../../../../lib/numbers.ts';
import { pageOf } from '../../../../lib/wire/list-walk.ts';
import type { Check, CheckContext } from '../../../kit/check.ts';
import { CheckFailure, Inconclusive } from '../../../kit/fault.ts';
import { guardAgainstChurn, scoped } from '../shared/list-group.ts';
import { firstNumber, type PagingCase, pagingCase, sizesOf } from './paging.ts';

/** A page by its number, with the records that the count leaves for the pages after it. */
interface Place {
  readonly size: number;
  readonly number: number;
  readonly after: number;
}

/** Places before the end of a list, at each size that lists are walked at: the first page, and the last but one. */
function placesIn(on: PagingCase): readonly Place[] {
  const { length } = on.whole;
  return sizesOf(on)
    .filter((size) => size < length)
    .flatMap((size) => {
      const last = Math.ceil(length / size) - 1;
      return [...new Set([0, last - 1])].map((number) => ({ size, number, after: length - size * (number + 1) }));
    });
}

async function expectLink(context: CheckContext, on: PagingCase, first: number, place: Place): Promise<void> {
  const { size, number, after } = place;
  const page = first + number;
  const exchange = await on.group.requester.list(scoped(on.group, on.group.population, { size, page }));
  const answer = pageOf(exchange);
  if (answer === undefined)
    throw new Inconclusive(`page ${page} of size=${size} is answered with status ${exchange.status}`);
  if (answer.items.length === 0)
    throw new Inconclusive(`page ${page} of size=${size} is empty; paging/numbered judges that`);
  context.witness('pages');
  if (answer.next !== undefined) return;
  context.evidence.add(exchange);
  await guardAgainstChurn(on.group);
  throw new CheckFailure({
    expected: `page ${page} of size=${size} to name a next page: ${counted(on.whole.length, 'record')}, ${after} of them after it`,
    observed: 'no nextPage.href',
    about: { kind: 'missing', operation: 'list', subject: 'pages' },
  });
}

/** The count of records says where a page is followed by another: what the link says has to agree. */
async function linksWhereMore(context: CheckContext): Promise<undefined> {
  const on = await pagingCase(context);
  const first = await firstNumber(context, on);
  if (first === undefined) throw new Inconclusive('neither page 0 nor page 1 begins the list');
  for (const place of placesIn(on)) await expectLink(context, on, first, place);
  return undefined;
}

/** Links of pages that were asked for by number, held against the count of the list. */
export const linkChecks: readonly Check[] = [
  {
    id: 'paging/next-where-more',
    title: 'a page links to the next one while records are left',
    requirement: 'LST-NEXT',
    level: 'stated',
    appliesTo: (family) => family.ops.includes('list'),
    dependsOn: ['list/envelope', 'list/complete', 'paging/size'],
    exercises: ['list'],
    needs: 'read',
    run: linksWhereMore,
  },
];
