import * as z from 'zod';
import { MOST_CONNECTIONS, TargetSpec } from '../../lib/client/target-spec.ts';
import { UsageError } from '../../lib/errors.ts';
import { above0, flag, list, option, text, time, whole } from '../../lib/option.ts';
import { OBJECTIVE } from '../../lib/records/load/parts.ts';
import { depthOption, MOST_PER_SECOND, RunOptions } from '../../lib/records/run-options.ts';

/** Caps that no option lifts: nobody means more than this against an access-control system. */
export const CAPS = {
  ratePerSecond: MOST_PER_SECOND,
  durationSeconds: 4 * 3600,
  rampSeconds: 600,
  connections: MOST_CONNECTIONS,
} as const;

/** Where nobody asks the target how many it needs: at 250 arrivals a second, they ride out a stall of 0.4 s without a drop. */
export const DEFAULT_CONNECTIONS = 100;

/** Options that lift a refusal of a load, and those that say when it is stopped. */
export const RiskSpec = z.object({
  takeOver: flag('--take-over', 'use endpoints that already hold a policy: that policy is lost', { help: 'all' }),
  allowDisruptivePolicy: flag(
    '--allow-disruptive-policy',
    'use a policy even if its name suggests that it shuts or bounces ports',
    { help: 'all' },
  ),
  abortP99Ms: option(
    '--abort-p99 <time>',
    'stop when the p99 of service time stays above this for 5 s',
    time('ms').optional(),
    { otherwise: 'never', help: 'all' },
  ),
  abortErrorPercent: option(
    '--abort-errors <percent>',
    'stop when more than this share of the answers within 5 s is 5xx',
    above0(100).default(50),
    { help: 'all' },
  ),
});

/** Every option of a load, with unit, bounds, default and description. All that reads, records or explains options follows from it. */
export const LoadSpec = z.object({
  profiles: RunOptions.shape.profiles,
  operations: RunOptions.shape.operations,
  slo: option(
    '--slo <objective>',
    'limit of response times (p99=200ms) or of failed transactions (errors=0.1%); repeatable',
    list(
      z.string().regex(OBJECTIVE, { error: 'expected an objective such as p99=200ms, p95=1s or errors=0.1%' }),
    ).optional(),
    { otherwise: 'none may fail' },
  ),
  ratePerSecond: RunOptions.shape.ratePerSecond,
  depth: depthOption('quick: 10 s a measurement; normal: a minute; deep: every endpoint once', 'quick'),
  durationSeconds: option(
    '--duration <time>',
    'length of each measurement',
    time('s', { high: CAPS.durationSeconds, whole: true }).optional(),
    { otherwise: 'by --depth' },
  ),
  rampSeconds: option(
    '--ramp <time>',
    'unmeasured ramp-up to the rate before each cell, 0 for none',
    time('s', { high: CAPS.rampSeconds, none: true, whole: true }).optional(),
    { otherwise: '10s; none with --depth quick', help: 'all' },
  ),
  lagLimitMs: option(
    '--max-lag <time>',
    'largest lag p99 of the generator before a cell is invalid',
    time('ms').optional(),
    { otherwise: '10ms', help: 'docs' },
  ),
  reconcileLimit: option(
    '--reconcile-limit <n>',
    'most requests to compare the whole ANC list with the successes after a cell, not counting looks at what differs; 0 compares a sample',
    whole(0, 1_000_000).default(20_000),
    { help: 'docs' },
  ),
  readBackGraceMs: option(
    '--read-back-grace <time>',
    'longest time until an endpoint shows the state that a success promised',
    time('ms', { none: true, high: 600_000 }).default(5000),
    { help: 'docs' },
  ),
  segments: option(
    '--segments <n>',
    'with --emit-kubernetes or --cluster: number of runners that share each cell and start together',
    whole(1, 64).default(1),
    { help: 'all' },
  ),
  k6Outputs: option(
    '--k6-out <output>',
    'another output of k6, such as experimental-prometheus-rw, opentelemetry or json=points.json.gz; repeatable',
    list(text(), { commas: false }).default([]),
    { otherwise: 'none', help: 'all' },
  ),
  ...RiskSpec.shape,
  connections: TargetSpec.shape.connections,
  timeoutMs: TargetSpec.shape.timeoutMs,
  seed: TargetSpec.shape.seed,
});
export type LoadSpec = z.output<typeof LoadSpec>;

export type LoadGiven = { readonly [Key in keyof LoadSpec]?: Readonly<LoadSpec[Key]> | undefined };

/** A load with its defaults. Throws `UsageError` that names every option out of its bounds. */
export function loadSpec(given: LoadGiven): LoadSpec {
  const parsed = LoadSpec.safeParse(given);
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
  throw new UsageError('bad-number', issues.join('; '), { hint: '`ers-harness load --help` shows the bounds' });
}
