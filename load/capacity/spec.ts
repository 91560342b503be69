import * as z from 'zod';
import { TargetSpec } from '../../lib/client/target-spec.ts';
import { ANC_OPERATION_NAMES } from '../../lib/contract/anc.ts';
import { option } from '../../lib/option.ts';
import { choice, list, text, time, whole } from '../../lib/option-values.ts';
import { RunOptions } from '../../lib/records/run-options.ts';
import { RiskSpec } from '../plan/risk-spec.ts';
import { CAPS, DEFAULT_CONNECTIONS, LoadSpec } from '../plan/spec.ts';

/** A search for the capacity: every option with its unit, bounds, default and description. */
export const CapacitySpec = z.object({
  profiles: LoadSpec.shape.profiles,
  operation: option(
    { flag: '--operation <name>', text: `one of ${ANC_OPERATION_NAMES.join(', ')}` },
    choice(ANC_OPERATION_NAMES).default('apply-by-mac'),
  ),
  sweep: option(
    {
      flag: '--sweep <list>',
      text: 'numbers of connections to compare, or none',
      otherwise: 'none; a usual list is 1,2,5,10,20,50,100,200',
      help: 'all',
    },
    z.preprocess((value) => (value === 'none' ? [] : value), list(whole(1, CAPS.connections))).optional(),
  ),
  confirmSeconds: option(
    {
      flag: '--confirm <time>',
      text: 'length of the final run at the claimed rate; 0 skips it',
      otherwise: '150s at most; 20s on the embedded deployment',
    },
    time('s', { high: CAPS.durationSeconds, none: true, whole: true }).optional(),
  ),
  forSeconds: option(
    {
      flag: '--for <time>',
      text: 'longest time of the whole run',
      otherwise: '10m for search and confirmation',
    },
    time('s', { high: CAPS.durationSeconds, whole: true }).optional(),
  ),
  curve: option(
    {
      flag: '--curve <kind>',
      text: 'what is measured after the claim: none, the recovery from 120 % of it, or also 10 to 120 % of it with even or both even and Poisson arrivals',
      otherwise: 'recovery',
      help: 'all',
    },
    choice(['none', 'recovery', 'even', 'both']).optional(),
  ),
  curveSeconds: option(
    {
      flag: '--curve-cell <time>',
      text: 'measured time of each cell of the curve, and length of the overload, of at most 10 s',
      otherwise: '30s; 4s on the embedded deployment',
      help: 'docs',
    },
    time('s', { high: 600, whole: true }).optional(),
  ),
  metrics: option(
    {
      flag: '--metrics <file>',
      text: 'CSV of time and values, or YAML with a Prometheus address and queries: taken beside the steps, and held against the limit',
      otherwise: 'none: what was at its end is unknown',
      help: 'all',
    },
    text().optional(),
  ),
  slo: LoadSpec.shape.slo,
  lagLimitMs: LoadSpec.shape.lagLimitMs,
  reconcileLimit: LoadSpec.shape.reconcileLimit,
  readBackGraceMs: LoadSpec.shape.readBackGraceMs,
  maxRatePerSecond: option(
    { flag: '--max-rate <n>', text: 'highest rate that may be offered' },
    whole(1, CAPS.ratePerSecond).default(CAPS.ratePerSecond),
  ),
  embeddedRate: RunOptions.shape.embeddedRate,
  ...RiskSpec.shape,
  connections: option(
    { flag: '--connections <n>', text: 'connections of the search', help: 'all' },
    whole(1, CAPS.connections).default(DEFAULT_CONNECTIONS),
  ),
  timeoutMs: TargetSpec.shape.timeoutMs,
  seed: TargetSpec.shape.seed,
});
export type CapacitySpec = z.output<typeof CapacitySpec>;
