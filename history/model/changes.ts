import type { HistoryLine } from '../record/line.ts';

/** What is compared of two runs, in the words and the order in which it is told. */
const COMPARED = [
  ['targetVersion', 'version of the target'],
  ['tool', 'tool'],
  ['tables', 'tables of the specification'],
  ['catalogue', 'list of checks'],
  ['requirements', 'set of requirements'],
  ['mode', 'mode'],
  ['plan', 'plan'],
  ['k6', 'k6'],
  ['node', 'Node'],
] as const satisfies readonly (readonly [keyof HistoryLine, string])[];

/** What not every run learns is no change where one of them did not. */
const differs = (name: string, before: string | undefined, after: string | undefined): string[] =>
  before === undefined || after === undefined || before === after ? [] : [`${name}: ${before} → ${after}`];

/** What was another thing in one run than in the run before it: what may have caused a change. */
export function changesBetween(before: HistoryLine, after: HistoryLine): string[] {
  const [old, now] = [before.dialect ?? {}, after.dialect ?? {}];
  const asked = Object.keys(now).filter((id) => Object.hasOwn(old, id));
  return [
    ...COMPARED.flatMap(([member, name]) => differs(name, before[member], after[member])),
    ...asked.flatMap((id) => differs(`dialect ${id}`, old[id], now[id])),
  ];
}
