import type { SpaceName } from '../../lib/records/generated-score.ts';
import { type Line, lineId } from '../../reference/defects/generated/line.ts';
import type { Subject } from '../subject.ts';
import { SPACES } from './spaces.ts';

/** A run against one generated defect, narrowed to the families it touches. */
export function lineSubject(line: Line, seed: number, space: SpaceName = 'generated'): Subject {
  return { kind: space, ids: [lineId(line)], seed, line, families: SPACES[space].familiesOf(line) };
}

/** The clean deployment once for each set of families: what it is accused of would be mistaken for a kill. */
function controls(subjects: readonly Subject[], seed: number): readonly Subject[] {
  const sets = new Map(subjects.map(({ families = [] }) => [families.join('+'), families]));
  return [...sets].map(([key, families]) => ({ kind: 'control', ids: [key], seed, families }));
}

/** The runs of a generated selftest: a sample of a space drawn from the seed, or the lines with these ids. */
export function generatedSubjects(
  space: SpaceName,
  sample: number,
  seed: number,
  ids?: readonly string[],
): readonly Subject[] {
  const { lines: all, sample: draw } = SPACES[space];
  const lines = ids === undefined ? draw(sample, seed) : all().filter((line) => ids.includes(lineId(line)));
  const subjects = lines.map((line) => lineSubject(line, seed, space));
  return [...controls(subjects, seed), ...subjects];
}
