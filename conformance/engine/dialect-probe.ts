import { type Dialect, UNKNOWN } from '../../lib/records/conformance.ts';
import type { Mode } from '../../lib/records/vocabulary.ts';
import { ANC_QUESTION } from '../dialect/anc.ts';
import { LIST_QUESTIONS } from '../dialect/lists.ts';
import { type Probe, type ProbeRecord, probeFamilies, probeRecords, type Question } from '../dialect/question.ts';
import { WRITE_QUESTIONS } from '../dialect/writes.ts';
import { type FamilyScope, familyScope, type RunScope, TURNS } from './context.ts';
import { allows } from './plan.ts';
import { tearDown } from './teardown.ts';
import { emptyTrace, type Trace } from './trace.ts';

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
  const opened: { readonly trace: Trace; readonly scope: FamilyScope }[] = [];
  const open = (name: string) => {
    const part = { trace: emptyTrace('dialect', name), scope: familyScope(run, name, TURNS.dialect) };
    opened.push(part);
    return part;
  };
  let main: (typeof opened)[number] | undefined;
  let records: readonly ProbeRecord[] = [];
  try {
    // One record tells nothing of joins and order: another family may show more.
    for (const name of probeFamilies(run.table, served, mode)) {
      const part = open(name);
      const shown = await probeRecords(part.scope.context(part.trace)).catch(() => []);
      if (main === undefined || shown.length > records.length) [main, records] = [part, shown];
      if (shown.length > 1) break;
    }
    const [anc] = served.filter((name) => run.table[name]?.ops.includes('apply')).map(open);
    for (const question of [...LIST_QUESTIONS, ...WRITE_QUESTIONS, ANC_QUESTION]) {
      const part = question.on === 'anc' ? anc : main;
      const asked = emptyTrace('dialect', question.id);
      // What a question makes goes when all are asked: the others may have seen it.
      const context = part?.scope.context({ ...asked, fixtures: part.trace.fixtures });
      const answer = context && !run.signal.aborted ? await answerOf(question, { context, records }, mode) : UNKNOWN;
      dialect[question.id] = { question: question.question, answer, evidence: asked.evidence.slice(-6) };
    }
  } finally {
    for (const part of opened) {
      await tearDown(run, part.trace);
      await part.scope.release();
    }
  }
  return dialect;
}
