import { LIST_ENVELOPE } from '../../../lib/contract/list.ts';
import { PATH_PREFIX } from '../../../lib/contract/operations.ts';
import type { Call } from '../../http/wire.ts';
import { type Fields, type Kit, type Outcome, shaping, withLocation, withValue } from '../../seams.ts';
import { allOf } from '../../store/store.ts';
import { cross, has } from '../generated/line.ts';
import { type Mistake, QUOTES, sorts } from './effects.ts';

/** The address with the id of another record; the same where there is none. */
function ofAnother(href: string, { seams }: Kit, family: string): string {
  const ids = allOf(seams.store.list(family)).map(({ id }) => id);
  const at = ids.findIndex((id) => href.endsWith(`/${id}`));
  return at < 0 ? href : href.replace(ids[at] ?? '', ids[(at + 1) % ids.length] ?? '');
}

const WRONGS: Readonly<Record<string, (href: string, kit: Kit, family: string) => string>> = {
  prefix: (href) => href.replace(PATH_PREFIX, ''),
  'prefix-twice': (href) => href.replace(PATH_PREFIX, `${PATH_PREFIX}${PATH_PREFIX}`),
  family: (href, { table }, family) => {
    const names = Object.keys(table);
    return href.replace(`/${family}`, `/${names[(names.indexOf(family) + 1) % names.length]}`);
  },
  record: ofAnother,
};

const WHENS: Readonly<Record<string, RegExp>> = {
  always: /^/,
  late: /(^|&)page=(?!1(&|$))/,
  filtered: /(^|&)filter=/,
  sorted: /(^|&)sort(asc|dsc)=/,
};

type Change = (href: string) => string;
const withHref = (link: unknown, change: Change) => ({
  ...(link as Fields),
  href: change(String((link as Fields)['href'])),
});
const inValue =
  (change: (value: Fields, changed: Change) => Fields) =>
  (outcome: Outcome, changed: Change): Outcome =>
    withValue(outcome, (value) => ({ ...value, ...change(value, changed) }));

/** Where links are: the operation that answers with them, requirements, and the outcome with them changed. */
const LINKS_OF = {
  next: {
    op: 'list',
    violates: () => ['LST-NEXT', 'LST-PAGE'],
    relink: inValue(({ [LIST_ENVELOPE.next]: next }, changed) =>
      next === undefined ? {} : { [LIST_ENVELOPE.next]: withHref(next, changed) },
    ),
  },
  entry: {
    op: 'list',
    violates: (family: string) => [`OP-${family}-L`, 'LIST-GET'],
    relink: inValue(({ [LIST_ENVELOPE.items]: entries }, changed) => ({
      [LIST_ENVELOPE.items]: (entries as readonly Fields[]).map((entry) => ({
        ...entry,
        link: withHref(entry['link'], changed),
      })),
    })),
  },
  self: {
    op: 'read',
    violates: (family: string) => [`OP-${family}-R`],
    relink: inValue(({ link }, changed) => ({ link: withHref(link, changed) })),
  },
  location: {
    op: 'create',
    violates: (family: string) => [`OP-${family}-C`],
    relink: withLocation,
  },
} as const;
type Link = keyof typeof LINKS_OF;

const linking = (about: Pick<Mistake, 'id' | 'title' | 'sentence' | 'places'>): Mistake => ({
  ...about,
  violates: ({ family, link, wrong }) => [
    ...LINKS_OF[link as Link].violates(family),
    ...(wrong === 'query' || wrong === 'record' ? [] : ['SVC-2']),
    ...(link !== 'next' && !String(wrong).startsWith('prefix') ? ['RES-ID'] : []),
  ],
  install: ({ family, link, wrong, when }, kit, watch) => {
    const { op, relink } = LINKS_OF[link as Link];
    let last: string | undefined;
    const spoiled = (href: string) => {
      const other = wrong === 'query' ? (last ?? href) : (WRONGS[String(wrong)]?.(href, kit, family) ?? href);
      last = href;
      return watch.instead(href, other);
    };
    const isMine = ({ route, request }: Call) =>
      route?.family === family && route.op === op && watch.meets(WHENS[String(when)]?.test(request.query) === true);
    return shaping((outcome, call) =>
      outcome.kind !== 'problem' && isMine(call) ? relink(outcome, spoiled) : outcome,
    )(kit);
  },
});

/** Another host may be right, behind a proxy: what is wrong is an address that leads to something else, or to nothing. */
const NEXT = ['prefix', 'prefix-twice', 'family', 'query'];
const RECORD = ['prefix', 'prefix-twice', 'family', 'record'];

export const LINKS: readonly Mistake[] = [
  linking({
    id: 'links-next',
    title: 'the link to the next page, on such a list, has this wrong',
    sentence: QUOTES.next,
    places: (table) => [
      ...cross(table, has('list'), { link: ['next'], wrong: NEXT, when: ['always', 'late', 'filtered'] }),
      ...cross(table, sorts, { link: ['next'], wrong: NEXT, when: ['sorted'] }),
    ],
  }),
  linking({
    id: 'links-record',
    title: 'such a link to a record has this wrong',
    sentence: `Every path starts with /ers/config and is relative to {base_url}. … ${QUOTES.ids} … ${QUOTES.codes}`,
    places: (table) => [
      ...cross(table, has('list', 'read'), { link: ['entry'], wrong: RECORD, when: ['always', 'filtered', 'late'] }),
      ...cross(table, has('read'), { link: ['self'], wrong: RECORD, when: ['always'] }),
      ...cross(table, has('create'), { link: ['location'], wrong: RECORD, when: ['always'] }),
    ],
  }),
];
