import { groupBy } from '../../../lib/group-by.ts';
import { changePoints, LEAST_VALUES } from '../../../lib/stats/trend.ts';
import { wilson } from '../../../lib/stats/wilson.ts';
import type { HistoryCell } from '../record/line.ts';
import { byAt, changesBetween, checkIds, checkState, hasLooked, isDecided, type Night } from './nights.ts';
import {
  type Change,
  type Flake,
  type HistoryReport,
  METRICS,
  type Metric,
  type Series,
  State,
  type Strip,
} from './schema.ts';

/** A failure that passed when the same run tried it again, or one night alone between two that passed with nothing else changed. */
function isFlake(looks: ReturnType<typeof looksOf>, at: number): boolean {
  const [before, one, after] = [looks[at - 1], looks[at], looks[at + 1]];
  if (one?.state === 'flaky') return true;
  if (one?.state !== 'fail' || before?.state !== 'pass' || after?.state !== 'pass') return false;
  // What a new version broke or mended did not come or go by itself.
  return changesBetween(before.line, one.line).length + changesBetween(one.line, after.line).length === 0;
}

/** The counted nights that decided a check, with what they made of it. */
export const looksOf = (nights: readonly Night[], checkId: string) =>
  nights
    .filter(({ counts }) => counts)
    .map(({ line, ...night }) => ({ line, state: checkState({ line, ...night }, checkId) }))
    .filter(({ state }) => isDecided(state));

export function flakesOf(nights: readonly Night[]): Flake[] {
  const found = checkIds(nights).flatMap((checkId): Flake[] => {
    const looks = looksOf(nights, checkId);
    const flakes = looks.filter(({ state }, at) => state !== 'pass' && isFlake(looks, at));
    const [flaked, steady] = [flakes.length, flakes.filter(({ state }) => state === 'fail').length];
    const { share: rate, low, high } = wilson(flaked, looks.length);
    return flaked === 0 ? [] : [{ checkId, flaked, steady, nights: looks.length, rate, low, high }];
  });
  return found.sort((a, b) => b.low - a.low || b.rate - a.rate || (a.checkId < b.checkId ? -1 : 1));
}

/** Rows of the causes that any night names; a night without it passed if it decided one of its checks. */
function causeRows(nights: readonly Night[]): Strip[] {
  const named = nights.filter(({ counts }) => counts).flatMap(({ line }) => line.causes);
  return [...groupBy(named, ({ id }) => id)].map(([id, all]) => {
    const checks = [...new Set(all.flatMap((one) => one.checks))];
    const states = nights.map((night): State => {
      const { line, counts } = night;
      if (!counts || line.families.length === 0) return 'none';
      const found = line.causes.find((one) => one.id === id);
      if (found !== undefined) return found.expected === true ? 'expected' : 'fail';
      if (hasLooked(night, checks)) return 'pass';
      return checks.some((check) => checkState(night, check) === 'open') ? 'open' : 'none';
    });
    const failed = states.filter((state) => state === 'fail').length;
    const last = states.findLast((state) => state !== 'none') ?? 'none';
    return { checkId: id, cause: true, states, failed, flaky: false, last };
  });
}

/** Rows of all causes and checks that ever did not pass, worst first: what fails now, what fails most. `of`: the number of all checks. */
export function stripsOf(nights: readonly Night[], flakes: readonly Flake[]): HistoryReport['strips'] {
  const ids = checkIds(nights);
  const flaky = new Set(flakes.map(({ checkId }) => checkId));
  const rows = ids.flatMap((checkId): Strip[] => {
    const states = nights.map((night) => (night.counts ? checkState(night, checkId) : 'none'));
    const failed = states.filter((state) => state === 'fail' || state === 'flaky').length;
    if (!states.some((state) => isDecided(state) && state !== 'pass')) return [];
    const last = looksOf(nights, checkId).at(-1)?.state ?? 'none';
    return [{ checkId, states, failed, flaky: flaky.has(checkId), last }];
  });
  const rank = ({ last }: Strip) => Math.min(State.options.indexOf(last), State.options.indexOf('open'));
  const worstFirst = (a: Strip, b: Strip) =>
    Number(b.cause ?? false) - Number(a.cause ?? false) ||
    rank(a) - rank(b) ||
    b.failed - a.failed ||
    (a.checkId < b.checkId ? -1 : 1);
  return { rows: [...causeRows(nights), ...rows].sort(worstFirst), of: ids.length };
}

/** A change for the worse counts as recent while the series has at most so many nights since. */
export const RECENT_NIGHTS = 14;

type Point = Series['points'][number] & { readonly night: Night };

const seriesName = ({ profile, operation, rate, depth, seconds, connections, sized, circumstances }: HistoryCell) =>
  `${profile} ${operation}, ${rate}/s, ${depth} ${seconds} s, ${sized === true ? 'as many' : connections} connections${sized === true ? ' as needed' : ''}${circumstances === undefined ? '' : `, ${circumstances}`}`;

function valuesOf(values: Partial<Record<Metric, number | null>>): Point['values'] {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => Number.isFinite(value)));
}

function pointsOf(night: Night): (Point & { readonly name: string })[] {
  const { run, at, cells, capacity, plan } = night.line;
  const found = [
    ...cells.map((cell) => {
      const { verdict, achieved, p50, p99, responseP99 } = cell;
      return { verdict, name: seriesName(cell), values: valuesOf({ achieved, p50, p99, responseP99 }) };
    }),
    ...capacity.map(({ verdict, profile, operation, headroom }) => ({
      ...{ verdict, name: `${profile} ${operation}, capacity, plan ${plan}`, values: valuesOf({ headroom }) },
    })),
  ];
  const valid = found.filter(({ verdict }) => night.counts && verdict !== 'invalid');
  return valid.map(({ name, values }) => ({ name, values, night, run, at }));
}

function changesOf(points: readonly Point[], metric: Metric): Change[] {
  const held = points.flatMap((point) => {
    const value = point.values[metric];
    return value === undefined ? [] : [{ point, value }];
  });
  const found = changePoints(held.map(({ value }) => value)) ?? [];
  return found.flatMap(({ index, before, after, pValue }): Change[] => {
    const [last, first] = [held[index - 1]?.point, held[index]?.point];
    if (last === undefined || first === undefined) return [];
    return [
      {
        ...{ metric, run: first.run, at: first.at, before, after },
        size: before === 0 ? 0 : after / before - 1,
        confidence: 1 - pValue,
        worse: after > before !== METRICS[metric].up,
        nights: held.length - index,
        changes: changesBetween(last.night.line, first.night.line),
      },
    ];
  });
}

export function seriesOf(nights: readonly Night[]): Series[] {
  const names = groupBy(nights.flatMap(pointsOf), ({ name }) => name);
  return [...names]
    .map(([name, points]) => ({
      name,
      points: points.map(({ run, at, values }) => ({ run, at, values })),
      missing: Math.max(0, LEAST_VALUES - points.length),
      changes:
        points.length < LEAST_VALUES
          ? null
          : (Object.keys(METRICS) as Metric[])
              .flatMap((metric) => changesOf(points, metric))
              .sort((a, b) => byAt(b, a)),
    }))
    .sort((a, b) => b.points.length - a.points.length || (a.name < b.name ? -1 : 1));
}

export const worseOf = ({ series }: HistoryReport) =>
  series.flatMap(({ name, changes }) =>
    (changes ?? []).filter(({ worse }) => worse).map((change) => ({ ...change, name })),
  );
