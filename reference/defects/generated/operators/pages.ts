import type { Pager, Wraps } from '../../../seams.ts';
import { isLast, linked, ranged } from '../../lists.ts';
import { cross, operators } from '../line.ts';
import { onceFor } from '../watch.ts';

interface Paging {
  readonly title: string;
  readonly wrap: (pager: Pager) => Partial<Pager>;
}

const PAGINGS: Readonly<Record<string, Paging>> = {
  overlap: {
    title: 'begin with the last record of the page before',
    wrap: ranged((range) => (range.hasPrevious ? { ...range, from: range.from - 1 } : range)),
  },
  gap: {
    title: 'leave out a record between them',
    wrap: ranged((range) => (range.hasPrevious ? { ...range, from: range.from + 1 } : range)),
  },
  'last-lost': {
    title: 'never show the last record',
    wrap: ranged((range) => (isLast(range) ? { ...range, to: range.to - 1 } : range)),
  },
  larger: {
    title: 'hold one record more than their size',
    wrap: ranged((range, _, total) => ({ ...range, to: Math.min(total, range.to + 1) })),
  },
  smaller: {
    title: 'hold one record less than their size where more follow',
    wrap: ranged((range) => (range.hasNext ? { ...range, to: range.to - 1 } : range)),
  },
  ignored: {
    title: 'are all the first',
    wrap: ranged((range, { size }, total) => ({ ...range, from: 0, to: Math.min(total, size) })),
  },
  'next-lost': { title: 'have no next page', wrap: ranged((range) => ({ ...range, hasNext: false })) },
  'next-lost-late': {
    title: 'have no next page from the second on',
    wrap: ranged((range) => (range.hasPrevious ? { ...range, hasNext: false } : range)),
  },
  'next-skips': {
    title: 'lead to the page after the next',
    wrap: (pager) => ({ linkPage: (plan, step) => pager.linkPage(plan, step) + (step === 1 ? 1 : 0) }),
  },
  'next-stays': { title: 'lead to themselves', wrap: () => ({ linkPage: ({ page }) => page }) },
  'link-filter': { title: 'lose the filters in the link', wrap: linked(/^filter$/i) },
  'link-join': { title: 'lose filterType in the link', wrap: linked(/^filtertype$/i) },
  'link-sort': { title: 'lose the sort in the link', wrap: linked(/^sort/i) },
  'link-size': { title: 'lose the size in the link', wrap: linked(/^size$/i) },
  'link-one-filter': {
    title: 'keep one filter only in the link',
    wrap: (pager) => ({
      linkPairs: (plan, page) => {
        let seen = 0;
        return pager.linkPairs(plan, page).filter(([name]) => name !== 'filter' || seen++ === 0);
      },
    }),
  },
  'link-raw': {
    title: 'leave the values of the link as they are',
    wrap: () => ({
      href: ({ request }, path, pairs) =>
        `${request.origin}${path}?${pairs.map(([name, value]) => `${name}=${value.replaceAll(' ', '+')}`).join('&')}`,
    }),
  },
};

export const PAGED = operators('page', 'list', PAGINGS, (paging, id) => ({
  title: ({ family }) => `${family}: pages ${paging.title}`,
  places: (table) => cross(table, ({ sorts }) => id !== 'link-sort' || sorts.length > 0, {}),
  violates: () => ['LST-PAGE', 'LST-SIZE', 'LST-NEXT', 'OP-*-L'],
  install: (place, _kit, watch, hit): Wraps => {
    const isOn = onceFor(place, watch, hit);
    return {
      pager: (inner) => {
        const wrong = { ...inner, ...paging.wrap(inner) };
        const pick = <A extends unknown[], R>(right: (...args: A) => R, other: (...args: A) => R) =>
          right === other
            ? right
            : (...args: A): R => {
                if (!isOn()) return right(...args);
                const given = other(...args);
                return JSON.stringify(given) === JSON.stringify(right(...args)) ? given : watch.changes(given);
              };
        return {
          range: pick(inner.range, wrong.range),
          linkPairs: pick(inner.linkPairs, wrong.linkPairs),
          linkPage: pick(inner.linkPage, wrong.linkPage),
          href: pick(inner.href, wrong.href),
        };
      },
    };
  },
}));
