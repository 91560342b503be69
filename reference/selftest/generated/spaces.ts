import {
  familiesOf,
  type Generated,
  generate,
  generatedLines,
  sampleLines,
  triggerKind,
} from '../../defects/generated/generated.ts';
import { type Line, lineId } from '../../defects/generated/line.ts';
import { dimensionOf, heldOutLines, makeHeldOut } from '../../defects/held-out/space.ts';
import type { Subject } from '../subject.ts';

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
export interface Drawn {
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
