import { type Dialect, UNKNOWN } from '../../lib/records/conformance.ts';
import type { Mode } from '../../lib/records/vocabulary.ts';
import { ANC_QUESTION } from '../dialect/anc.ts';
import { LIST_QUESTIONS } from '../dialect/lists.ts';
import { type Probe, probeFamily, probeRecords, type Question } from '../dialect/question.ts';
import { WRITE_QUESTIONS } from '../dialect/writes.ts';
import { familyScope, type RunScope, TURNS } from './context.ts';
import { allows } from './plan.ts';
import { tearDown } from './teardown.ts';
import { emptyTrace } from './trace.ts';

/** Every question of the probe, in the order they are asked; ids are permanent. */
const QUESTIONS: readonly Question[] = [...LIST_QUESTIONS, ...WRITE_QUESTIONS, ANC_QUESTION];

async function answerOf(question: Question, probe: Probe, mode: Mode): Promise<unknown> {
  if (!allows(mode, question.needs)) return UNKNOWN;
  try {
    return (await question.ask(probe)) ?? UNKNOWN;
  } catch {
    // A question that cannot be asked is a fact that is not known; checks of the same behavior tell why.
    return UNKNOWN;
  }
}

/** Asks what the target does where the specification is silent, before anything is judged; writes if the mode allows. Else `unknown`. */
export async function probeDialect(run: RunScope, served: readonly string[]): Promise<Dialect> {
  const { mode } = run.client.options;
  const dialect: Dialect = {};
  const open = (name: string | undefined) =>
    name === undefined
      ? undefined
      : { trace: emptyTrace('dialect', name), scope: familyScope(run, name, TURNS.dialect) };
  const main = open(probeFamily(run.table, served, mode));
  const anc = open(served.find((name) => run.table[name]?.ops.includes('apply')));
  try {
    const records = main === undefined ? [] : await probeRecords(main.scope.context(main.trace)).catch(() => []);
    for (const question of QUESTIONS) {
      const part = question.on === 'anc' ? anc : main;
      const asked = emptyTrace('dialect', question.id);
      // What a question makes goes when all are asked: the others may have seen it.
      const context = part?.scope.context({ ...asked, fixtures: part.trace.fixtures });
      const answer = context && !run.signal.aborted ? await answerOf(question, { context, records }, mode) : UNKNOWN;
      dialect[question.id] = { question: question.question, answer, evidence: asked.evidence.slice(-6) };
    }
  } finally {
    for (const part of [main, anc]) {
      if (part === undefined) continue;
      await tearDown(run, part.trace);
      await part.scope.release();
    }
  }
  return dialect;
}
