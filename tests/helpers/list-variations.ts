import { CONFORMING, type ListRules, modelHolds } from './list-model.ts';

/** Lists that differ where the specification is silent: nobody is to be accused. */
export const LIST_VARIATIONS: readonly { readonly name: string; readonly rules: Partial<ListRules> }[] = [
  { name: 'V03 the first page is 0', rules: { firstPage: 0 } },
  { name: 'V04 ten records at most on a page', rules: { defaultSize: 10, largestSize: 10 } },
  {
    name: 'V04 a size over 50 is refused',
    rules: { defaultSize: 50, refuses: (q) => (Number(q.get('size') ?? 1) > 50 ? 400 : undefined) },
  },
  {
    name: 'V06 nextPage is always there and may be empty',
    rules: { next: (href) => ({ href, more: 1 }), entry: (item) => item },
  },
  {
    name: 'V07 the link is absolute and on another host',
    rules: { next: (href) => ({ rel: 'next', href: `http://other.invalid${href}` }) },
  },
  { name: 'V08 entries are whole records', rules: { entry: (item) => item } },
  {
    name: 'V09 text is compared without case',
    rules: {
      holds: (o, h, w) =>
        modelHolds(o, typeof h === 'string' ? h.toLowerCase() : h, typeof h === 'string' ? w.toLowerCase() : w),
    },
  },
  {
    name: 'V10 sorting without case, absent last',
    rules: {
      compare: (a, b) =>
        a === undefined || b === undefined
          ? Number(a === undefined) - Number(b === undefined)
          : typeof a === 'string'
            ? CONFORMING.compare(a.toLowerCase(), String(b).toLowerCase())
            : CONFORMING.compare(a, b),
    },
  },
  {
    name: 'V11 negations keep records without the field',
    rules: { holds: (o, h, w) => (h === undefined && o.startsWith('N')) || modelHolds(o, h, w) },
  },
  {
    name: 'V12 only OR in capitals is read',
    rules: { joins: (all, q) => (q.get('filterType') === 'OR' ? all.some(Boolean) : all.every(Boolean)) },
  },
  {
    name: 'V13 an order of texts is refused',
    rules: {
      refuses: (q) =>
        q.getAll('filter').some((each) => /^(name|description)\.(GT|LT)\./.test(each)) ? 400 : undefined,
    },
  },
];
