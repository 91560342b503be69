import type { Exchange } from '../../../lib/client/types.ts';
import { NEGATIONS, type Operator } from '../../../lib/contract/list.ts';
import { type Asked, askBeside } from '../../driver/ask.ts';
import { filterOf } from '../../driver/operands.ts';
import { isTorn } from '../../driver/others.ts';
import { hurried } from '../../driver/patience.ts';
import { findRecord, live } from '../../driver/session.ts';
import { heldIn } from '../../kit/list/value.ts';
import type { ListObservation, ListQuestion } from '../../model/observation.ts';
import { operatorLooks } from './list-looks.ts';
import type { Population } from './population.ts';

export interface Related {
  /** Answers that cannot both be right, whatever the records hold: the oracle is not asked. */
  readonly contradiction: { readonly expected: string; readonly ids: readonly string[] } | undefined;
  readonly compared: number;
  readonly exchanges: readonly Exchange[];
}

/** Values that an operator and its negation are asked for. */
const VALUES = 2;

type Agreement = Omit<Related, 'exchanges'>;

const NOTHING: Agreement = { contradiction: undefined, compared: 0 };

const unless = (ids: readonly string[], expected: string, compared: number): Agreement => ({
  contradiction: ids.length === 0 ? undefined : { expected, ids },
  compared,
});

const misplaced = (one: readonly string[], other: readonly string[]): readonly string[] =>
  one.filter((id, at) => other[at] !== id).slice(0, 1);

/** Known records in the order of an answer; undefined if it was not read to its end. */
async function idsOf({ session, asked }: Asking, query: Pick<ListQuestion, 'filters' | 'sort' | 'size'>) {
  const question = { window: 'list', family: session.context.family.name, ...query } as const;
  const seen = await askBeside(session, question);
  if (seen !== undefined) asked.push(seen);
  if (seen?.shown.end !== 'whole') return undefined;
  const known = new Set(live(session).map(({ id }) => id));
  return seen.shown.pages.flat().flatMap(({ id }) => (known.has(id) ? [id] : []));
}

interface Asking extends Pick<Population, 'session'> {
  readonly asked: (ListObservation & Asked)[];
}

/** Asks until nothing contradicts, at most for the visibility window: others write, and writes show late. */
async function untilAgreed({ session }: Population, once: (on: Asking) => Promise<Agreement>): Promise<Related> {
  let related: Related = { ...NOTHING, exchanges: [] };
  const looks: (ListObservation & Asked)[] = [];
  const hasAgreed = await hurried(session)(async () => {
    const asked: Asking['asked'] = [];
    const agreement = await once({ session, asked });
    related = { ...agreement, exchanges: asked.flatMap(({ exchanges = [] }) => exchanges) };
    looks.push(...asked);
    return agreement.contradiction === undefined ? true : undefined;
  });
  return hasAgreed === true || !isTorn(session, looks) ? related : { ...related, contradiction: undefined };
}

/** An operator and its negation share no record, and what they keep together is the same for every value. */
export function negationHolds(population: Population, field: string, positive: Operator, size: number) {
  const { session } = population;
  const { family } = session.context;
  const negative = NEGATIONS[positive] as Operator;
  const operands = operatorLooks(family, field, positive, size).flatMap((look) => {
    const known = findRecord(session, look.about);
    const first = look.query.criteria[0];
    const records = [...(known === undefined ? [] : [known]), ...live(session)];
    return (first && filterOf(family, first, records)?.value) ?? [];
  });
  const all = [...new Set(operands)];
  const values = all.length > VALUES ? [...all.slice(0, VALUES - 1), ...all.slice(-1)] : all;
  return untilAgreed(population, async (on) => {
    let together: readonly string[] | undefined;
    let compared = 0;
    for (const value of values) {
      const kept = await idsOf(on, { filters: [{ field, operator: positive, value }], size });
      const left = await idsOf(on, { filters: [{ field, operator: negative, value }], size });
      if (kept === undefined || left === undefined) continue;
      const both = kept.filter((id) => left.includes(id));
      const neither = `no record for both ${field}.${positive}.${value} and ${field}.${negative}.${value}`;
      if (both.length > 0) return unless(both, neither, compared);
      const sum = [...kept, ...left].sort();
      const before = together ?? sum;
      const other = [...before.filter((id) => !sum.includes(id)), ...sum.filter((id) => !before.includes(id))];
      const same = `${positive} and ${negative} of ${field} to keep the same together for ${value} as for other values`;
      if (other.length > 0) return unless(other, same, compared);
      together = before;
      if (sum.length > 0) compared += 1;
    }
    return { contradiction: undefined, compared };
  });
}

/** Records whose value no other record shares, apart from signs and case: equal values may stand anywhere, and some orders skip signs. */
export function distinct({ session }: Pick<Population, 'session'>, field: string): ReadonlySet<string> {
  const { family } = session.context;
  const spelled = live(session).flatMap(({ id, fields }): (readonly [string, string])[] => {
    const value = heldIn(family, fields, field);
    const text = `${value}`;
    return value === undefined || /[^ -~]/.test(text) ? [] : [[id, text.toLowerCase().replace(/[^a-z0-9]/g, '')]];
  });
  // If no record shows the field, the places of all are compared.
  if (!live(session).some(({ fields }) => heldIn(family, fields, field) !== undefined))
    return new Set(live(session).map(({ id }) => id));
  const isOne = (text: string) => spelled.filter(([, other]) => other === text).length === 1;
  return new Set(spelled.flatMap(([id, text]) => (isOne(text) ? [id] : [])));
}

/** One direction is the other turned round, on values that differ. */
export function reverseHolds(population: Population, field: string, size: number): Promise<Related> {
  return untilAgreed(population, async (on) => {
    const up = await idsOf(on, { filters: [], sort: { field, descending: false }, size });
    const down = await idsOf(on, { filters: [], sort: { field, descending: true }, size });
    if (up === undefined || down === undefined) return NOTHING;
    const judged = distinct(population, field);
    const rising = up.filter((id) => judged.has(id) && down.includes(id));
    const falling = down.filter((id) => rising.includes(id)).reverse();
    const turned = `sortdsc=${field} to be sortasc=${field} turned round`;
    return unless(misplaced(rising, falling), turned, rising.length > 1 ? rising.length : 0);
  });
}

/** The largest list whose pages are filled to the last. */
const MOST = 40;

/** Walks the list at sizes that fill its last page. *Implied*: a link to an empty page is of no use. `empty`: where one is. */
export async function emptyPage({ session, count }: Population) {
  // Without a record that has an id, no page can be told from an empty one.
  const sizes = new Set([count < 10 ? Math.min(1, count) : Math.ceil(count / 2), count]);
  let pages = 0;
  for (const size of [...sizes].filter((each) => each > 0 && count / each <= MOST)) {
    let empty: number | undefined;
    await hurried(session)(async () => {
      const question = { window: 'list', family: session.context.family.name, filters: [], size } as const;
      const shown = (await askBeside(session, question))?.shown;
      if (shown === undefined) return true;
      pages = Math.max(pages, shown.pages.length);
      const at = shown.pages.findIndex((page, index) => index > 0 && page.length === 0);
      empty = at < 0 ? undefined : at + 1;
      return at < 0 ? true : undefined;
    });
    if (empty !== undefined) return { empty: `page ${empty} of size=${size} is empty`, pages };
  }
  return { empty: undefined, pages };
}
