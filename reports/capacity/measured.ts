import { claimOf } from '../../lib/judge/answer/search.ts';
import { touchedWords } from '../../lib/judge/cell/touched.ts';
import { counted } from '../../lib/numbers.ts';
import type { CapacityAnswer } from '../../lib/records/load/capacity.ts';
import type { CellReport } from '../../lib/records/load/load.ts';
import type { Report } from '../../lib/records/report.ts';
import { type Line, type Section, section } from '../model/document.ts';
import { figure } from './cells.ts';

/** How many endpoints stood for the population. */
export function populationSection(
  { run: { target } }: Pick<Report, 'run'>,
  answer: CapacityAnswer,
  at: number,
  steps: readonly CellReport[],
): Section {
  const cell = claimOf(answer, steps).cells.at(-1);
  const line: Line =
    cell === undefined
      ? ['No rate was shown to hold.']
      : [
          `Profile ${answer.profile} ${target.embedded ? 'has' : 'declares'} ${counted(cell.facts.plan.sessions, 'session')}${target.embedded ? '' : '; the harness does not verify them'}. The measurement that the answer rests on `,
          figure(touchedWords(cell.facts, target), cell),
          '.',
        ];
  return section(`population-${at}`, 'Population declared and touched', { kind: 'text', line });
}
