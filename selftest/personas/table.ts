import { counted, duration } from '../../lib/numbers.ts';
import type { PersonaRun, PersonaScore, PersonasScore } from '../../lib/records/selftest.ts';
import { Mode } from '../../lib/records/vocabulary.ts';
import { gateLines } from '../table.ts';

const COLUMNS: readonly (readonly [title: string, of: (run: PersonaRun) => number])[] = [
  ['right', (run) => run.right],
  ['false', (run) => run.false.length],
  ['lost', (run) => run.lost.length],
  ['unav.', (run) => run.unavoidable],
  ['left', (run) => run.left.length],
  ['exit', (run) => run.exit],
  ['ops', (run) => run.operations],
  ['filt.', (run) => run.filters],
];
const WIDTH = 6;

/** Lines that are printed of one kind, before the rest is only counted. */
const MOST = 12;

function figures(score: PersonaScore, modes: readonly Mode[]): string {
  return modes
    .map((mode) => {
      const run = score.runs.find((one) => one.mode === mode);
      return COLUMNS.map(([, of]) => (run === undefined ? '' : String(of(run))).padStart(WIDTH)).join('');
    })
    .join(' |');
}

function tallied(texts: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  const lines = [...counts]
    .sort(([, a], [, b]) => b - a)
    .map(([text, count]) => `${String(count).padStart(5)}  ${text}`);
  return [...lines.slice(0, MOST), ...(lines.length > MOST ? [`       and ${lines.length - MOST} more`] : [])];
}

function details(scores: readonly PersonaScore[], title: string, textsOf: (run: PersonaRun) => readonly string[]) {
  const found = scores.flatMap(({ name, runs }) =>
    runs.map((run) => ({ name: `${name}, ${run.mode}`, texts: textsOf(run) })).filter(({ texts }) => texts.length > 0),
  );
  if (found.length === 0) return [];
  return [
    '',
    title,
    ...found.flatMap(({ name, texts }) => [`  ${name}`, ...tallied(texts).map((line) => `  ${line}`)]),
  ];
}

/** The score on personas as a person reads it: the gate, a row for each deployment, and what is not as it should be. */
export function personaLines(score: PersonasScore): string[] {
  const modes = Mode.options.filter((mode) => score.scores.some(({ runs }) => runs.some((run) => run.mode === mode)));
  const width = Math.max(14, ...score.scores.map(({ name }) => name.length));
  const titles = COLUMNS.map(([title]) => title.padStart(WIDTH)).join('');
  const others = score.scores.filter(({ kind }) => kind !== 'clean');
  const { cost } = score;
  return [
    ...gateLines(score.gate),
    '',
    `${''.padEnd(width)}${modes.map((mode) => mode.padStart((COLUMNS.length * WIDTH) / 2 + 5).padEnd(COLUMNS.length * WIDTH)).join(' |')}`.trimEnd(),
    `${''.padEnd(width)}${modes.map(() => titles).join(' |')}`,
    ...score.scores.map((one) => `${one.name.padEnd(width)}${figures(one, modes)}`),
    ...details(others, 'False failures', (run) => run.false.map((text) => text.slice(0, 200))),
    ...details(others, 'Results lost, by check and reason', (run) =>
      run.lost.map(({ key, reason }) => `${key.split('|')[0]}: ${reason.replace(/\|[a-z]+\|/g, '|*|').slice(0, 140)}`),
    ),
    ...details(others, 'Records left behind, by family', (run) => run.left.map((record) => record.split('/')[0] ?? '')),
    ...details(others, 'Records of others that are gone or changed', (run) => run.harmed),
    '',
    `${counted(cost.runs, 'run')}, ${counted(cost.requests, 'request')}, ${duration(cost.durationMs)} with ${cost.workers} workers; seed ${score.seed}`,
    `selftest on personas: the gate is ${score.met ? 'met' : 'not met'}`,
  ];
}
