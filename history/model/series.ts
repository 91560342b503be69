import { groupBy } from '../../lib/group-by.ts';
import { changePoints, LEAST_VALUES } from '../../lib/stats/change-points.ts';
import type { HistoryCell } from '../record/line.ts';
import { changesBetween } from './changes.ts';
import type { Night } from './nights.ts';

/** A change for the worse counts as recent while the series has at most so many nights since. */
export const RECENT_NIGHTS = 14;

/** What is followed over time; `up`: a larger value is better. */
export const METRICS = {
  achieved: { title: 'achieved rate', unit: '/s', up: true },
  p50: { title: 'service p50', unit: ' ms', up: false },
  p99: { title: 'service p99', unit: ' ms', up: false },
  responseP99: { title: 'response p99', unit: ' ms', up: false },
  headroom: { title: 'headroom', unit: ' ×', up: true },
} as const;
export type Metric = keyof typeof METRICS;

/** One change of the mean of a metric. */
interface Change {
  readonly metric: Metric;
  /** First night after it. */
  readonly run: string;
  readonly at: string;
  readonly before: number;
  readonly after: number;
  /** Relative: 0.1 is ten percent more. */
  readonly size: number;
  /** 1 less the chance of such a difference without a change. */
  readonly confidence: number;
  readonly worse: boolean;
  /** Comparable nights since and with it. */
  readonly nights: number;
  /** What was another thing in that night than in the comparable one before. */
  readonly changes: readonly string[];
}

/** Comparable nights of one cell: same profile, operation, rate, depth, duration and connections. */
export interface Series {
  readonly name: string;
  readonly points: readonly {
    readonly run: string;
    readonly at: string;
    readonly values: Partial<Record<Metric, number>>;
  }[];
  /** Null where there are fewer comparable nights than tell anything. */
  readonly changes: readonly Change[] | null;
  /** How many nights more it takes. */
  readonly missing: number;
}

type Point = Series['points'][number] & { readonly night: Night };

const seriesName = ({ profile, operation, rate, depth, seconds, connections, sized, circumstances }: HistoryCell) =>
  `${profile} ${operation}, ${rate}/s, ${depth} ${seconds} s, ${sized === true ? 'as many' : connections} connections${sized === true ? ' as needed' : ''}${circumstances === undefined ? '' : `, ${circumstances}`}`;

function valuesOf(entries: readonly (readonly [Metric, number | null])[]): Point['values'] {
  return Object.fromEntries(entries.filter(([, value]) => value !== null && Number.isFinite(value)));
}

function pointsOf(nights: readonly Night[]): (Point & { readonly name: string })[] {
  return nights
    .filter(({ counts }) => counts)
    .flatMap((night) => {
      const { run, at, cells, capacity } = night.line;
      const cellPoints = cells
        .filter(({ verdict }) => verdict !== 'invalid')
        .map((cell) => {
          const { achieved, p50, p99, responseP99 } = cell;
          const values = valuesOf([
            ['achieved', achieved],
            ['p50', p50],
            ['p99', p99],
            ['responseP99', responseP99],
          ]);
          return { name: seriesName(cell), night, run, at, values };
        });
      const found = capacity
        .filter(({ verdict }) => verdict !== 'invalid')
        .map(({ profile, operation, headroom }) => ({
          name: `${profile} ${operation}, capacity, plan ${night.line.plan}`,
          ...{ night, run, at, values: valuesOf([['headroom', headroom]]) },
        }));
      return [...cellPoints, ...found];
    });
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

/** All series of the nights, with where they changed. `cell`: only series whose name holds the text. */
export function seriesOf(nights: readonly Night[], cell?: string): readonly Series[] {
  const names = groupBy(pointsOf(nights), ({ name }) => name);
  return [...names]
    .filter(([name]) => cell === undefined || name.includes(cell))
    .map(([name, points]) => ({
      name,
      points: points.map(({ run, at, values }) => ({ run, at, values })),
      missing: Math.max(0, LEAST_VALUES - points.length),
      changes:
        points.length < LEAST_VALUES
          ? null
          : (Object.keys(METRICS) as Metric[])
              .flatMap((metric) => changesOf(points, metric))
              .sort((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : 0)),
    }))
    .sort((a, b) => b.points.length - a.points.length || (a.name < b.name ? -1 : 1));
}
