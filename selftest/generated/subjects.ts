import type { SpaceName } from '../../lib/records/generated-score.ts';
import { familiesOf } from '../../reference/defects/generated/generated.ts';
import { type Line, lineId } from '../../reference/defects/generated/line.ts';
import type { Subject } from '../subject.ts';
import { SPACES } from './spaces.ts';

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
