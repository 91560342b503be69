import { ResultsError } from '../../lib/errors.ts';
import { counted } from '../../lib/numbers.ts';

type Values = ReadonlyMap<string, string>;

/** A probe looks once a second: more than a day of lines is no probe's. */
const MOST_LINES = 100_000;

function valuesOf(line: string): Values {
  return new Map(
    line
      .split(' ')
      .slice(1)
      .map((pair): [string, string] => {
        const at = pair.indexOf('=');
        return [pair.slice(0, at), pair.slice(at + 1)];
      }),
  );
}

function damaged(name: string, message: string): never {
  throw new ResultsError('probe-damaged', `${name}: ${message}`, {
    hint: 'copy the file again; without it the cell cannot be met',
  });
}

/** Reads what `k6-probe.sh` recorded, in hundredths of a second. Throws `ResultsError` for other text, and for less than two looks. */
export function readProbe(name: string, text: string) {
  const lines = text.split('\n').filter((line) => line !== '');
  if (lines.length > MOST_LINES) return damaged(name, counted(lines.length, 'line'));
  const start = valuesOf(lines.find((line) => line.startsWith('start ')) ?? damaged(name, 'it has no start'));
  const end = lines.find((line) => line.startsWith('end '));
  const samples = lines.filter((line) => line.startsWith('s ')).map(valuesOf);
  const number = (values: Values, key: string): number => {
    const value = values.get(key);
    if (value === undefined || !/^\d+$/.test(value)) return damaged(name, `"${key}" is no number`);
    return Number(value);
  };
  const [first, last] = [samples[0], samples.at(-1)];
  if (first === undefined || last === undefined || first === last)
    return damaged(name, 'it looked at k6 less than twice');
  const rate = (a: Values, b: Values, key: string) => {
    const passed = number(b, 'up') - number(a, 'up');
    return passed > 0 ? (number(b, key) - number(a, key)) / passed : 0;
  };
  const shown = (values: Values, key: string) => (values.get(key) ?? '') !== '';
  // Throttled time is in microseconds, time since boot in hundredths of a second.
  const throttled = shown(first, 'throttled') && shown(last, 'throttled') ? rate(first, last, 'throttled') / 1e4 : null;
  return {
    pod: start.get('pod') ?? '',
    k6Sha256: start.get('k6') ?? '',
    scriptSha256: start.get('script') ?? '',
    /** Cores that the pod may use: its limit, else those of the node. */
    cores: number(start, 'cores') / 1000,
    /** k6's own exit code; null where the script did not see it end. */
    exitCode: end === undefined ? null : number(valuesOf(end), 'exit'),
    /** Share of one core that k6 used: mean, and in its busiest second. */
    cpuMean: rate(first, last, 'ticks'),
    cpuMax: Math.max(...samples.slice(1).map((one, at) => rate(samples[at] ?? first, one, 'ticks'))),
    /** Most memory of k6 that was swapped out, kilobytes. */
    swapKb: Math.max(...samples.map((one) => (shown(one, 'swap') ? number(one, 'swap') : 0))),
    /** Share of the time that the pod was held back by its CPU limit; null where the system does not show it. */
    throttled,
  };
}
/** What the script beside k6 recorded in one pod. */
export type ProbeFacts = ReturnType<typeof readProbe>;
