import { counted } from '../../lib/numbers.ts';
import { isForbidden } from '../../lib/wire/answer.ts';
import type { Difference } from './difference.ts';
import { type ListQuestion, listText, type ShownList } from './observation.ts';

/** Statuses that say nothing of the list: the way there, the length of the address, or the pace. */
const IN_PASSING: readonly number[] = [408, 414, 425, 429, 431, 502, 503, 504];

const about = { kind: 'value', operation: 'list', subject: 'pages' } as const;

/** A walk that has no end, that stays where it is, or whose own link is refused. Source: "List query parameters", a client follows nextPage.href. */
export function walkFault(
  question: ListQuestion,
  { end, pages, status }: ShownList,
  mayLack?: number | undefined,
): Difference | undefined {
  const { family } = question;
  if (end === 'loop')
    return {
      ...{ requirement: 'LST-NEXT', about, family },
      expected: `pages that come to an end: ${listText(question)}`,
      observed: `a link that leads back, after ${pages.length} pages`,
    };
  const [before, last] = pages.slice(-2).map((entries) => entries.map(({ id }) => id).join());
  if (end === 'length' && before !== '' && before === last)
    return {
      ...{ requirement: 'LST-PAGE', about, family },
      expected: `another page behind each page: ${listText(question)}`,
      observed: `the same records on page ${pages.length - 1} and page ${pages.length}`,
    };
  const isOfTarget = status !== undefined && !IN_PASSING.includes(status) && !isForbidden({ status });
  if (end !== 'refused' || pages.length === 0 || !isOfTarget) return undefined;
  return {
    ...{ requirement: 'LST-NEXT', about: { ...about, kind: 'refused' }, family },
    expected: `a page behind the link of page ${pages.length}: ${listText(question)}`,
    observed: `status ${status}`,
    // A list that lost no record has all its pages.
    ...(mayLack === undefined ? {} : { isTimeless: true }),
  };
}

/**
 * A page that holds more than was asked for, or fewer with another page behind it. The largest page is not shown: *implied* is that a
 * target which gives fewer gives as many on each page but the last, and as many as it once gave. Source: "List query parameters", size.
 */
export function pageSize(
  { size, family, paging }: ListQuestion,
  { pages }: ShownList,
  largestPage: number | undefined,
): Difference | undefined {
  if (size === undefined) return undefined;
  const lengths = pages.map(({ length }) => length);
  const least = Math.min(size, Math.max(largestPage ?? 0, ...lengths));
  const wrong = lengths.findIndex((length, at) => length > size || (length < least && at < pages.length - 1));
  if (wrong < 0) return undefined;
  return {
    // A first page of the right size, and a later one of another: the way to it lost the size.
    requirement: wrong === 0 || paging === 'number' ? 'LST-SIZE' : 'LST-NEXT',
    ...{ about: { ...about, page: wrong + 1 }, family },
    expected: `${counted(least, 'record')} on a page, for size=${size}`,
    observed: `${lengths[wrong]} on page ${wrong + 1} of ${pages.length}`,
  };
}

/** A record that one page shows twice, whoever made it. Source: "List query parameters": a page lists resources. In a view, ids are those of several families. */
export function twiceOnPage(question: ListQuestion, { pages }: ShownList): Difference | undefined {
  for (const [at, page] of pages.entries()) {
    const ids = page.map(({ id }) => id).filter((id) => id !== '');
    const twice = ids.find((id, place) => ids.indexOf(id) < place);
    if (twice === undefined) continue;
    return {
      ...{ requirement: 'LST-PAGE', about: { ...about, kind: 'records', page: at + 1 }, family: question.family },
      expected: `each record once: ${listText(question)}`,
      observed: `${twice} ${ids.filter((id) => id === twice).length} times on page ${at + 1}`,
      isTimeless: true,
    };
  }
  return undefined;
}
