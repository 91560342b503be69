import { groupBy } from '../../../lib/group-by.ts';
import { changePoints, LEAST_VALUES } from '../../../lib/stats/change-points.ts';
import type { HistoryCell } from '../record/line.ts';
import { byAt, changesBetween, type Night } from './nights.ts';
import { type Change, type HistoryReport, METRICS, type Metric, type Series } from './schema.ts';

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
