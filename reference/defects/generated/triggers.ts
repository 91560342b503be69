import { OPS } from '../../../lib/contract/operations.ts';
import type { Family, FamilyTable, Op } from '../../../lib/contract/types.ts';
import { type About, grows, type Operator, type Place } from './line.ts';
import type { Feature, Occasion, Watch } from './watch.ts';

export interface Trigger {
  readonly id: string;
  /** Kind by which scores are given. */
  readonly kind: string;
  readonly title: string;
  /** A fresh decision for one deployment. */
  readonly start: (family: string, watch: Watch) => (occasion: Occasion) => boolean;
}

/** Size of a family from which the `nth` trigger holds: beyond a first page of default size. */
const MANY = 22;
/** Requests to a family in one stretch of the `while` trigger; every second stretch is bad. */
const STRETCH = 40;

/** Classes of texts that deployments have been seen to confuse with something else. */
const VALUE_CLASSES: Readonly<Record<string, (value: string) => boolean>> = {
  long: (value) => value.length > 255,
  digits: (value) => /^\d+$/.test(value),
  'boolean-like': (value) => /^(true|false|null|yes|no)$/i.test(value),
  'double-blank': (value) => / {2}/.test(value),
  'beyond-ascii': (value) => /[^\u0020-\u007e]/.test(value),
  surrogates: (value) => /[\ud800-\udbff]/.test(value),
  quotes: (value) => /["']/.test(value),
  markup: (value) => /[&<>]/.test(value),
  percent: (value) => /[%+]/.test(value),
  dots: (value) => /\./.test(value),
  comma: (value) => /[,;|]/.test(value),
  slash: (value) => /[\\/]/.test(value),
  capitals: (value) => /[A-Z]/.test(value) && value === value.toUpperCase(),
  'operator-like': (value) => /\b(EQ|NEQ|GT|LT|STARTSW|CONTAINS|ENDSW|AND|OR|or)\b/.test(value),
};

const after = (kind: string, title: string): Trigger => ({
  id: `after-${kind}`,
  kind: 'after',
  title,
  start: (family, watch) => () => watch.last(family)?.kind === kind,
});

const withFeature = (feature: Feature): Trigger => ({
  id: `with-${feature}`,
  kind: 'feature',
  title: `when the request carries ${feature} too`,
  start: (_family, watch) => () => watch.now()?.features.has(feature) === true,
});

const forClass = (name: string): Trigger => ({
  id: `class-${name}`,
  kind: 'class',
  title: `for values that are ${name}`,
  start:
    () =>
    ({ value }) =>
      value !== undefined && VALUE_CLASSES[name]?.(String(value)) === true,
});

const PLAIN: readonly Trigger[] = [
  { id: 'always', kind: 'always', title: 'always', start: () => () => true },
  {
    id: 'second',
    kind: 'second',
    title: 'every second time',
    start: () => {
      const seen = new Map<string, number>();
      return ({ key }) => {
        const count = (seen.get(key) ?? 0) + 1;
        seen.set(key, count);
        return count % 2 === 0;
      };
    },
  },
  after('delete', 'while the last write was a delete'),
  after('failed', 'while the last write was refused'),
  after('rename', 'while the last write changed a name'),
  {
    id: 'nth',
    kind: 'nth',
    title: `while the family has ${MANY} records or more`,
    start: (family, watch) => () => watch.size(family) >= MANY,
  },
  {
    id: 'other-connection',
    kind: 'connection',
    title: 'on another connection than that of the last write',
    start: (family, watch) => () => {
      const written = watch.last(family);
      return written !== undefined && written.connection !== watch.now()?.connection;
    },
  },
  {
    id: 'while',
    kind: 'while',
    title: `in every second stretch of ${STRETCH} requests`,
    start: (family, watch) => () => Math.floor(watch.requests(family) / STRETCH) % 2 === 1,
  },
];

/** Features that can stand beside a mistake in one request, by what it is about. */
const FEATURES_OF: Readonly<Record<About, readonly Feature[]>> = {
  write: ['media-type', 'csrf'],
  see: ['media-type', 'extra'],
  operand: ['two-filters', 'sort', 'later-page', 'size', 'extra', 'media-type'],
  list: ['filter', 'sort', 'later-page', 'size', 'extra'],
  request: ['media-type', 'extra'],
};

export const TRIGGERS: readonly Trigger[] = [
  ...PLAIN,
  ...[...new Set(Object.values(FEATURES_OF).flat())].map(withFeature),
  ...Object.keys(VALUE_CLASSES).map(forClass),
];

/** Features of lists that the requests of a window cannot have: a window is told from the others by them. */
const LACKING: Readonly<Record<string, readonly Feature[]>> = {
  read: ['filter', 'sort', 'later-page', 'size'],
  list: ['filter', 'sort'],
  sorted: ['filter'],
};

function mayCarry(feature: Feature, operator: Operator, place: Place, family: Family | undefined): boolean {
  if (feature === place['feature'] || LACKING[String(place['window'])]?.includes(feature) === true) return false;
  if (feature === 'sort') return (family?.sorts.length ?? 0) > 0;
  const op = operator.op ?? place['by'] ?? place['op'];
  const headers = Object.hasOwn(OPS, String(op)) ? OPS[op as Op].headers : 'all';
  return headers === 'all' || (feature !== 'media-type' && feature !== 'csrf');
}

/** Ids of the triggers under which an operator at a place is a defect of its own. */
export function triggersFor(operator: Operator, place: Place, table: FamilyTable): readonly string[] {
  const family = table[place.family];
  const isWritten = grows(table, place.family);
  const isOwner = isWritten && family?.viewOf === undefined;
  const features = FEATURES_OF[operator.about].filter((feature) => mayCarry(feature, operator, place, family));
  return [
    ...(operator.mayAlways?.(place) === true ? [] : ['always']),
    'second',
    ...(isOwner ? ['after-delete', 'after-failed', 'other-connection'] : []),
    ...(family?.ops.includes('update') === true ? ['after-rename'] : []),
    ...(isWritten ? ['nth'] : []),
    'while',
    ...features.map((feature) => `with-${feature}`),
    ...(operator.classes?.(place, table) ?? []).map((name) => `class-${name}`),
  ];
}
