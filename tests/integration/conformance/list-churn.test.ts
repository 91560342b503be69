import { describe, expect, it } from 'vitest';
import { listChecks } from '../../../conformance/checks/list/checks.ts';
import { systemClock } from '../../../lib/clock.ts';
import type { ReferenceServer } from '../../../reference/server.ts';
import { startForeignWriter } from '../../../selftest/foreign-writer.ts';
import { runOnReference } from '../../helpers/reference-run.ts';
import { oneIn } from '../../helpers/sample.ts';

const FAMILIES = ['hotspotportal', 'portal', 'sgt'];

const beside = (server: ReferenceServer) => startForeignWriter(server, { seed: 1, perSecond: 200 }, systemClock);

describe.concurrent('list checks while somebody else writes', () => {
  it.each(oneIn(2, ['own-data', 'read-only'] as const))('accuse nobody in %s mode', async (mode) => {
    const { results } = await runOnReference({}, { mode, seed: 1, families: FAMILIES }, listChecks, beside);
    expect(results.filter(({ verdict }) => ['fail', 'warn', 'error'].includes(verdict))).toEqual([]);
    expect(results.filter(({ verdict }) => verdict === 'pass').length).toBeGreaterThan(50);
  });
});
