import { UsageError } from '../../../lib/errors.ts';
import { EXIT } from '../../../lib/exit-codes.ts';
import type { SelftestScore } from '../../../lib/records/selftest.ts';
import { generatedLines } from '../../../reference/defects/generated/generated.ts';
import { lineId } from '../../../reference/defects/generated/line.ts';
import { generatedScore } from '../../../selftest/generated/score.ts';
import { generatedSubjects } from '../../../selftest/generated/subjects.ts';
import { generatedLinesOf } from '../../../selftest/generated/table.ts';
import type { Scored } from '../../../selftest/outcome.ts';
import type { Subject } from '../../../selftest/subject.ts';
import type { Output } from '../../output/output.ts';
import { writeScore } from './write-score.ts';

/** Options of `selftest --generated`, checked. */
export interface GeneratedOptions {
  readonly sample: number;
  readonly seed: number;
  readonly line?: readonly string[];
  readonly json?: boolean;
  readonly out?: string;
}

/** What runs of subjects came to, and their cost. */
export interface SubjectRuns {
  readonly scored: readonly Scored[];
  readonly cost: SelftestScore['cost'];
}

/** Runs subjects in workers; undefined if a signal ended them. */
export type RunSubjects = (subjects: readonly Subject[]) => Promise<SubjectRuns | undefined>;

function refuseUnknown(ids: readonly string[]): void {
  const known = new Set(generatedLines().map(lineId));
  const unknown = ids.find((id) => !known.has(id));
  if (unknown !== undefined)
    throw new UsageError('unknown-line', `there is no generated defect "${unknown}"`, {
      hint: 'copy an id from the survivors that selftest --generated prints',
    });
}

/** Scores the suite on a sample of the generated defects, or on the lines that are named. */
export async function selftestGenerated(options: GeneratedOptions, run: RunSubjects, output: Output): Promise<void> {
  const { sample, seed, line } = options;
  if (line !== undefined) refuseUnknown(line);
  const subjects = generatedSubjects(sample, seed, line);
  const runs = await run(subjects);
  if (runs === undefined) return;
  const { scored, cost } = runs;
  const score = generatedScore(scored, { seed, population: generatedLines().length, cost });
  const text = JSON.stringify(score, null, 2);
  writeScore(options.out, 'generated.json', text);
  if (options.json === true) output.data(text);
  for (const each of generatedLinesOf(score)) output.warn(each);
  // A share of a sample is a measurement and no gate; an accusation of the clean deployment spoils it.
  process.exitCode = score.alarms.length === 0 ? EXIT.ok : EXIT.failed;
}
