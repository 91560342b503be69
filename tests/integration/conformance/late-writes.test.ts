import { expect, it } from 'vitest';
import { changing, type Deviation } from '../../../reference/deviation.ts';
import { delayedVisibility } from '../../../reference/variations/behavior.ts';
import { refuse } from '../../helpers/deviations.ts';
import { quickRun } from '../../helpers/reference-run.ts';

const CHECKS = ['record/update', 'record/rename', 'record/delete', 'record/create-fields'];
const GOOD = ['pass', 'info', 'not-applicable', 'not-testable'];

it('a sound deployment that shows its writes late is tested with all of its writes, and accused of nothing', async () => {
  const install: Deviation['install'] = (kit) => delayedVisibility(kit, 500);
  const options = { visibilityMs: 3000, families: ['sgt'], checks: CHECKS };
  const { results } = await quickRun({ deviations: [{ install }] }, options);
  expect(results.filter(({ verdict }) => !GOOD.includes(verdict))).toEqual([]);
  expect(results.filter(({ verdict }) => verdict === 'pass').length).toBeGreaterThanOrEqual(7);
});

it('a sound deployment that does an apply or a clear a moment after its answer refuses none for it', async () => {
  const held = new Set<string>();
  const late = changing('anc', (inner) => {
    const later = (work: () => Promise<void>) => void setTimeout(() => void work().catch(() => undefined), 300).unref();
    const each = (targets: Parameters<typeof inner.apply>[0]) => targets.map(({ macAddress = '' }) => macAddress);
    return {
      apply: async (targets) =>
        later(async () => {
          await inner.apply(targets);
          for (const mac of each(targets)) held.add(mac);
        }),
      clear: async (targets) => {
        for (const mac of each(targets)) if (!held.has(mac)) refuse(400, 'not associated with a policy');
        later(async () => {
          if (each(targets).every((mac) => held.delete(mac))) await inner.clear(targets);
        });
      },
    };
  });
  const checks = ['anc/csrf-header', 'headers/csrf-on-reads', 'query/extra-on-reads'];
  const options = { mode: 'full', visibilityMs: 3000, families: ['ancendpoint'], checks } as const;
  const { results } = await quickRun({ deviations: [late] }, options);
  expect(results.filter(({ verdict }) => !GOOD.includes(verdict))).toEqual([]);
});
