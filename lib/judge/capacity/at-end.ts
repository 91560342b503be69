import type { CellReport } from '../../records/load/load.ts';
import type { AtEnd } from '../../records/load/parts.ts';
import { meanOf } from '../../stats/spread.ts';

const FULL = 0.95;
/** Steps up to this share of the highest rate that held are far below the knee. */
const FAR_BELOW = 0.8;
const MOST = 0.8;

/** Mean of a series in the measured window of a step; undefined without a value there. */
function meanIn({ facts }: CellReport, name: string): number | undefined {
  const { warmupSeconds, durationSeconds } = facts.plan;
  const points = facts.series?.find((series) => series.name === name)?.points ?? [];
  const values = points.flatMap(([at, value]) => (at >= warmupSeconds && at <= durationSeconds ? [value] : []));
  return values.length === 0 ? undefined : meanOf(values);
}

/**
 * What was at its limit in the steps that were too much, and below it if far less was offered: what is always full
 * did not make the knee. Null without series; without a limit, or without steps on both sides, nothing is named.
 */
export function atEndOf(steps: readonly CellReport[]): AtEnd | null {
  const near = steps.filter(({ facts }) => facts.step?.purpose === 'search' || facts.step?.purpose === 'confirm');
  const series = new Map(
    near.flatMap(({ facts }) => (facts.series ?? []).map((one) => [one.name, one.limit] as const)),
  );
  if (series.size === 0) return null;
  const rateOf = ({ facts }: CellReport) => facts.plan.targetPerSecond;
  const held = near.filter(({ verdict }) => verdict === 'met');
  const highest = Math.max(...held.map(rateOf));
  const below = held.filter((step) => rateOf(step) <= FAR_BELOW * highest);
  const beyond = near.filter((step) => step.verdict === 'violated' && rateOf(step) > FAR_BELOW * highest);
  const means = (of: readonly CellReport[], name: string) => of.flatMap((step) => meanIn(step, name) ?? []);
  const seen = [...series].filter(([name]) => means(near, name).length > 0);
  const reached = seen.flatMap(([name, limit]): AtEnd['reached'] => {
    const [over, under] = [means(beyond, name), means(below, name)];
    if (limit === undefined || over.length === 0 || under.length === 0) return [];
    const isFull = (value: number) => value >= FULL * limit;
    const isReached = over.filter(isFull).length >= MOST * over.length && !under.some(isFull);
    return isReached ? [{ name, value: meanOf(over), limit }] : [];
  });
  return { series: seen.length, limited: seen.filter(([, limit]) => limit !== undefined).length, reached };
}
