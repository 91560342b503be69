import { describe, expect, it } from 'vitest';
import type { FAMILIES } from '../../lib/contract/families.ts';
import { DEFECTS } from '../../reference/defects/table.ts';
import { runOnReference } from '../helpers/reference-run.ts';

/** Each defect with a family that shows it and the areas of checks that have to see it. */
const TEN = [
  ['M10', 'hotspotportal', ['record/']],
  ['M13', 'portaltheme', ['record/']],
  ['M19', 'portal', ['view/']],
  ['M27', 'sgt', ['filter/']],
  ['M31', 'sgt', ['filter/']],
  ['M36', 'sgt', ['filter/']],
  ['M40', 'sgt', ['sort/']],
  ['M43', 'sgt', ['paging/', 'list/']],
  ['M46', 'sgt', ['paging/', 'filter/']],
  ['M54', 'ancendpoint', ['anc/']],
] as const satisfies readonly (readonly [string, keyof typeof FAMILIES, readonly string[]])[];

const matches = (pattern: string, id: string) => new RegExp(`^${pattern.replaceAll('*', '.*')}$`).test(id);

describe('a seeded defect of the embedded deployment', () => {
  it.each(TEN)('%s makes a check of the requirement that it violates fail on %s', async (id, family, checks) => {
    const violated: readonly string[] = DEFECTS.find((defect) => defect.id === id)?.violates ?? [];
    const options = { mode: 'full' as const, seed: 1, families: [family], checks: [...checks] };
    const clean = await runOnReference({ sessions: 500 }, options);
    expect(clean.written.filter(({ verdict }) => verdict === 'fail' || verdict === 'error')).toEqual([]);
    const run = await runOnReference({ sessions: 500, defects: [id] }, options);
    const failed = run.written.filter(({ verdict }) => verdict === 'fail').map(({ requirement }) => requirement);
    expect(failed.filter((requirement) => violated.some((pattern) => matches(pattern, requirement)))).not.toEqual([]);
    expect(run.written.filter(({ verdict }) => verdict === 'error')).toEqual([]);
  });
});
