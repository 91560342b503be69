import { describe, expect, it } from 'vitest';
import { listChecks } from '../../../conformance/checks/list/checks.ts';
import { relationChecks } from '../../../conformance/checks/list/relations.ts';
import { systemClock } from '../../../lib/clock.ts';
import type { Deviation } from '../../../reference/deviation.ts';
import { startForeignWriter } from '../../../reference/selftest/foreign-writer.ts';
import type { ReferenceServer } from '../../../reference/server.ts';
import { accused } from '../../helpers/conformance-run.ts';
import { quickRun } from '../../helpers/reference-run.ts';
import { oneIn, TAKES_ALL } from '../../helpers/sample.ts';

const FAMILIES = ['hotspotportal', 'portal', ...(TAKES_ALL ? ['sgt'] : [])];

const beside = (server: ReferenceServer) => startForeignWriter(server, { seed: 1, perSecond: 200 }, systemClock);

/** Security groups of somebody who makes one before each list, and removes one before each later page. */
const removedBetweenPages: Deviation = {
  install: ({ seams }) => {
    let serial = 0;
    const theirs = new Set<string>();
    const add = async () => {
      serial += 1;
      const fields = { name: `theirs_${serial}`, value: 20_000 + serial, description: `theirs ${serial}` };
      theirs.add((await seams.store.create('sgt', { ...fields, propogateToApic: false })).id);
    };
    for (let at = 0; at < 85; at += 1) void add();
    const rank = ({ id }: { readonly id: string }) => (theirs.has(id) ? 0 : 1);
    return {
      query: ({ select, order }) => ({
        order: (plan) => order(plan) ?? ((a, b) => rank(a) - rank(b)),
        select: async (name, plan) => {
          const [oldest = ''] = theirs;
          if (name === 'sgt' && plan.page === 1 && theirs.size < 85) await add();
          else if (name === 'sgt' && plan.page > 1 && (await seams.store.remove(name, oldest))) theirs.delete(oldest);
          return select(name, plan);
        },
      }),
    };
  },
};

describe.concurrent('list checks while somebody else writes', () => {
  it.each(oneIn(2, ['own-data', 'read-only'] as const))('accuse nobody in %s mode', async (mode) => {
    const options = { mode, visibilityMs: 3000, families: FAMILIES, ...(TAKES_ALL && { depth: 'normal' as const }) };
    const { results } = await quickRun({}, options, listChecks, beside);
    expect(accused(results)).toEqual([]);
    expect(results.filter(({ verdict }) => verdict === 'pass').length).toBeGreaterThan(50);
  });

  it.each(oneIn(2, ['own-data', 'read-only'] as const))(
    'accuse nobody if each list is torn, in %s mode',
    async (mode) => {
      const options = { mode, visibilityMs: 3000, families: ['sgt'] };
      const { results } = await quickRun({ deviations: [removedBetweenPages] }, options, relationChecks);
      expect(accused(results)).toEqual([]);
      expect(results.filter(({ verdict }) => verdict === 'pass').length).toBeGreaterThan(5);
    },
  );
});
