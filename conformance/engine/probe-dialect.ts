import type { Dialect } from '../../lib/records/conformance.ts';
import type { Mode } from '../../lib/records/vocabulary.ts';
import { probeFamily, probeRecords } from '../dialect/probe-records.ts';
import { type Probe, type Question, UNKNOWN } from '../dialect/question.ts';
import { DIALECT_QUESTIONS } from '../dialect/questions.ts';
import { familyScope, type RunScope } from './context.ts';
import { allows } from './plan.ts';
import { tearDown } from './teardown.ts';
import { emptyTrace } from './trace.ts';

async function answerOf(question: Question, probe: Probe, mode: Mode): Promise<unknown> {
  if (!allows(mode, question.needs)) return UNKNOWN;
  try {
    return (await question.ask(probe)) ?? UNKNOWN;
  } catch {
    // A question that cannot be asked is a fact that is not known; checks of the same behavior tell why.
    return UNKNOWN;
  }
}

/**
 * Asks the target what it does where the specification is silent, before anything is judged. Questions that write are
 * asked where the mode allows, on records of this run, which are removed. What could not be found is `unknown`.
 */
export async function probeDialect(run: RunScope, served: readonly string[]): Promise<Dialect> {
  const all = Object.keys(run.table);
  const { mode } = run.client.options;
  const dialect: Dialect = {};
  const open = (name: string) => {
    const trace = emptyTrace('dialect', name);
    return { trace, scope: familyScope(run, name, all.indexOf(name), all.length) };
  };
  const home = probeFamily(run.table, served, mode);
  const main = home === undefined ? undefined : open(home);
  const ancName = served.find((name) => run.table[name]?.ops.includes('apply'));
  const anc = ancName === undefined ? undefined : open(ancName);
  try {
    const records = main === undefined ? [] : await probeRecords(main.scope.context(main.trace)).catch(() => []);
    for (const question of DIALECT_QUESTIONS) {
      const part = question.on === 'anc' ? anc : main;
      if (run.signal.aborted || part === undefined) {
        dialect[question.id] = { question: question.question, answer: UNKNOWN, evidence: [] };
        continue;
      }
      const asked = emptyTrace('dialect', question.id);
      // What a question makes goes when all are asked: the others may have seen it.
      const context = part.scope.context({ ...asked, fixtures: part.trace.fixtures });
      const answer = await answerOf(question, { context, records }, mode);
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
