import { describe, expect, it } from 'vitest';
import { delayedVisibility } from '../../../reference/variations/delayed.ts';
import { runOnReference } from '../../helpers/reference-run.ts';

const LATE_MS = 500;
const CHECKS = ['record/update', 'record/rename', 'record/delete', 'record/create-fields'];

describe('a sound deployment that shows its writes late', () => {
  it('is tested with all of its writes, and accused of nothing', async () => {
    const late = {
      id: 'late',
      title: 'writes show late',
      install: (kit: Parameters<typeof delayedVisibility>[0]) => delayedVisibility(kit, LATE_MS),
    };
    const { results } = await runOnReference(
      { sessions: 500, deviations: [late] },
      { mode: 'own-data', seed: 5, families: ['sgt'], depth: 'quick', checks: CHECKS },
    );
    const told = results.map(({ checkId, variant = '', verdict, reason, observed }) => [
      `${checkId}|${variant}`,
      verdict,
      reason ?? observed,
    ]);
    expect(
      told.filter(([, verdict]) => !['pass', 'info', 'not-applicable', 'not-testable'].includes(String(verdict))),
    ).toEqual([]);
    expect(told.filter(([, verdict]) => verdict === 'pass').length).toBeGreaterThanOrEqual(7);
  });
});
