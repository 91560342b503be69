import { expect, it } from 'vitest';
import type { Deviation } from '../../../reference/deviation.ts';
import { delayedVisibility } from '../../../reference/variations/behavior.ts';
import { runOnReference } from '../../helpers/reference-run.ts';

const CHECKS = ['record/update', 'record/rename', 'record/delete', 'record/create-fields'];
const GOOD = ['pass', 'info', 'not-applicable', 'not-testable'];

it('a sound deployment that shows its writes late is tested with all of its writes, and accused of nothing', async () => {
  const install: Deviation['install'] = (kit) => delayedVisibility(kit, 500);
  const options = { mode: 'own-data', seed: 5, families: ['sgt'], depth: 'quick', checks: CHECKS } as const;
  const { results } = await runOnReference({ sessions: 500, deviations: [{ install }] }, options);
  expect(results.filter(({ verdict }) => !GOOD.includes(verdict))).toEqual([]);
  expect(results.filter(({ verdict }) => verdict === 'pass').length).toBeGreaterThanOrEqual(7);
});
