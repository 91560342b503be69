import { familiesOf, generatedLines, sampleLines } from '../../reference/defects/generated/generated.ts';
import { type Line, lineId } from '../../reference/defects/generated/line.ts';
import type { Subject } from '../subject.ts';

/** A run against one generated defect, narrowed to the families it touches. */
export function lineSubject(line: Line, seed: number): Subject {
  return { kind: 'generated', ids: [lineId(line)], seed, line, families: familiesOf(line) };
}

/** The clean deployment once for each set of families: what it is accused of would be mistaken for a kill. */
function controls(subjects: readonly Subject[], seed: number): readonly Subject[] {
  const sets = new Map(subjects.map(({ families = [] }) => [families.join('+'), families]));
  return [...sets].map(([key, families]) => ({ kind: 'control', ids: [key], seed, families }));
}

/** The runs of a generated selftest: a sample drawn from the seed, or the lines with these ids. */
export function generatedSubjects(sample: number, seed: number, ids?: readonly string[]): readonly Subject[] {
  const all = generatedLines();
  const lines = ids === undefined ? sampleLines(all, sample, seed) : all.filter((line) => ids.includes(lineId(line)));
  const subjects = lines.map((line) => lineSubject(line, seed));
  return [...controls(subjects, seed), ...subjects];
}
