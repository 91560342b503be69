import { groupBy } from '../../lib/group-by.ts';
import { capacitySentence } from '../../lib/judge/capacity/answer.ts';
import { notRunWords } from '../../lib/judge/cell/judge-load.ts';
import { coverageShare } from '../../lib/judge/conformance/coverage.ts';
import { notProven } from '../../lib/judge/conformance/rollup.ts';
import { count, counted } from '../../lib/numbers.ts';
import type { Cause } from '../../lib/records/cause.ts';
import type { CapacityReport } from '../../lib/records/load/capacity.ts';
import type { CellReport } from '../../lib/records/load/load.ts';
import type { Report } from '../../lib/records/report.ts';
import { runOptions } from '../../lib/records/run-options.ts';
import { hiddenByTarget } from './not-testable.ts';

/** How an answer looks: good, bad, open, or none because the question was not asked. */
export type Tone = 'good' | 'bad' | 'open' | 'none';

/** One of the two questions the program is for, with its answer and what the answer rests on. */
export interface Answer {
  readonly question: string;
  readonly answer: string;
  readonly tone: Tone;
  readonly evidence: readonly string[];
}

const CONFORMANCE_ANSWERS = {
  conformant: ['Yes: conformant', 'good'],
  'non-conformant': ['No: not conformant', 'bad'],
  inconclusive: ['Open: too much is not proven', 'open'],
  'not-tested': ['Not tested', 'open'],
} as const;

function notAsked(question: string, hint: string): Answer {
  return { question, answer: 'Not asked in this run', tone: 'none', evidence: [hint] };
}

/** `3 causes of 162 failed results`. */
function causeLine(causes: readonly Cause[]): string {
  const total = causes.reduce((sum, { results }) => sum + results.length, 0);
  return `${counted(causes.length, 'cause')} of ${counted(total, 'failed result')}`;
}

/** Verdicts of a requirement that the run could not look at. */
const UNTESTED: ReadonlySet<string> = new Set(['not-tested', 'not-applicable', 'not-testable']);

/** Does it conform? */
export function conformanceAnswer(report: Report): Answer {
  const question = 'Does the deployment do what the specification says?';
  const part = report.conformance;
  if (part === null) return notAsked(question, 'ers-harness conformance asks it, and ers-harness verify asks both.');
  const [words, tone] = CONFORMANCE_ANSWERS[part.verdict];
  const { mode } = report.run;
  const hidden = hiddenByTarget(report);
  const limits = [
    ...(mode === 'full' ? [] : [`as far as ${mode} mode can see`]),
    ...(part.families.length < report.catalogue.families.length ? ['for the families asked for'] : []),
    ...(runOptions(report.run).checks === undefined ? [] : ['for the checks asked for']),
    ...(hidden === 0 ? [] : [`except ${counted(hidden, 'result')} that this target cannot show`]),
    ...(part.openStated === 0 ? [] : [`except ${count(part.openStated)} stated results that are not proven`]),
  ];
  const { baseline } = part;
  const allKnown = part.verdict === 'non-conformant' && baseline?.unexpected.length === 0;
  const answer =
    part.verdict === 'conformant' ? [words, ...limits].join(', ') : `${words}${allKnown ? ', as expected' : ''}`;
  const untestable = part.coverage.open.filter(({ state }) => state === 'untestable').length;
  const { exercised, testable } = coverageShare(part.coverage);
  const good = part.families.filter(({ verdict }) => verdict === 'conformant').length;
  const { counts, requirements } = part;
  const binding = new Set(
    report.catalogue.requirements
      .filter(({ level, untestable }) => (level === 'stated' || level === 'implied') && untestable === undefined)
      .map(({ id }) => id),
  );
  const bound = requirements.filter(({ id }) => binding.has(id));
  const held = bound.filter(({ verdict }) => verdict === 'pass').length;
  const untested = bound.filter(({ verdict }) => UNTESTED.has(verdict)).length;
  return {
    question,
    answer,
    tone,
    evidence: [
      ...(part.causes.length === 0 ? [] : [causeLine(part.causes)]),
      `${good} of ${part.families.length} families conformant`,
      `${counted(part.results.length, 'result')}: ${count(counts.pass)} pass, ${counts.fail} fail, ${counts.warn} warn, ${notProven(counts)} not proven, ${count(counts['not-testable'])} not testable here`,
      ...(baseline === undefined
        ? []
        : [
            `${counted(baseline.unexpected.length, 'new failure')}, ${counted(part.results.filter(({ known }) => known?.outcome === 'expected').length, 'expected failure')}`,
          ]),
      `${exercised} of ${testable} testable cells exercised with a witness (operations, filters, sorts)${untestable === 0 ? '' : `; ${untestable} not testable, with reasons`}`,
      `${held} of ${bound.length} stated and implied requirements held${untested === 0 ? '' : `, ${untested} not tested in this run`}`,
    ],
  };
}

