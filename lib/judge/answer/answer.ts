import { weightOf } from '../../exit-codes.ts';
import type { Answer, Statement } from '../../records/answer.ts';

/** Throws `RangeError` where two statements about one fact say different things of it. */
function agree(statements: readonly Statement[]): void {
  const said = new Map<string, string>();
  for (const { about, says } of statements) {
    const before = said.get(about);
    if (before !== undefined && before !== says) throw new RangeError(`${about} is said to be ${before} and ${says}`);
    said.set(about, says);
  }
}

/** The one answer of a run, its reasons in order of weight. Throws `RangeError` where it contradicts itself. */
export function makeAnswer(parts: Answer): Answer {
  agree([parts.sentence, ...parts.reasons, ...parts.notShown]);
  return { ...parts, reasons: [...parts.reasons].sort((a, b) => weightOf(a.code) - weightOf(b.code)) };
}
