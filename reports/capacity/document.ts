import { claimOf, stepsOf } from '../../lib/judge/answer/search.ts';
import { isTooFew, LEAST_SHARE, touchedWords } from '../../lib/judge/cell/judge-load.ts';
import { reconciliationWords } from '../../lib/judge/cell/rules/reconcile.ts';
import { leftAsFound } from '../../lib/judge/left-as-found.ts';
import { present } from '../../lib/present.ts';
import { type CapacityAnswer, EMBEDDED_RATE } from '../../lib/records/load/capacity.ts';
import type { CellReport } from '../../lib/records/load/load.ts';
import type { Report } from '../../lib/records/report.ts';
import { leftOf, machineWords, tookWords } from '../../lib/records/run.ts';
import { count, counted, duration, instant, percent } from '../../lib/text.ts';
import { reproduceCommand } from '../model/command-line.ts';
import { type Line, type Section, section } from '../model/document.ts';
import { figure, refusalSection, statementBlocks } from './statement.ts';

/** How often was the generator not in order in the whole run? */
function generatorSection(steps: readonly CellReport[]): Section {
  const confirming = steps.findLast(({ facts }) => facts.step?.purpose === 'confirm');
  const lost =
    confirming?.verdict === 'invalid' &&
    `The long run that was to confirm the rate is one of them: ${confirming.reasons[0] ?? 'no reason is recorded'}.`;
  const invalid = steps.filter(({ verdict }) => verdict === 'invalid');
  const share =
    invalid.length === 0
      ? 'Every measurement was valid.'
      : `${invalid.length} of ${counted(steps.length, 'measurement')} proved nothing, because the generator or the run was at fault; no figure above rests on ${invalid.length === 1 ? 'it' : 'them'}.`;
  return section('generator', 'Was the load generator in order?', present(share, lost).join(' '));
}

function populationSection(
  { run: { target } }: Pick<Report, 'run'>,
  answer: CapacityAnswer,
  at: number,
  steps: readonly CellReport[],
): Section {
  const cell = claimOf(answer, steps).cells.at(-1);
  const [id, title] = [`population-${at}`, 'Population declared and touched'];
  if (cell === undefined) return section(id, title, 'No rate was shown to hold.');
  const declared = `Profile ${answer.profile} ${target.embedded ? 'has' : 'declares'} ${counted(cell.facts.plan.sessions, 'session')}${target.embedded ? '' : '; the harness does not verify them'}.`;
  const touched = figure(touchedWords(cell.facts, target), cell);
  const line = [`${declared} The measurement that the answer rests on `, touched, '.'];
  return section(id, title, { kind: 'text', line });
}

const EMBEDDED = `, the embedded deployment on the same machine, slowed down to ${EMBEDDED_RATE}/s`;

function configurationSection({ run }: Report, steps: readonly CellReport[]): Section {
  const { tool, target, startedAt, seed } = run;
  const facts = steps[0]?.facts;
  const generator =
    facts &&
    `k6 ${facts.generator.k6Version}, SHA-256 ${facts.generator.k6Sha256.slice(0, 16)}…, scenario ${facts.generator.bundleSha256.slice(0, 16)}…, ${facts.generator.cores} processors`;
  const connections = facts && `${facts.plan.connections}; timeout ${duration(facts.plan.timeoutMs)}`;
  const rows = {
    Target: `${target.baseUrl}${target.embedded ? EMBEDDED : ''}${target.insecure ? ', certificate not checked' : ''}`,
    Harness: `${tool.name} ${tool.version}, begun ${startedAt}, seed ${seed}`,
    Generator: generator ?? 'not run',
    Machine: machineWords(run),
    Connections: connections ?? 'none',
  };
  const lines = Object.entries(rows).map(([name, text]) => [name, [text]] as const);
  return section('configuration', 'Configuration', { kind: 'facts', rows: lines });
}

