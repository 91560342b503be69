import * as z from 'zod';
import { TargetSpec } from '../../lib/client/target-spec.ts';
import { ANC_OPERATION_NAMES } from '../../lib/contract/anc.ts';
import { option } from '../../lib/option.ts';
import { choice, list, time, whole } from '../../lib/option-values.ts';
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
      otherwise: '1, 2, 5, 10, 20, 50, 100 and 200; 1, 10 and 100 on the embedded deployment',
    },
    z.preprocess((value) => (value === 'none' ? [] : value), list(whole(1, CAPS.connections))).optional(),
  ),
  confirmSeconds: option(
    {
      flag: '--confirm <time>',
      text: 'length of the final run at the claimed rate, which steps down until it holds; 0 skips it',
      otherwise: '10m, or as long as the pool lasts; 20s on the embedded deployment',
    },
    time('s', { high: CAPS.durationSeconds, none: true, whole: true }).optional(),
  ),
  repeats: option(
    {
      flag: '--repeats <n>',
      text: 'number of steps around the knee from which the claim is computed',
      otherwise: '20; 16 on the embedded deployment',
    },
    whole(0, 200).optional(),
  ),
  curve: option(
    {
      flag: '--curve <kind>',
      text: 'measure 10 to 120 % of the claimed rate, and the recovery from 120 %: none, even, or both even and Poisson arrivals',
      otherwise: 'both; even on the embedded deployment',
    },
    choice(['none', 'even', 'both']).optional(),
  ),
  curveSeconds: option(
    {
      flag: '--curve-cell <time>',
      text: 'measured time of each cell of the curve, and length of the overload',
      otherwise: '30s; 4s on the embedded deployment',
    },
    time('s', { high: 600, whole: true }).optional(),
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
    { flag: '--connections <n>', text: 'connections of the search' },
    whole(1, CAPS.connections).default(DEFAULT_CONNECTIONS),
  ),
  timeoutMs: TargetSpec.shape.timeoutMs,
  seed: TargetSpec.shape.seed,
});
export type CapacitySpec = z.output<typeof CapacitySpec>;
