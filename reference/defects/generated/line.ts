import { type Family, type FamilyTable, fieldsOf, type Op, offers } from '../../../lib/contract/types.ts';
import type { AncTarget } from '../../../lib/wire/anc.ts';
import type { Kit, Store, Wraps } from '../../seams.ts';
import { allOf, type StoredRecord } from '../../store/store.ts';
import type { Hit, Watch } from './watch.ts';

/** Where a mistake is: the family and whatever else names the spot. Plain data. */
export interface Place {
  readonly family: string;
  readonly [part: string]: string | number;
}

/** What a mistake is about, which decides the triggers that make sense for it. */
export type About = 'write' | 'see' | 'operand' | 'list' | 'request';

/** A kind of mistake that can be made in many places. */
export interface Operator {
  /** Group and name with a dash, as in `filter-boundary`; scores are given by it. */
  readonly id: string;
  readonly about: About;
  readonly title: (place: Place) => string;
  readonly places: (table: FamilyTable) => readonly Place[];
  /** Requirements that the mistake violates; `*` stands for any family or operator. */
  readonly violates: (place: Place) => readonly string[];
  /** Classes of values that a value-class trigger may be limited to; none if the mistake is not about a value. */
  readonly classes?: (place: Place, table: FamilyTable) => readonly string[];
  /** True if a deployment that does it each time may conform: it is a defect only beside requests that it does right. */
  readonly mayAlways?: (place: Place) => boolean;
  /** Operation at whose requests the mistake is made, where there is one and the place does not name it. */
  readonly op?: Op;
  readonly install: (place: Place, kit: Kit, watch: Watch, hit: Hit) => Wraps;
}

/** One operator for each row of a table; the name of the row is the second part of its id. */
export const operators = <Row>(
  group: string,
  about: About,
  rows: Readonly<Record<string, Row>>,
  make: (row: Row, id: string) => Omit<Operator, 'id' | 'about'>,
): readonly Operator[] => Object.entries(rows).map(([id, row]) => ({ id: `${group}-${id}`, about, ...make(row, id) }));

export interface Line {
  readonly operator: string;
  readonly place: Place;
  readonly trigger: string;
}

export type Levels = Readonly<Record<string, readonly (string | number)[]>>;

export function cross(table: FamilyTable, fits: (row: Family) => boolean, levels: Levels): readonly Place[] {
  return Object.entries(levels).reduce<readonly Place[]>(
    (places, [part, values]) => places.flatMap((place) => values.map((value) => ({ ...place, [part]: value }))),
    Object.keys(table).flatMap((family) => (fits(table[family] as Family) ? [{ family }] : [])),
  );
}

export const has =
  (...ops: readonly Op[]) =>
  (row: Family) =>
    ops.every((op) => row.ops.includes(op));

/** True for a place whose family offers the operation that this part of it names. */
export const isOffered =
  (table: FamilyTable, part: string) =>
  (place: Place): boolean =>
    offers(table, place.family, place[part] as Op);

/** True for a family whose records, or those it is a view of, are made by requests. */
export const grows = (table: FamilyTable, family: string): boolean =>
  table[family]?.ops.some((op) => op === 'create' || op === 'apply') === true || table[family]?.viewOf !== undefined;

/** Permanent name of a line: operator, place and trigger in plain text. */
export function lineId({ operator, place, trigger }: Line): string {
  const { family, ...parts } = place;
  return [operator, family, ...Object.entries(parts).map(([key, value]) => `${key}=${value}`), `@${trigger}`].join(' ');
}

export type Write = 'create' | 'update' | 'delete';

/** Families that are written, with each kind of write they take. */
export const writes = (table: FamilyTable, kinds: readonly Write[]): readonly Place[] =>
  cross(table, () => true, { write: kinds }).filter(isOffered(table, 'write'));

const CODES: Readonly<Record<string, string>> = { create: 'C', update: 'U', delete: 'D' };
/** Requirements that a write breaks where it does not do what it says. */
export const violates = ({ write }: Place) => [
  `OP-*-${CODES[String(write)]}`,
  'SVC-1',
  'PAY-*',
  'FRESH-1',
  'RES-ID',
  'VIEW-*',
];

/** A record of the family that a request made earlier and that is still there. */
export function sibling(
  store: Store,
  watch: Watch,
  family: string,
  id: string,
  which: 'newest' | 'oldest',
): StoredRecord | undefined {
  const ids = watch.created(family).filter((each) => each !== id);
  const found = (which === 'newest' ? ids : ids.toReversed()).find((each) => store.get(family, each) !== undefined);
  return found === undefined ? undefined : store.get(family, found);
}

export const recordsOf = ({ seams }: Kit, family: string): readonly StoredRecord[] => allOf(seams.store.list(family));

/** True for endpoints that are all named by their MAC, or all by their IP address. */
export const areBy = (targets: readonly AncTarget[], by: unknown): boolean =>
  targets.every(({ macAddress }) => (macAddress === undefined ? 'ip' : 'mac') === by);

export const hasDescription = (table: FamilyTable, family: string) => 'description' in fieldsOf(table[family]);
