import { EXIT } from '../../exit-codes.ts';
import { present } from '../../present.ts';
import type { Reason, Statement } from '../../records/answer.ts';
import type { CapacityAnswer, CapacityReport } from '../../records/load/capacity.ts';
import type { CellReport } from '../../records/load/load.ts';
import { counted, duration, rate, some } from '../../text.ts';
import { decidingSteps } from '../capacity/trial.ts';
import { loadCellName } from '../cell/judge-load.ts';
import { missingOf, type Scope } from '../scope.ts';
import { joined, measured, say, words } from './statement.ts';

/** What the claim of a search rests on: a long run, short steps alone, short steps after a long run that proved nothing, or nothing. */
type Ground = 'confirmed' | 'steps' | 'not confirmed' | 'none';

/** The claim of a search with the cells that made it; `cells` is empty if no rate held. */
export interface Claim {
  readonly ground: Ground;
  readonly cells: readonly CellReport[];
}

export const stepsOf = (
  steps: readonly CellReport[],
  { profile, operation }: Pick<CapacityAnswer, 'profile' | 'operation'>,
): readonly CellReport[] =>
  decidingSteps(steps.filter((step) => step.profile === profile && step.operation === operation));

/** What the claimed rate of a search rests on: valid cells that held it, the confirmation alone if there is one. */
export function claimOf(answer: CapacityAnswer, steps: readonly CellReport[]): Claim {
  const { heldPerSecond, connections, confirmation } = answer;
  const held = stepsOf(steps, answer).filter(
    ({ verdict, facts }) =>
      verdict === 'met' &&
      facts.plan.targetPerSecond === heldPerSecond &&
      facts.plan.connections === connections &&
      facts.step !== undefined &&
      facts.step.purpose !== 'recovery',
  );
  if (heldPerSecond === null || held.length === 0) return { ground: 'none', cells: [] };
  const long = held.filter(({ facts }) => facts.step?.purpose === 'confirm');
  if (confirmation?.outcome === 'held') return { ground: 'confirmed', cells: long.length > 0 ? long : held };
  return { ground: confirmation === undefined ? 'steps' : 'not confirmed', cells: held };
}

/** The rate that short steps suggest, and the first above it that did not hold: `296.0 to 387.0/s`. */
function suggested(answer: CapacityAnswer, { cells }: Claim) {
  const { heldPerSecond, failedPerSecond, limit } = answer;
  const low = measured(rate(heldPerSecond ?? 0), cells);
  return failedPerSecond === null || limit !== 'target'
    ? words`${low}/s or more`
    : words`${low} to ${rate(failedPerSecond)}/s`;
}

/** Why a search answers nothing, in the words of what is missing. */
function missing(answer: CapacityAnswer, cut: boolean): string {
  const { confirmation, limit, settled } = answer;
  if (cut) return 'the run was interrupted';
  if (confirmation?.outcome === 'invalid')
    return 'the long run that was to confirm it was not valid, because the load generator was disturbed';
  if (confirmation?.outcome === 'failed')
    return `${rate(confirmation.ratePerSecond)}/s did not hold for ${duration(confirmation.seconds * 1000)}, and no lower rate was tried for so long (--for gives more time)`;
  if (limit === 'generator') return 'the load generator was the limit, so the target is not judged above it';
  return settled === false ? 'no two steps agree on each side of the limit' : 'the search ended before it was decided';
}

/** The answer of one search in a sentence; a run that was cut answers nothing that was not confirmed. */
export function searchSentence(answer: CapacityAnswer, steps: readonly CellReport[], cut: boolean): Statement {
  const { verdict, targetPerSecond, heldPerSecond, headroom, atLeast, confirmation } = answer;
  const claim = claimOf(answer, steps);
  const name = `${loadCellName(answer)} on ${counted(answer.connections, 'connection')}`;
  const about = `capacity ${name}`;
  const published = `${targetPerSecond}/s`;
  const none = confirmation?.outcome === 'failed' ? missing(answer, cut) : 'no rate was shown to hold';
  if (claim.ground === 'none' || heldPerSecond === null || headroom === null)
    return verdict === 'violated'
      ? say(about, verdict, `${name} does not hold the published ${published}: ${none}`)
      : say(about, verdict, `${name}: ${missing(answer, cut)}, and no rate was shown to hold`);
  if (verdict === 'invalid') {
    const said = words`${name}: ${missing(answer, cut)}. Short steps suggest `;
    return say(about, verdict, [...said, ...suggested(answer, claim)]);
  }
  const figure = measured(`${atLeast ? 'at least ' : ''}${rate(heldPerSecond)}/s`, claim.cells);
  const times = measured(`${headroom.toFixed(2)} times`, claim.cells);
  const how =
    confirmation?.outcome === 'held'
      ? `, confirmed for ${duration(confirmation.seconds * 1000)}`
      : ', held by steps of seconds and not confirmed';
  const said =
    verdict === 'met'
      ? words`${name} holds ${figure}${how}: ${times} the published ${published}`
      : words`${name} does not hold the published ${published}: it holds ${figure}${how}, ${times} that`;
  return say(about, verdict, said);
}

export function capacityStatement({ answers, verdict }: CapacityReport): Statement {
  const said = answers.flatMap(({ said: own }) => own ?? []);
  return say('capacity', verdict, said.length === 0 ? 'no step of a search was run' : joined(said));
}

export function capacityReasons(capacity: CapacityReport, scope: Scope): Reason[] {
  const { answers } = capacity;
  if (answers.length === 0) return [{ ...capacityStatement(capacity), code: EXIT.untested }];
  const left = missingOf(scope.searches, answers);
  const notRun = `${counted(left.length, 'requested search', 'requested searches')} not run: ${some(left)}`;
  return present(
    ...answers.map(({ said, verdict }) => {
      const code = verdict === 'violated' ? EXIT.failed : EXIT.inconclusive;
      return verdict !== 'met' && said && { ...said, code };
    }),
    left.length > 0 && { ...say('searches not run', 'not run', notRun), code: EXIT.inconclusive },
  );
}
