import * as z from 'zod';
import { TargetSpec } from '../../lib/client/target-spec.ts';
import { ANC_OPERATION_NAMES } from '../../lib/contract/anc.ts';
import { choice, option, text, time, whole } from '../../lib/option.ts';
import { CAPS, DEFAULT_CONNECTIONS, LoadSpec, RiskSpec } from '../plan/spec.ts';

/** A search for the capacity: every option with its unit, bounds, default and description. */
export const CapacitySpec = z.object({
  profiles: LoadSpec.shape.profiles,
  operation: option(
    '--operation <name>',
    `one of ${ANC_OPERATION_NAMES.join(', ')}`,
    choice(ANC_OPERATION_NAMES).default('apply-by-mac'),
  ),
  confirmSeconds: option(
    '--confirm <time>',
    'length of the final run at the claimed rate; 0 skips it',
    time('s', { high: CAPS.durationSeconds, none: true, whole: true }).optional(),
    { otherwise: '150s at most; 20s on the embedded deployment' },
  ),
  forSeconds: option(
    '--for <time>',
    'longest time of the whole run, preparing and clearing (at most 500 endpoints a second) included',
    time('s', { high: CAPS.durationSeconds, whole: true }).optional(),
    { otherwise: '10m for search and confirmation' },
  ),
  recoverySeconds: option(
    '--recovery <time>',
    'length of an overload of 120 % of the claim after it, at most 10s: how long until it serves as before; 0 skips it',
    time('s', { high: 10, none: true, whole: true }).optional(),
    { otherwise: '10s; 4s on the embedded deployment', help: 'all' },
  ),
  metrics: option(
    '--metrics <file>',
    'CSV of time and values, or YAML with a Prometheus address and queries: taken beside the steps, and held against the limit',
    text().optional(),
    { otherwise: 'none: what was at its end is unknown', help: 'all' },
  ),
  slo: LoadSpec.shape.slo,
  lagLimitMs: LoadSpec.shape.lagLimitMs,
  reconcileLimit: LoadSpec.shape.reconcileLimit,
  readBackGraceMs: LoadSpec.shape.readBackGraceMs,
  maxRatePerSecond: option(
    '--max-rate <n>',
    'highest rate that may be offered',
    whole(1, CAPS.ratePerSecond).default(CAPS.ratePerSecond),
  ),
  ...RiskSpec.shape,
  connections: option(
    '--connections <n>',
    'connections of the search',
    whole(1, CAPS.connections).default(DEFAULT_CONNECTIONS),
    { help: 'all' },
  ),
  timeoutMs: TargetSpec.shape.timeoutMs,
  seed: TargetSpec.shape.seed,
});
export type CapacitySpec = z.output<typeof CapacitySpec>;

/** Options of a search, all of them set; `embedded` for our own deployment, which only shows in a few minutes what a search is like. */
export function wholeSpec(spec: CapacitySpec, embedded = false) {
  const { confirmSeconds = embedded ? 20 : 150, recoverySeconds = embedded ? 4 : 10 } = spec;
  return { ...spec, confirmSeconds, recoverySeconds };
}
export type WholeCapacitySpec = Readonly<ReturnType<typeof wholeSpec>>;
