import { type Defect, defect } from '../deviation.ts';

export const PAGING_DEFECTS: readonly Defect[] = [
  defect(
    'M43',
    'a page begins with the last record of the one before',
    ['LST-PAGE', 'LST-NEXT'],
    'pager',
    (inner, kit) => ({
      range: (plan, total) => {
        const range = inner.range(plan, total);
        return plan.page > kit.seams.dialect.firstPage ? { ...range, from: range.from - 1, to: range.to - 1 } : range;
      },
    }),
  ),
  defect(
    'M44',
    'the last record of a list of several pages is never listed',
    ['LST-NEXT', 'LST-PAGE'],
    'pager',
    (inner) => ({
      range: (plan, total) => {
        const range = inner.range(plan, total);
        return range.hasPrevious && !range.hasNext ? { ...range, to: Math.max(range.from, total - 1) } : range;
      },
    }),
  ),
  defect('M45', 'nextPage is missing where exactly one page remains', ['LST-NEXT'], 'pager', (inner) => ({
    range: (plan, total) => {
      const range = inner.range(plan, total);
      return { ...range, hasNext: range.hasNext && range.to + plan.size < total };
    },
  })),
  defect('M46', 'the link to the next page loses the filters and filterType', ['LST-NEXT'], 'pager', (inner) => ({
    linkPairs: (plan, page) => inner.linkPairs(plan, page).filter(([name]) => !/^filter/i.test(name)),
  })),
  defect('M47', 'the link to the next page loses sort and size', ['LST-NEXT'], 'pager', (inner) => ({
    linkPairs: (plan, page) => inner.linkPairs(plan, page).filter(([name]) => !/^(sort|size)/i.test(name)),
  })),
  defect(
    'M48',
    'page is ignored: every page is the first one and has a next one',
    ['LST-PAGE', 'LST-NEXT'],
    'pager',
    (inner, kit) => ({
      range: (plan, total) => inner.range({ ...plan, page: kit.seams.dialect.firstPage }, total),
    }),
  ),
  defect('M49', 'a page holds one record more than its size', ['LST-SIZE'], 'pager', (inner) => ({
    range: (plan, total) => inner.range({ ...plan, size: plan.size + 1 }, total),
  })),
];
