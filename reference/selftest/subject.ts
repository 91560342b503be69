import { FAMILIES, familyNames } from '../../lib/contract/families.ts';
import { defined } from '../../lib/defined.ts';
import { seededRandom } from '../../lib/random.ts';
import type { Depth, Mode } from '../../lib/records/vocabulary.ts';
import type { Line } from '../defects/generated/line.ts';
import { DEFECTS } from '../defects/table.ts';
import { NULL_TARGETS } from '../null-targets/table.ts';
import { VARIATIONS } from '../variations/table.ts';

/** What a deployment is, and so what a run against it should say. */
export type SubjectKind =
  | 'clean'
  | 'churn'
  | 'defect'
  | 'variation'
  | 'pair'
  | 'null'
  | 'generated'
  | 'held-out'
  | 'control'
  | 'persona';

/** One deployment that the suite is run against. */
export interface Subject {
  readonly kind: SubjectKind;
  /** Its defects, variations, personas and rules, or null target, or the writes a second of somebody else; none for the clean one. */
  readonly ids: readonly string[];
  /** Seed of the deployment and of the checks. */
  readonly seed: number;
  readonly line?: Line;
  /** Families that the run is narrowed to; all where absent. */
  readonly families?: readonly string[];
  /** What the run may do; everything where absent. Only with a mode, the outcome has its detail. */
  readonly mode?: Mode;
  readonly depth?: Depth;
}

export interface SubjectOptions {
  readonly seed: number;
  /** Only these defects, and nothing else; all subjects where absent. */
  readonly defects?: readonly string[];
  readonly pairs: number;
  /** Imported families that each run is narrowed to, without seeded defects and null targets, which are of the twelve; all if absent. */
  readonly imported?: readonly string[];
  /** A sample of each kind, one seed. */
  readonly quick: boolean;
}

/** Writes a second, in each family, of somebody else beside a run. */
const FOREIGN_RATES = [1, 5, 20] as const;

const DEFECT_SEEDS = 3;
const SAMPLE = { defect: 1, variation: 1, null: 1 } as const;
/** Families of the deployments in a quick sample that conform, or that nobody may believe. */
const QUICK_FAMILIES = 2;
/** Answer late or never, or show writes late: minutes each, too slow for a sample. */
const SLOW = new Set(['N08', 'V20']);

export function subjectKey({ kind, ids, seed, mode }: Subject): string {
  return [kind, ids.join('+'), mode ?? '', String(seed)].filter((part) => part !== '').join(' ');
}

export function shuffled<T>(items: readonly T[], random: () => number): T[] {
  return items
    .map((item) => [random(), item] as const)
    .sort(([a], [b]) => a - b)
    .map(([, item]) => item);
}

const idsOf = (rows: readonly { readonly id: string }[]): string[] => rows.map(({ id }) => id);

/** Number of a variation: its forms (letters after it) exclude each other. */
const numberOf = (id: string): string => id.slice(0, 3);

/** Pairs of different variations, drawn from the seed, none twice. */
export function variationPairs(count: number, seed: number): readonly (readonly [string, string])[] {
  const all = idsOf(VARIATIONS);
  const pairs = all.flatMap((first, index) =>
    all
      .slice(index + 1)
      .filter((second) => numberOf(second) !== numberOf(first))
      .map((second): [string, string] => [first, second]),
  );
  return shuffled(pairs, seededRandom(seed)).slice(0, count);
}

/** The deployments of a selftest, those that may take long first. */
export function subjectsOf(options: SubjectOptions): readonly Subject[] {
  const { seed, quick, imported } = options;
  const random = seededRandom(seed);
  const seeds = Array.from({ length: quick ? 1 : DEFECT_SEEDS }, (_, index) => seed + index);
  const ofTheTwelve = (rows: readonly { readonly id: string }[]) => (imported === undefined ? idsOf(rows) : []);
  const pick = (kind: keyof typeof SAMPLE, ids: readonly string[]) =>
    quick
      ? shuffled(ids, random)
          .filter((id) => !SLOW.has(id))
          .slice(0, SAMPLE[kind])
          .sort()
      : ids;
  const depth = quick ? { depth: 'quick' as const } : {};
  const defects = (options.defects ?? pick('defect', ofTheTwelve(DEFECTS))).flatMap((id) =>
    seeds.map((each): Subject => ({ kind: 'defect', ids: [id], seed: each, ...depth })),
  );
  if (options.defects !== undefined) return [{ kind: 'clean', ids: [], seed }, ...defects];
  const nulls = pick('null', ofTheTwelve(NULL_TARGETS));
  const pairs = variationPairs(options.pairs, seed).filter((ids) => !quick || !ids.some((id) => SLOW.has(id)));
  const families = imported ?? (quick ? shuffled(familyNames(FAMILIES), random).slice(0, QUICK_FAMILIES) : undefined);
  const narrowed = (kind: SubjectKind, ids: readonly string[], own = seed): Subject => ({
    ...{ kind, ids, seed: own },
    ...defined({ families }),
    ...depth,
  });
  return [
    ...nulls.map((id) => narrowed('null', [id])),
    ...seeds.map((each) => narrowed('clean', [], each)),
    ...(quick ? [] : FOREIGN_RATES).map((rate) => narrowed('churn', [String(rate)])),
    ...defects,
    ...pick('variation', idsOf(VARIATIONS)).map((id) => narrowed('variation', [id])),
    ...pairs.map((ids) => narrowed('pair', ids)),
  ];
}
