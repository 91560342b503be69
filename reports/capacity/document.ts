import { claimOf, stepsOf } from '../../lib/judge/answer/search.ts';
import { duration, instant } from '../../lib/numbers.ts';
import { present } from '../../lib/present.ts';
import type { Report } from '../../lib/records/report.ts';
import { runOptions } from '../../lib/records/run-options.ts';
import type { Section } from '../model/document.ts';
import {
  configurationSection,
  generatorSection,
  populationSection,
  repeatSection,
  sideEffectSection,
  unmeasuredSection,
} from './made.ts';
import { refusalSection } from './refusals.ts';
import { statementBlocks } from './statement.ts';

/** The same content for HTML and Markdown. */
export type CapacityDocument = NonNullable<ReturnType<typeof capacityDocument>>;

/**
 * The statement of a capacity for a change board; null where the run looked for no capacity, or no step was run.
 */
export function capacityDocument(report: Report) {
  const { capacity, run, end } = report;
  if (capacity === undefined || capacity.answers.length === 0) return null;
  const { answers } = capacity;
  const searches = answers.map((answer) => ({ answer, steps: stepsOf(capacity.steps, answer) }));
  const claimed = searches.flatMap(({ answer, steps }) => claimOf(answer, steps).cells.slice(-1));
  const [cell] = claimed;
  const slo = capacity.steps[0]?.facts.plan.slo ?? [];
  const named = (title: string, at: number) =>
    answers.length === 1 ? title : `${answers[at]?.profile} ${answers[at]?.operation}: ${title}`;
  const statements = searches.map(
    ({ answer, steps }, at): Section => ({
      id: `answer-${at}`,
      title: named('Answer', at),
      blocks: statementBlocks(answer, steps, slo, end === null || end.signal !== undefined),
    }),
  );
  const measured = searches.flatMap(({ answer, steps }, at) =>
    [refusalSection(answer, at, steps), populationSection(report, answer, at, steps)].map((section) => ({
      ...section,
      title: named(section.title, at),
    })),
  );
  const took =
    end === null
      ? 'cut before its end'
      : `${end.signal === undefined ? '' : 'interrupted after '}${duration(end.durationMs)}`;
  const rates = [...new Set(answers.map(({ targetPerSecond }) => targetPerSecond))];
  const { title = 'Capacity statement', author } = runOptions(run);
  return {
    title,
    lead: present(run.target.baseUrl, instant(run.startedAt), `run ${run.runId}`, took, author && `by ${author}`).join(
      ' · ',
    ),
    question: `Does the deployment sustain the published ${rates.join(' and ')} ANC transactions per second, and how much more?`,
    sections: [
      ...statements,
      unmeasuredSection(report, answers, claimed),
      generatorSection(
        searches.flatMap(({ steps }) => steps),
        cell,
      ),
      ...measured,
      configurationSection(report, capacity.steps),
      sideEffectSection(report, cell),
      repeatSection(report),
    ],
  };
}
