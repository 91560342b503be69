import { EXIT } from '../../exit-codes.ts';
import { present } from '../../present.ts';
import type { Reason, Statement } from '../../records/answer.ts';
import type { CellReport } from '../../records/load/load.ts';
import { counted, rate, some } from '../../text.ts';
import { type LoadReport, loadCellName, missingNames } from '../cell/judge-load.ts';
import { isAnsweredDespite, mostAnswered } from '../cell/rules/rule.ts';
import { isInterrupted } from '../cell/window.ts';
import type { Scope } from '../scope.ts';
import { measured, say, words } from './statement.ts';

const fact = (cell: CellReport) => `load ${loadCellName(cell)}`;

const asked = (cells: readonly CellReport[]): string =>
  [...new Set(cells.map(({ facts }) => facts.plan.targetPerSecond))].map((target) => `${target}/s`).join(' and ');

const OF_EFFECT: ReadonlySet<string> = new Set([
  ...['reconciled', 'policies-proven', 'totals-agree'],
  ...['read-back-done', 'effect-proven', 'effect-proven-in-flight'],
]);

const broken = ({ rules }: CellReport) => rules.filter(({ holds }) => holds === false);

const isBrokenBy = (cell: CellReport, is: (id: string) => boolean): boolean =>
  cell.verdict === 'violated' && broken(cell).length > 0 && broken(cell).every(({ id }) => is(id));

/** True for a cell that held its rate, and answered later than the operator asked for: the specification asks for no time. */
const isLate = (cell: CellReport) => isBrokenBy(cell, (id) => id.startsWith('slo-p'));

/** True for a cell whose requests were taken at their rate, and did not all do what was answered. */
const isUndone = (cell: CellReport) => isBrokenBy(cell, (id) => OF_EFFECT.has(id));

/** True for a cell whose rate was not held, although every request was taken and did what it says. */
export const isTooSlow = (cell: CellReport): boolean =>
  cell.verdict === 'violated' &&
  cell.failed === 0 &&
  !isLate(cell) &&
  !broken(cell).some(({ id }) => OF_EFFECT.has(id));

/** By how much a cell was late: `p99 of the response time is 62.2 ms, asked were at most 20 ms`. */
const lateText = (cell: CellReport): string =>
  broken(cell)
    .map(({ id, measured: was, limit }) => `${id.slice(4)} of the response time is ${was}, asked were at most ${limit}`)
    .join('; ');

/** True for a cell that is too slow by what it served in all, and not only at times. */
export const isShort = (cell: CellReport): boolean =>
  isTooSlow(cell) && cell.achievedPerSecond < cell.facts.plan.targetPerSecond;

/** What else is too slow, in one sentence: the reason is told of the slowest. */
function slowToo(cells: readonly CellReport[]): Reason {
  const served = cells.map((cell) => `${loadCellName(cell)} served ${rate(cell.achievedPerSecond)}/s`);
  const text = measured(`${counted(cells.length, 'more load')} too slow: ${some(served)}`, cells);
  return { ...say('loads too slow', 'too slow', words`${text}`), code: EXIT.failed };
}

/** A cell whose target served less than was offered, with what it served; or what else kept it from holding its rate. */
function notHeld(cell: CellReport): Reason {
  const name = loadCellName(cell);
  const target = cell.facts.plan.targetPerSecond;
  const [first = 'no reason is recorded'] = cell.reasons;
  const served = measured(`${rate(cell.achievedPerSecond)}/s`, [cell]);
  const slow = isTooSlow(cell);
  const ended = (as: string, text: Parameters<typeof say>[2]) => ({ ...say(fact(cell), as, text), code: EXIT.failed });
  if (isLate(cell))
    return ended('late', words`${measured(`${name} holds ${target}/s, but ${lateText(cell)}`, [cell])}`);
  if (isUndone(cell)) {
    const text = measured(`${name} answers ${target}/s, and does not do all that it answers: ${first}`, [cell]);
    return ended('undone', words`${text}`);
  }
  return isShort(cell)
    ? ended('too slow', words`${name} is too slow: it served ${served} of ${target}/s; ${first}`)
    : ended(slow ? 'too slow' : 'not held', words`${name} does not hold ${target}/s: ${measured(first, [cell])}`);
}

function notMeasured(cell: CellReport): Reason {
  const why = cell.reasons[0] ?? 'no reason is recorded';
  const name = loadCellName(cell);
  const text = isInterrupted(cell.facts)
    ? `${name} was ${why}, and says nothing of the target`
    : isAnsweredDespite(cell)
      ? `${name}: ${why}`
      : `${name} was not measured validly, and says nothing of the target: ${why}`;
  return { ...say(fact(cell), 'invalid', text), code: EXIT.inconclusive };
}

