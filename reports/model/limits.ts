import { groupBy } from '../../lib/group-by.ts';
import { isExpected } from '../../lib/judge/conformance/baseline/known.ts';
import { isOpen } from '../../lib/judge/conformance/rollup.ts';
import { be, counted, duration, rate } from '../../lib/numbers.ts';
import type { Report } from '../../lib/records/report.ts';
import { runOptions } from '../../lib/records/run-options.ts';
import { hiddenByTarget } from './not-testable.ts';

/** Tiers whose cells are long enough to sign off on. */
const FOR_SIGN_OFF: ReadonlySet<string> = new Set(['nightly', 'full']);

/** Rate, length and tier of the load cells, one line for each kind: `250/s for 10 s a cell: quick, not for sign-off`. */
export function loadTiers({ load }: Pick<Report, 'load'>): readonly string[] {
  const kinds = groupBy(load?.cells ?? [], ({ facts: { plan, tier } }) =>
    [rate(plan.targetPerSecond), plan.durationSeconds - plan.warmupSeconds, tier].join(' '),
  );
  return [...kinds.values()].flatMap(([cell]) => {
    if (cell === undefined) return [];
    const { plan, tier } = cell.facts;
    const measured = duration((plan.durationSeconds - plan.warmupSeconds) * 1000);
    const limit = FOR_SIGN_OFF.has(tier) ? '' : ', not for sign-off';
    return [`${plan.targetPerSecond}/s for ${measured} a cell: ${tier}${limit}`];
  });
}

/** What the run leaves open, in short lines; empty where everything was proven. */
export function notProvenLines(report: Report): readonly string[] {
  const { conformance, load, capacity, run, catalogue } = report;
  const open = (conformance?.results ?? []).filter((result) => isOpen(result.verdict) && !isExpected(result)).length;
  const hidden = hiddenByTarget(report);
  const excused = conformance?.baseline?.consequences.length ?? 0;
  const missing = conformance === null ? 0 : catalogue.families.length - conformance.families.length;
  const quick = load?.cells.some(({ facts }) => !FOR_SIGN_OFF.has(facts.tier)) === true;
  return [
    ...(conformance === null ? ['conformance: not part of this run'] : []),
    ...(conformance !== null && run.mode === 'read-only' ? ['anything that writes: the run was read-only'] : []),
    ...(conformance !== null && run.mode === 'own-data'
      ? ['ANC and bulk requests: the run wrote its own records only']
      : []),
    ...(conformance !== null && runOptions(run).depth === 'quick'
      ? ['mistakes that depend on what was written before: the run was of depth quick']
      : []),
    ...(missing > 0 ? [`${counted(missing, 'family', 'families')} that ${be(missing)} not part of this run`] : []),
    ...(open > 0 ? [`${counted(open, 'result')} without a decision: inconclusive, blocked or error`] : []),
    ...(hidden > 0 ? [`${counted(hidden, 'result')} that this target cannot show: see “Not testable”`] : []),
    ...(excused > 0 ? [`${counted(excused, 'result')} that expected failures keep from being decided`] : []),
    ...(load === null && capacity === undefined ? ['the published rate: no load was part of this run'] : []),
    ...(quick ? ['the rate over a longer time: quick cells last seconds'] : []),
  ];
}
