import { counted, duration } from '../lib/numbers.ts';
import type { GateRow, SelftestScore } from '../lib/records/selftest.ts';
import { isKilled } from './defect-score.ts';

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ['', title, ...lines.map((line) => `  ${line}`)];
}

export function gateLines(gate: readonly GateRow[]): string[] {
  const width = Math.max(...gate.map(({ text }) => text.length));
  return gate.map(
    ({ text, wanted, got, met }) => `${met ? 'met    ' : 'NOT MET'}  ${text.padEnd(width)}  ${got} (${wanted})`,
  );
}

/** The score as a person reads it: the gate first, then everything that is not as it should be. */
export function scoreLines(score: SelftestScore): string[] {
  const { gate, defects, allowed, nullTargets, onlyOne, idle, cost } = score;
  const killed = defects.filter(isKilled);
  return [
    ...gateLines(gate),
    ...section(
      'Defects that survive',
      defects
        .filter((defect) => !isKilled(defect))
        .map(({ id, title, killedIn, seeds }) => `${id} ${title}: killed in ${killedIn} of ${counted(seeds, 'seed')}`),
    ),
    ...section(
      'Killed for another requirement only',
      killed
        .filter(({ right }) => !right)
        .map(({ id, violates, others }) => `${id} violates ${violates.join(', ')}; accused: ${others.join(', ')}`),
    ),
    ...section(
      'Defects for which more than two other requirements were accused',
      killed.filter(({ others }) => others.length > 2).map(({ id, others }) => `${id}: ${others.join(', ')}`),
    ),
    ...section(
      'False alarms',
      allowed.flatMap(({ key, alarms }) => alarms.map((alarm) => `${key}: ${alarm}`)),
    ),
    ...section(
      'Vacuous passes',
      nullTargets.flatMap(({ id, vacuous }) => vacuous.map((pass) => `${id}: ${pass}`)),
    ),
    ...section(
      'Exit codes of null targets',
      nullTargets.map(
        ({ id, title, exit, expected }) =>
          `${id} ${exit}${expected.includes(exit) ? '' : ` (expected ${expected.join(' or ')})`}  ${title}`,
      ),
    ),
    ...section(
      'Defects that one check alone kills',
      onlyOne.map(({ defect, check }) => `${defect} by ${check}`),
    ),
    ...section(
      'Checks that accuse no defect and no null target',
      idle.map(({ check, level, reason }) => `${check} (${level}): ${reason ?? 'no reason given'}`),
    ),
    '',
    `${counted(cost.runs, 'run')} of the suite, ${counted(cost.requests, 'request')}, ${duration(cost.durationMs)} with ${cost.workers} workers; seed ${score.seed}`,
    `selftest: the gate is ${score.met ? 'met' : 'not met'}`,
  ];
}