function sideEffectSection({ cleanup }: Report, cell: CellReport | undefined): Section {
  const { created, removed, residue } = cleanup;
  const reconciled = cell?.facts.readBack.reconciliation;
  const lines: Line[] = [
    [
      `${count(created)} policies were put on endpoints of the pool, ${count(removed)} were taken off, ${count(leftOf(residue))} are left.`,
    ],
    ['Left as found: ', { text: leftAsFound(cleanup).words, strong: true }, '.'],
    [
      'The whole list held against the acknowledged successes: ',
      reconciled === undefined ? 'not done' : figure(reconciliationWords(reconciled), cell),
      '.',
    ],
    ...residue.slice(0, 10).map(({ family, id, command }): Line => [`left: ${family} ${id}: ${command}`]),
  ];
  return section('side-effects', 'Side effects, and proof of clean-up', { kind: 'list', lines });
}

const REPEATED =
  'Credentials come from ERS_USERNAME and ERS_PASSWORD. Every figure of this document is made from the records of the run: ' +
  'npx ers-harness report render and the folder make it again, and the target is not touched.';

const LONG_SECONDS = 600;

function unmeasuredSection(
  report: Report,
  answers: NonNullable<Report['capacity']>['answers'],
  cells: readonly CellReport[],
): Section {
  const local = /\/\/(localhost|127\.|\[::1\])/.test(report.run.target.baseUrl) || report.run.target.embedded;
  const isLittle = cells.some(({ facts }) => isTooFew(facts, report.run.target));
  const operations = [...new Set(answers.map(({ operation }) => operation))].join(', ');
  const confirmed = answers.map(({ confirmation }) => (confirmation?.outcome === 'held' ? confirmation.seconds : 0));
  const shortest = Math.min(...confirmed);
  const slo = cells.some(({ facts }) => (facts.plan.slo ?? []).length > 0);
  const cut = report.end === null || report.end.signal !== undefined;
  const lines = present(
    cut && 'Everything that comes after the last step: the run was interrupted.',
    shortest === 0 && 'How long the rate holds: it was not confirmed by a longer run.',
    shortest > 0 &&
      shortest < LONG_SECONDS &&
      `Nothing is known beyond ${duration(shortest * 1000)}, the length of the confirmation: what uses up slowly was not seen.`,
    !slo && 'No limit of the response time was set. --slo p99=200ms makes the capacity depend on one.',
    'Arrivals at random moments: the rate came at equal distances, which is easy on a target.',
    answers.some(({ recovery }) => recovery?.valid !== true) && 'The recovery from an overload.',
    'Other numbers of connections, which carry other rates.',
    isLittle &&
      `The size of the population: what the answer rests on used less than ${percent(LEAST_SHARE)} of it, too little to speak for a deployment of this size.`,
    `Operations other than ${operations}, and several of them at once.`,
    'Other work of the deployment at the same time: authentications, administration, replication.',
    'The loss of a node, and everything that takes hours.',
    'Whether network devices enforce a policy: a success proves that the service took it, and the list that it shows it.',
    local && 'A network: generator and target ran on one machine, and shared its processors.',
  );
  return section('not-measured', 'What was not measured', { kind: 'list', lines: lines.map((line) => [line]) });
}

export type CapacityDocument = NonNullable<ReturnType<typeof capacityDocument>>;

/** The statement of a capacity for a change board; null if the run looked for none, or no step was run. */
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
    [refusalSection(answer, at, steps), populationSection(report, answer, at, steps)].map(
      (one): Section => ({ ...one, title: named(one.title, at) }),
    ),
  );
  const took = `${end?.signal === undefined ? '' : 'interrupted after '}${tookWords(end)}`;
  const rates = [...new Set(answers.map(({ targetPerSecond }) => targetPerSecond))];
  return {
    title: 'Capacity statement',
    lead: [run.target.baseUrl, instant(run.startedAt), `run ${run.runId}`, took].join(' · '),
    question: `Does the deployment sustain the published ${rates.join(' and ')} ANC transactions per second, and how much more?`,
    sections: [
      ...statements,
      unmeasuredSection(report, answers, claimed),
      generatorSection(capacity.steps),
      ...measured,
      configurationSection(report, capacity.steps),
      sideEffectSection(report, cell),
      section('repeat', 'How to repeat it', { kind: 'command', text: reproduceCommand(report) }, REPEATED),
    ],
  };
}
