import { describe, expect, it } from 'vitest';
import { runOnReference } from '../../helpers/reference-run.ts';

const OPTIONS = { mode: 'full', seed: 1, visibilityMs: 200 } as const;

describe('a run in full mode', () => {
  it.each(['N01', 'N04', 'N05'])(
    'writes nothing to %s, which answers alike whatever it is asked',
    async (nullTarget) => {
      const run = await runOnReference({ sessions: 100, nullTarget }, { ...OPTIONS, families: ['sgt', 'portaltheme'] });
      expect(Object.keys(run.requests)).toEqual(['GET']);
      expect(run.cleanup.residue).toEqual([]);
      expect(run.results.some(({ verdict }) => verdict === 'fail')).toBe(true);
      expect(run.results.filter(({ verdict }) => verdict === 'pass')).toEqual([]);
    },
  );

  it('writes nothing to a family that an older version answers with a fault, and leaves nothing behind', async () => {
    const variations = ['V23', 'V15b'];
    const families = ['portaltheme', 'hotspotportal'];
    const run = await runOnReference({ sessions: 100, variations }, { ...OPTIONS, families, checks: ['record/'] });
    expect(run.journal.filter(({ family }) => family === 'portaltheme')).toEqual([]);
    expect(run.cleanup.residue).toEqual([]);
  });
});
