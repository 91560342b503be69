import type { HistoryLine } from '../record/line.ts';

/** What is compared of two runs, in the words and the order in which it is told. */
const COMPARED: readonly (readonly [name: string, of: (line: HistoryLine) => string | undefined])[] = [
  ['version of the target', ({ targetVersion }) => targetVersion],
  ['tool', ({ tool }) => tool],
  ['tables of the specification', ({ tables }) => tables],
  ['list of checks', ({ catalogue }) => catalogue],
  ['set of requirements', ({ requirements }) => requirements],
  ['mode', ({ mode }) => mode],
  ['plan', ({ plan }) => plan],
  ['k6', ({ k6 }) => k6],
  ['Node', ({ node }) => node],
];

/** What not every run learns is no change where one of them did not. */
const differs = (name: string, before: string | undefined, after: string | undefined): string[] =>
  before === undefined || after === undefined || before === after ? [] : [`${name}: ${before} → ${after}`];

/** What was another thing in one run than in the run before it: what may have caused a change. */
export function changesBetween(before: HistoryLine, after: HistoryLine): string[] {
  const [old, now] = [before.dialect ?? {}, after.dialect ?? {}];
  const asked = Object.keys(now).filter((id) => Object.hasOwn(old, id));
  return [
    ...COMPARED.flatMap(([name, of]) => differs(name, of(before), of(after))),
    ...asked.flatMap((id) => differs(`dialect ${id}`, old[id], now[id])),
  ];
}
