import { FAMILIES, familyNames } from '../../lib/contract/families.ts';
import { defined } from '../../lib/defined.ts';
import { seededRandom } from '../../lib/random.ts';
import type { Depth, Mode } from '../../lib/records/vocabulary.ts';
import {
  familiesOf,
  type Generated,
  generate,
  generatedLines,
  sampleLines,
  triggerKind,
} from '../defects/generated/generated.ts';
import { type Line, lineId } from '../defects/generated/line.ts';
import { dimensionOf, heldOutLines, makeHeldOut } from '../defects/held-out/space.ts';
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

interface SubjectOptions {
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

/** A space of generated defects: of the dimensions that the checks were written with, and of those they were not. */
export type SpaceName = 'generated' | 'held-out';

interface Space {
  readonly lines: () => readonly Line[];
  readonly make: (line: Line) => Generated;
  readonly sample: (lines: readonly Line[], count: number, seed: number) => readonly Line[];
  /** Kind by which scores are given, and its name. */
  readonly kindOf: (line: Line) => string;
  readonly kind: string;
}

export const SPACES: Readonly<Record<SpaceName, Space>> = {
  generated: {
    lines: generatedLines,
    make: generate,
    sample: sampleLines,
    kindOf: triggerKind,
    kind: 'trigger',
  },
  'held-out': {
    lines: heldOutLines,
    make: makeHeldOut,
    sample: (lines, count, seed) => sampleLines(lines, count, seed, [dimensionOf, ({ operator }) => operator]),
    kindOf: dimensionOf,
    kind: 'dimension',
  },
};

export function spaceWith(id: string): SpaceName | undefined {
  return (Object.keys(SPACES) as SpaceName[]).find((name) => SPACES[name].lines().some((line) => lineId(line) === id));
}

/** A run against one generated defect, narrowed to the families it touches. */
export function lineSubject(line: Line, seed: number, space: SpaceName = 'generated'): Subject {
  return { kind: space, ids: [lineId(line)], seed, line, families: familiesOf(line) };
}

/** The clean deployment once for each set of families: what it is accused of would be mistaken for a kill. */
function controls(subjects: readonly Subject[], seed: number): readonly Subject[] {
  const sets = new Map(subjects.map(({ families = [] }) => [families.join('+'), families]));
  return [...sets].map(([key, families]) => ({ kind: 'control', ids: [key], seed, families }));
}

/** What of a space is run: a sample drawn from the seed, or the lines with these ids; of these families alone if they are given. */
interface Drawn {
  readonly sample: number;
  readonly ids?: readonly string[];
  readonly families?: readonly string[];
}

export function linesOf(space: SpaceName, families?: readonly string[]): readonly Line[] {
  return SPACES[space].lines().filter(({ place }) => families?.includes(place.family) ?? true);
}

export function generatedSubjects(
  space: SpaceName,
  seed: number,
  { sample, ids, families }: Drawn,
): readonly Subject[] {
  const all = linesOf(space, families);
  const lines =
    ids === undefined ? SPACES[space].sample(all, sample, seed) : all.filter((line) => ids.includes(lineId(line)));
  const subjects = lines.map((line) => lineSubject(line, seed, space));
  return [...controls(subjects, seed), ...subjects];
}
