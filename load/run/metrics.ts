import { readFileSync } from 'node:fs';
import { request } from 'undici';
import { parse } from 'yaml';
import * as z from 'zod';
import { timeLimit } from '../../lib/clock.ts';
import { defined } from '../../lib/defined.ts';
import { messageOf, UsageError } from '../../lib/errors.ts';
import type { Series } from '../../lib/records/load/parts.ts';

const INTERVAL_MS = 1000;
const TIMEOUT_MS = 900;
const MOST_POINTS = 4000;

/** A Prometheus and what to ask it: each name with a query that gives one value, and the value at which the thing is at its end. */
const PrometheusFile = z.strictObject({
  prometheus: z.url(),
  queries: z.record(z.string().min(1), z.strictObject({ query: z.string().min(1), limit: z.number().optional() })),
});

/** Where series come from: a Prometheus that is asked once a second, or a file that something else writes to meanwhile. */
export type MetricsSource = z.output<typeof PrometheusFile> | { readonly csv: string };

/** Columns of a CSV: the time first, then a name each, with `<=` and its limit where there is one, such as `cpu<=1`. */
function csvSeries(text: string): Series[] {
  const [head = '', ...lines] = text.split(/\r?\n/).filter((line) => line.trim() !== '');
  const [time, ...names] = head.split(',').map((cell) => cell.trim());
  if (time !== 'time' || names.length === 0) throw new Error('its first line is not time,<name>,…');
  const rows = lines.map((line) => line.split(',').map((cell) => cell.trim()));
  const at = (cell = '') => (/^\d+(\.\d+)?$/.test(cell) ? Number(cell) * 1000 : Date.parse(cell));
  return names.map((column, index) => {
    const [name = column, limit] = column.split('<=').map((part) => part.trim());
    const points = rows.flatMap((row): Series['points'] => {
      const [moment, cell] = [at(row[0]), row[index + 1]];
      const value = Number(cell);
      return cell === undefined || cell === '' || Number.isNaN(moment + value) ? [] : [[moment, value]];
    });
    return { name, points, ...defined({ limit: limit === undefined ? undefined : Number(limit) }) };
  });
}

/** Reads what `--metrics` names: a CSV, or YAML or JSON that names a Prometheus. Throws `UsageError`. */
export function readMetrics(path: string): MetricsSource {
  try {
    const text = readFileSync(path, 'utf8');
    if (!path.endsWith('.csv')) return PrometheusFile.parse(parse(text));
    csvSeries(text);
    return { csv: path };
  } catch (cause) {
    throw new UsageError('bad-metrics', `${path} names no series: ${messageOf(cause)}`, {
      cause,
      hint: 'a CSV begins with time,<name>,…; anything else names prometheus and queries: see docs/measurement.md',
    });
  }
}

async function answerTo(base: string, query: string): Promise<number | undefined> {
  const url = new URL('api/v1/query', base.endsWith('/') ? base : `${base}/`);
  url.searchParams.set('query', query);
  const { body } = await request(url, { signal: timeLimit(TIMEOUT_MS) });
  const { data } = (await body.json()) as { data?: { result?: readonly { value?: readonly [number, string] }[] } };
  const [only, ...others] = data?.result ?? [];
  const value = Number(only?.value?.[1] ?? Number.NaN);
  return others.length > 0 || Number.isNaN(value) ? undefined : value;
}

/** Takes values beside a cell until it is stopped, by the wall clock in milliseconds. A value that does not come is left out. */
export function startSampling(source: MetricsSource) {
  if ('csv' in source) return { stop: async () => csvSeries(readFileSync(source.csv, 'utf8')) };
  const series = Object.entries(source.queries).map(([name, asked]) => ({
    ...{ name, ...asked, points: [] as Series['points'] },
  }));
  let last: Promise<unknown> = Promise.resolve();
  const take = () => {
    const moment = Date.now();
    const asked = series.map(({ query, points }) =>
      answerTo(source.prometheus, query).then((value) => {
        if (value !== undefined && points.length < MOST_POINTS) points.push([moment, value]);
      }),
    );
    last = Promise.allSettled(asked);
  };
  take();
  const timer = setInterval(take, INTERVAL_MS);
  return {
    async stop(): Promise<Series[]> {
      clearInterval(timer);
      await last;
      return series.map(({ name, limit, points }) => ({ name, points, ...defined({ limit }) }));
    },
  };
}

export type Sampling = ReturnType<typeof startSampling>;

/** The part of series that lies in a cell, on its clock, seconds. */
export function seriesOfCell(series: readonly Series[], startedAt: string, seconds: number): Series[] {
  const fromMs = Date.parse(startedAt);
  return series.map(({ points, ...rest }) => ({
    ...rest,
    points: points
      .map(([moment, value]): [number, number] => [(moment - fromMs) / 1000, value])
      .filter(([at]) => at >= 0 && at <= seconds)
      .slice(0, MOST_POINTS),
  }));
}