const LOAD_ANSWERS = {
  met: ['Yes: met', 'good'],
  violated: ['No: violated', 'bad'],
  invalid: ['Undecided: some cells have no valid measurement', 'open'],
  'not-tested': ['Not tested', 'open'],
} as const;

/** Cells met by deployment size, and how many were asked for: `60k 5 of 5`. */
function byProfile(cells: readonly CellReport[]): string {
  return [...groupBy(cells, ({ profile }) => profile)]
    .map(([profile, own]) => `${profile} ${own.filter(({ verdict }) => verdict === 'met').length} of ${own.length}`)
    .join(', ');
}

/** Does the published rate hold? */
export function loadAnswer(report: Report): Answer {
  const cells = report.load?.cells ?? [];
  const targets = [...new Set(cells.map(({ facts }) => facts.plan.targetPerSecond))].sort((a, b) => a - b);
  const published = [...new Set(report.catalogue.anc?.profiles.map(({ perSecond }) => perSecond))];
  const rates = (targets.length > 0 ? targets : published).join(' and ');
  const question = `Do ANC operations hold ${rates === '' ? 'the published rate' : `${rates} transactions per second`}?`;
  if (report.load === null) return notAsked(question, 'ers-harness load asks it, and ers-harness verify asks both.');
  const { verdict, repeated, notRun = [] } = report.load;
  const [words, plainTone] = LOAD_ANSWERS[verdict];
  const isPart = verdict === 'met' && notRun.length > 0;
  const [answer, tone] = isPart ? [`${words}, as far as it was run`, 'open' as const] : [words, plainTone];
  const open = notRunWords(report.load);
  if (cells.length === 0) return { question, answer, tone, evidence: ['no cell was run', ...open] };
  const number = (word: string) => cells.filter((cell) => cell.verdict === word).length;
  const sum = (pick: (cell: (typeof cells)[number]) => number) => cells.reduce((total, cell) => total + pick(cell), 0);
  const slowest = cells.map(({ responseTime }) => responseTime.p99Ms);
  const worst = slowest.includes(null)
    ? 'not every arrival was served'
    : `${Math.max(...slowest.map((p99) => p99 ?? 0)).toFixed(1)} ms`;
  return {
    question,
    answer,
    tone,
    evidence: [
      ...open,
      `${number('met')} of ${counted(cells.length, 'cell')} met (${byProfile(cells)}), ${number('violated')} violated, ${number('invalid')} invalid`,
      `${counted(
        sum(({ scheduled }) => scheduled),
        'arrival',
      )} scheduled, ${count(sum(({ dropped }) => dropped))} dropped, ${count(sum(({ failed }) => failed))} failed`,
      `highest p99 response time of a cell: ${worst}`,
      `${count(sum(({ facts }) => facts.readBack.proven))} of ${counted(
        sum(({ facts }) => facts.readBack.sampled),
        'sampled endpoint',
      )} read back as promised`,
      ...(repeated.length === 0
        ? []
        : [`${counted(repeated.length, 'invalid first try', 'invalid first tries')} repeated; both are shown`]),
    ],
  };
}

/** How much does the deployment hold? */
export function capacityReportAnswer({ verdict, answers, steps }: CapacityReport): Answer {
  const question = 'How much ANC load does the deployment hold?';
  const words = answers.map(({ profile, operation, heldPerSecond, atLeast }) => {
    const held = heldPerSecond === null ? 'no rate held' : `${atLeast ? 'at least ' : ''}${heldPerSecond}/s`;
    return answers.length === 1 ? held : `${profile} ${operation} ${held}`;
  });
  return {
    question,
    answer: words.length === 0 ? 'Not tested' : words.join(', '),
    tone: verdict === 'met' ? 'good' : verdict === 'violated' ? 'bad' : 'open',
    evidence: [
      ...answers.map((answer) => `${answer.profile} ${answer.operation}: ${capacitySentence(answer)}`),
      `${counted(steps.length, 'step')}, each prepared, read back and judged like a load cell`,
    ],
  };
}
