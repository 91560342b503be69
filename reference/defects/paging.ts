import { wrap } from '../seams.ts';
import type { Defect } from './defect.ts';

/** Defects of pages and of the links between them. */
export const PAGING_DEFECTS: readonly Defect[] = [
  {
    id: 'M43',
    title: 'a page begins with the last record of the one before',
    violates: ['LST-PAGE', 'LST-NEXT'],
    install: wrap('pager', (inner, kit) => ({
      range: (plan, total) => {
        const range = inner.range(plan, total);
        return plan.page > kit.seams.dialect.firstPage ? { ...range, from: range.from - 1, to: range.to - 1 } : range;
      },
    })),
  },
  {
    id: 'M44',
    title: 'the last record of a list of several pages is never listed',
    violates: ['LST-NEXT', 'LST-PAGE'],
    install: wrap('pager', (inner) => ({
      range: (plan, total) => {
        const range = inner.range(plan, total);
        return range.hasPrevious && !range.hasNext ? { ...range, to: Math.max(range.from, total - 1) } : range;
      },
    })),
  },
  {
    id: 'M45',
    title: 'nextPage is missing where exactly one page remains',
    violates: ['LST-NEXT'],
    install: wrap('pager', (inner) => ({
      range: (plan, total) => {
        const range = inner.range(plan, total);
        return { ...range, hasNext: range.hasNext && range.to + plan.size < total };
      },
    })),
  },
  {
    id: 'M46',
    title: 'the link to the next page loses the filters and filterType',
    violates: ['LST-NEXT'],
    install: wrap('pager', (inner) => ({
      linkPairs: (plan, page) => inner.linkPairs(plan, page).filter(([name]) => !/^filter/i.test(name)),
    })),
  },
  {
    id: 'M47',
    title: 'the link to the next page loses sort and size',
    violates: ['LST-NEXT'],
    install: wrap('pager', (inner) => ({
      linkPairs: (plan, page) => inner.linkPairs(plan, page).filter(([name]) => !/^(sort|size)/i.test(name)),
    })),
  },
  {
    id: 'M48',
    title: 'page is ignored: every page is the first one and has a next one',
    violates: ['LST-PAGE', 'LST-NEXT'],
    install: wrap('pager', (inner, kit) => ({
      range: (plan, total) => inner.range({ ...plan, page: kit.seams.dialect.firstPage }, total),
    })),
  },
  {
    id: 'M49',
    title: 'a page holds one record more than its size',
    violates: ['LST-SIZE'],
    install: wrap('pager', (inner) => ({
      range: (plan, total) => inner.range({ ...plan, size: plan.size + 1 }, total),
    })),
  },
];
