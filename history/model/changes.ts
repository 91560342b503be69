import type { HistoryLine } from '../record/line.ts';

const said = (value: unknown) => (value === undefined || value === '' ? 'not known' : String(value));

/** What not every run learns is no change where one of them did not. */
function differsWhereKnown(name: string, before: string | undefined, after: string | undefined): string[] {
  return before === undefined || after === undefined ? [] : differs(name, before, after);
}

function differs(name: string, before: unknown, after: unknown): string[] {
  return before === after ? [] : [`${name}: ${said(before)} → ${said(after)}`];
}

/** Dialect questions whose answer is another one, by name. */
function dialectChanges(before: HistoryLine, after: HistoryLine): string[] {
  const [old, now] = [before.dialect ?? {}, after.dialect ?? {}];
  return Object.keys(now)
    .filter((id) => Object.hasOwn(old, id) && old[id] !== now[id])
    .map((id) => `${id}: ${old[id]} → ${now[id]}`);
}

/** What was another thing in one run than in the run before it: what may have caused a change. */
export function changesBetween(before: HistoryLine, after: HistoryLine): string[] {
  return [
    ...differsWhereKnown('version of the target', before.targetVersion, after.targetVersion),
    ...differs('tool', before.tool, after.tool),
    ...differs('tables of the specification', before.tables, after.tables),
    ...differs('list of checks', before.catalogue, after.catalogue),
    ...differsWhereKnown('set of requirements', before.requirements, after.requirements),
    ...differs('mode', before.mode, after.mode),
    ...differs('plan', before.plan, after.plan),
    ...differsWhereKnown('k6', before.k6, after.k6),
    ...differs('Node', before.node, after.node),
    ...dialectChanges(before, after).map((text) => `dialect ${text}`),
  ];
}
