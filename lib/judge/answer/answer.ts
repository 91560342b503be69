import { weightOf } from '../../exit-codes.ts';
import { type Answer, type Reason, type Statement, statementText } from '../../records/answer.ts';

/** Throws `RangeError` where two statements about one fact say different things of it. */
function agree(statements: readonly Statement[]): void {
  const said = new Map<string, string>();
  for (const { about, says } of statements) {
    const before = said.get(about);
    if (before !== undefined && before !== says) throw new RangeError(`${about} is said to be ${before} and ${says}`);
    said.set(about, says);
  }
}

/** Reasons in order of weight. */
export const byWeight = (reasons: readonly Reason[]): Reason[] =>
  [...reasons].sort((a, b) => weightOf(a.code) - weightOf(b.code));

/** A reason without the word before it and the name for programs behind it. */
const core = (reason: Reason) =>
  statementText(reason)
    .replace(/^(failed|new|Better): /, '')
    .replace(/ \[[^\]]*\]$/, '');

/**
 * The one answer of a run, its reasons in order of weight, without those that the sentence has said in full. Throws
 * `RangeError` where it contradicts itself.
 */
export function makeAnswer(parts: Answer): Answer {
  agree([parts.sentence, ...parts.reasons, ...parts.notShown]);
  const said = statementText(parts.sentence);
  return { ...parts, reasons: byWeight(parts.reasons).filter((reason) => !said.includes(core(reason))) };
}
