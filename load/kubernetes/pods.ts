import * as z from 'zod';
import { ResultsError } from '../../lib/errors.ts';
import { counted } from '../../lib/text.ts';

const Terminated = z.object({ exitCode: z.int(), reason: z.string().optional() });

const PodList = z.object({
  items: z
    .array(
      z.object({
        metadata: z.object({ name: z.string(), labels: z.record(z.string(), z.string()).optional() }),
        status: z.object({
          phase: z.string(),
          reason: z.string().optional(),
          containerStatuses: z
            .array(
              z.object({
                restartCount: z.int(),
                state: z.object({ terminated: Terminated.optional() }),
                lastState: z.object({ terminated: Terminated.optional() }).optional(),
              }),
            )
            .optional(),
        }),
      }),
    )
    .max(1000),
});

/** Characters of a list of pods: a thousand runners have some ten million. */
const MOST_CHARACTERS = 32 * 1024 * 1024;

/** How the runners of a TestRun ended, from `kubectl get pods -o json`. Throws `ResultsError` for anything else. */
export function runnerPods(text: string, cell: string) {
  let list: z.infer<typeof PodList>;
  try {
    if (text.length > MOST_CHARACTERS) throw new Error('it is larger than any list of runners');
    list = PodList.parse(JSON.parse(text));
  } catch (cause) {
    throw new ResultsError('bad-pods', 'the pod list is not output of kubectl get pods -o json', {
      cause,
      hint: `write it with: kubectl get pods -l k6_cr=${cell} -o json`,
    });
  }
  return list.items
    .filter(({ metadata: { labels = {} } }) => labels['runner'] === 'true' && (labels['k6_cr'] ?? cell) === cell)
    .map(({ metadata, status }) => {
      const [container] = status.containerStatuses ?? [];
      const ended = container?.state.terminated;
      const before = container?.lastState?.terminated;
      return {
        name: metadata.name,
        /** Null if its container has not ended. */
        exitCode: ended?.exitCode ?? null,
        /** What speaks against it: killed for memory, restarted, evicted, still running. Empty if nothing does. */
        faults: [
          ...(ended === undefined ? [`it has not ended (${status.phase})`] : []),
          ...(ended !== undefined && ended.exitCode !== 0 ? [`exit code ${ended.exitCode}`] : []),
          ...[ended?.reason, before?.reason, status.reason].flatMap((reason) =>
            reason === undefined || reason === 'Completed' ? [] : [reason],
          ),
          ...((container?.restartCount ?? 0) > 0 ? [`restarted ${container?.restartCount} times`] : []),
        ],
      };
    });
}
export type RunnerPod = ReturnType<typeof runnerPods>[number];

type Values = ReadonlyMap<string, string>;

/** A probe looks once a second: more than a day of lines is no probe's. */
const MOST_LINES = 100_000;

const valuesOf = (line: string): Values =>
  new Map([...line.matchAll(/ ([^ =]*)=([^ ]*)/g)].map(([, key = '', value = '']) => [key, value]));

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
    /** k6's own exit code; null if the script did not see it end. */
    exitCode: end === undefined ? null : number(valuesOf(end), 'exit'),
    /** Share of one core that k6 used: mean, and in its busiest second. */
    cpuMean: rate(first, last, 'ticks'),
    cpuMax: Math.max(...samples.slice(1).map((one, at) => rate(samples[at] ?? first, one, 'ticks'))),
    /** Most memory of k6 that was swapped out, kilobytes. */
    swapKb: Math.max(...samples.map((one) => (shown(one, 'swap') ? number(one, 'swap') : 0))),
    /** Share of the time that the pod was held back by its CPU limit; null if the system does not show it. */
    throttled,
  };
}
/** What the script beside k6 recorded in one pod. */
export type ProbeFacts = ReturnType<typeof readProbe>;