/** What was refused, in the words of the server where they are recorded, or else for the reason that is. */
const refusedWords = ({ profile, operation, says, reason }: NonNullable<LoadReport['notRun']>[number]): string =>
  `${profile} ${operation} was refused: ${says ?? reason}. Not a question of speed`;

/** Why a load ends as it ends: what was too slow, what was refused, what was not measured validly, what was not run. */
export function loadReasons(load: LoadReport, scope: Scope): Reason[] {
  const { cells, notRun = [] } = load;
  const refused = notRun.map((one) => {
    return { ...say(`load ${one.profile} ${one.operation}`, 'refused', refusedWords(one)), code: EXIT.refused };
  });
  const [, ...others] = cells.filter(isShort).toSorted((a, b) => a.achievedPerSecond - b.achievedPerSecond);
  const missing = missingNames(load, scope);
  const notRunText = `${counted(missing.length, 'requested load')} not run: ${some(missing)}`;
  if (cells.length === 0)
    return [...refused, { ...say('load', 'not tested', 'load: nothing was measured'), code: EXIT.untested }];
  return [
    ...cells.filter((cell) => cell.verdict === 'violated' && !others.includes(cell)).map(notHeld),
    ...present(others.length > 0 && slowToo(others)),
    ...cells.filter(({ verdict }) => verdict === 'invalid').map(notMeasured),
    ...refused,
    ...present(missing.length > 0 && { ...say('cells not run', 'not run', notRunText), code: EXIT.inconclusive }),
  ];
}

/** What a load showed, in one sentence: how many hold their rate, and which do not, each in its own word. */
export function loadSentence(load: LoadReport, scope: Scope): Statement {
  const { cells, notRun = [] } = load;
  const all = cells.length + notRun.length + missingNames(load, scope).length;
  const late = cells.filter(isLate);
  const met = cells.filter((cell) => cell.verdict === 'met' || late.includes(cell));
  const violated = cells.filter(({ verdict }) => verdict === 'violated');
  const notValid = cells.filter(({ verdict }) => verdict === 'invalid');
  const cut = notValid.filter(({ facts }) => isInterrupted(facts));
  const despite = notValid.filter(isAnsweredDespite);
  const invalid = notValid.filter((cell) => !cut.includes(cell) && !despite.includes(cell));
  const slow = violated.filter(isTooSlow);
  const undone = violated.filter(isUndone);
  const other = violated.filter((cell) => ![...slow, ...late, ...undone].includes(cell));
  const names = (some_: readonly CellReport[]) => some(some_.map(loadCellName), 3);
  const clauses = [
    ...present(
      late.length === 1 && words`${measured(lateText(late[0] as CellReport), late)}`,
      late.length > 1 && words`${measured(names(late), late)} answered later than asked`,
      slow.length > 0 &&
        words`${measured(names(slow), slow)} ${slow.length === 1 ? 'is' : 'are'} too slow${all === 1 ? ` for ${asked(cells)}` : ''}`,
      undone.length > 0 && words`${measured(names(undone), undone)} did not do all that was answered with success`,
      other.length > 0 &&
        words`${measured(names(other), other)} did not hold ${all === 1 ? asked(cells) : 'it'}${mostAnswered((other[0] as CellReport).facts)}`,
    ),
    ...notRun.slice(0, 3).map((one) => words`${refusedWords(one)}`),
    ...present(
      despite.length > 0 && words`${names(despite)} answered an error to what was carried out`,
      cut.length > 0 && words`${names(cut)} was interrupted`,
      invalid.length > 0 && words`${names(invalid)} ${invalid.length === 1 ? 'was' : 'were'} not measured validly`,
    ),
  ];
  const said =
    all === 0
      ? words`no load was measured`
      : met.length === 0
        ? all === 1 && clauses.length > 0
          ? undefined
          : words`none of ${counted(all, 'load')} was shown to hold ${asked(cells) || 'its rate'}`
        : met.length === all
          ? words`${measured(all === 1 ? `${loadCellName(met[0] as CellReport)} holds` : all === 2 ? 'both loads hold' : `all ${all} loads hold`, met)} ${asked(cells)}`
          : words`${measured(`${met.length} of ${all} hold`, met)} ${asked(cells)}`;
  const whole = present(said, ...clauses).flatMap((clause, at) => (at === 0 ? clause : ['; ', ...clause]));
  return say('load', load.verdict === 'met' && notRun.length > 0 ? 'refused' : load.verdict, whole);
}
