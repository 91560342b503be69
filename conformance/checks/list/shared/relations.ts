import { NEGATIONS, type Operator } from '../../../../lib/contract/list.ts';

/** Ids that a relation wants and did not see, and those it saw and does not want. */
export interface Difference {
  readonly missing: readonly string[];
  readonly extra: readonly string[];
}

/** Ids of records by the operator that kept them, all for one value. */
export type Kept = Readonly<Partial<Record<Operator, ReadonlySet<string>>>>;

/** A relation between answers that holds for every deployment, whatever its records are. */
export interface Broken {
  readonly relation: string;
  /** Operators whose answers contradict each other. */
  readonly operators: readonly Operator[];
  readonly difference: Difference;
}

export const union = (...sets: readonly ReadonlySet<string>[]): Set<string> => new Set(sets.flatMap((set) => [...set]));

export const intersection = (one: ReadonlySet<string>, other: ReadonlySet<string>): Set<string> =>
  new Set([...one].filter((id) => other.has(id)));

/** How two sets differ; undefined where they are equal. */
export function differenceOf(wanted: ReadonlySet<string>, seen: ReadonlySet<string>): Difference | undefined {
  const missing = [...wanted].filter((id) => !seen.has(id));
  const extra = [...seen].filter((id) => !wanted.has(id));
  return missing.length + extra.length === 0 ? undefined : { missing, extra };
}

const PARTS: readonly (readonly [Operator, Operator])[] = [
  ['EQ', 'STARTSW'],
  ['EQ', 'ENDSW'],
  ['STARTSW', 'CONTAINS'],
  ['ENDSW', 'CONTAINS'],
];

/** An operator and its negation share no record, and together keep every record that has the field. */
export function brokenPartitions(kept: Kept, having: ReadonlySet<string>): Broken[] {
  return Object.entries(NEGATIONS).flatMap(([positive, negative]): Broken[] => {
    const [yes, no] = [kept[positive as Operator], kept[negative]];
    if (yes === undefined || no === undefined) return [];
    const operators = [positive as Operator, negative];
    const both = intersection(yes, no);
    const neither = [...having].filter((id) => !yes.has(id) && !no.has(id));
    return both.size + neither.length === 0
      ? []
      : [
          {
            relation: `${operators.join(' and ')} part the records`,
            operators,
            difference: { missing: neither, extra: [...both] },
          },
        ];
  });
}

/** What equals a value starts and ends with it; what starts or ends with it contains it. */
export function brokenParts(kept: Kept): Broken[] {
  return PARTS.flatMap(([narrow, wide]): Broken[] => {
    const [inner, outer] = [kept[narrow], kept[wide]];
    const missing = inner && outer ? [...inner].filter((id) => !outer.has(id)) : [];
    if (missing.length === 0) return [];
    return [
      { relation: `${narrow} lies within ${wide}`, operators: [narrow, wide], difference: { missing, extra: [] } },
    ];
  });
}

/** Less, equal and greater part the records that have the field. */
export function brokenTrichotomy({ LT, EQ, GT }: Kept, having: ReadonlySet<string>): Broken[] {
  if (LT === undefined || EQ === undefined || GT === undefined) return [];
  const all = [...LT, ...EQ, ...GT];
  const extra = [...new Set(all.filter((id, index) => all.indexOf(id) !== index))];
  const missing = [...having].filter((id) => !all.includes(id));
  if (extra.length + missing.length === 0) return [];
  return [
    { relation: 'LT, EQ and GT part the records', operators: ['LT', 'EQ', 'GT'], difference: { missing, extra } },
  ];
}
