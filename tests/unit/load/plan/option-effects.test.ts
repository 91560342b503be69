import { expect, it } from 'vitest';
import { readPool } from '../../../../lib/client/anc/pool.ts';
import { cellSpecOf } from '../../../../load/plan/cell-spec.ts';
import { planLoad } from '../../../../load/plan/plan.ts';
import type { LoadGiven, LoadSpec } from '../../../../load/plan/spec.ts';

/** They take effect before, beside or after the cells: no part of what k6 is told. */
const LATER = [
  ...(['slo', 'lagLimitMs', 'reconcileLimit', 'readBackGraceMs'] as const),
  ...(['takeOver', 'allowDisruptivePolicy'] as const),
] as const;

/** For each other option, a value that is not its default. The type asks for one where an option is added. */
const OTHER: { readonly [Key in Exclude<keyof LoadSpec, (typeof LATER)[number]>]: NonNullable<LoadGiven[Key]> } = {
  ...({ profiles: ['200k'], operations: ['apply-by-mac'], depth: 'normal' } as const),
  ...{ ratePerSecond: 125, durationSeconds: 7, rampSeconds: 3 },
  ...{ segments: 2, k6Outputs: ['json=points.json'], connections: 60, timeoutMs: 1234, seed: 2 },
  ...{ abortP99Ms: 700, abortErrorPercent: 20 },
};

const pool = readPool('02:00:00:00:00:00+60000@10.0.0.0');
const credentials = { username: 'user', password: 'secret' };
const sender = { baseUrl: 'https://target', credentials, userAgent: 'test', csrf: false };

/** All that a load does to its target, as data: what k6 is told for each cell, and when it stops. */
function told(given: LoadGiven) {
  const plan = planLoad({ profiles: ['60k'], ...given }, { pool, policy: 'Load-Test' });
  const cells = plan.cells.map((cell) => ({ profile: cell.profile, spec: cellSpecOf(plan, cell, sender) }));
  return { cells, abort: plan.abort };
}

it.each(Object.entries(OTHER))('--%s changes what the target is given', (key, value) => {
  expect(told({ [key]: value })).not.toEqual(told({}));
});
