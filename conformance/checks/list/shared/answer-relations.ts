import type { Operator } from '../../../../lib/contract/list.ts';
import { folded } from '../../../kit/list/predicate.ts';
import { intersection } from './relations.ts';

/** What an operator kept, by the value it was asked for; nothing is known of the records themselves. */
export type Answers = ReadonlyMap<string, ReadonlySet<string>>;

/** Two answers that cannot both be right, with the records that show it. */
export interface Contradiction {
  readonly relation: string;
  readonly values: readonly [string, string];
  readonly ids: readonly string[];
}

type Relation = (one: string, other: string) => 'apart' | 'within' | undefined;

const lower = (text: string) => folded(text, 'insensitive');

/** What the values alone say of two answers of one operator: that they share no record, or that the first lies in the second. */
const RELATIONS: Readonly<Partial<Record<Operator, Relation>>> = {
  EQ: (one, other) => (lower(one) === lower(other) ? undefined : 'apart'),
  STARTSW: (one, other) => {
    if (one !== other && one.startsWith(other)) return 'within';
    return lower(one).startsWith(lower(other)) || lower(other).startsWith(lower(one)) ? undefined : 'apart';
  },
  ENDSW: (one, other) => {
    if (one !== other && one.endsWith(other)) return 'within';
    return lower(one).endsWith(lower(other)) || lower(other).endsWith(lower(one)) ? undefined : 'apart';
  },
  CONTAINS: (one, other) => (one !== other && one.includes(other) ? 'within' : undefined),
  GT: (one, other) => (Number(one) > Number(other) ? 'within' : undefined),
  LT: (one, other) => (Number(one) < Number(other) ? 'within' : undefined),
};

const WORDS = { apart: 'share no record', within: 'lie one in the other' } as const;

/** Relations between the answers of one operator to different values: how many were looked at, and the first that is broken. */
export function amongValues(operator: Operator, answers: Answers): { looked: number; broken?: Contradiction } {
  const relation = RELATIONS[operator];
  let looked = 0;
  if (relation === undefined) return { looked };
  for (const [one, kept] of answers) {
    for (const [other, others] of answers) {
      const kind = one === other ? undefined : relation(one, other);
      if (kind === undefined || kept.size === 0) continue;
      const ids = kind === 'apart' ? [...intersection(kept, others)] : [...kept].filter((id) => !others.has(id));
      if (ids.length > 0) {
        return {
          looked,
          broken: { relation: `${operator} ${one} and ${operator} ${other} ${WORDS[kind]}`, values: [one, other], ids },
        };
      }
      looked += 1;
    }
  }
  return { looked };
}

/** Answers of two operators to the same value that share no record: an operator and its negation, EQ and an order. */
export function apartFrom(
  operator: Operator,
  answers: Answers,
  than: Operator,
  others: Answers,
): { looked: number; broken?: Contradiction } {
  let looked = 0;
  for (const [value, kept] of answers) {
    const other = others.get(value);
    if (other === undefined) continue;
    const ids = [...intersection(kept, other)];
    const relation = `${operator} ${value} and ${than} ${value} ${WORDS.apart}`;
    if (ids.length > 0) return { looked, broken: { relation, values: [value, value], ids } };
    if (kept.size > 0 && other.size > 0) looked += 1;
  }
  return { looked };
}

/** An operator and its negation together keep the same records whatever they are asked for: those that the negation is about. */
export function sameTogether(
  operator: Operator,
  answers: Answers,
  positive: Operator,
  others: Answers,
): { looked: number; broken?: Contradiction } {
  const sums = [...answers].flatMap(([value, kept]) => {
    const other = others.get(value);
    return other === undefined ? [] : [[value, new Set([...kept, ...other])] as const];
  });
  const [first, ...more] = sums;
  if (first === undefined) return { looked: 0 };
  for (const [value, sum] of more) {
    const ids = [...first[1]].filter((id) => !sum.has(id)).concat([...sum].filter((id) => !first[1].has(id)));
    const relation = `${positive} and ${operator} together keep for ${value} what they keep for ${first[0]}`;
    if (ids.length > 0) return { looked: 0, broken: { relation, values: [first[0], value], ids } };
  }
  return { looked: more.length };
}
