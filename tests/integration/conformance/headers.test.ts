import { describe, expect, it } from 'vitest';
import { runOnReference } from '../../helpers/reference-run.ts';

const options = { mode: 'own-data', seed: 1, visibilityMs: 60, families: ['sgt'], checks: ['headers/'] } as const;

describe('a target that needs the usual headers', () => {
  it('fails for these, and not for the token that a request without them carries', async () => {
    const run = await runOnReference({ sessions: 100, personas: ['accept', 'deletetype'] }, options);
    const failed = run.results.filter(({ verdict }) => verdict === 'fail');
    expect([...new Set(failed.map(({ failure }) => failure?.subject))].sort()).toEqual([
      'header accept',
      'header contentType',
    ]);
    const token = run.results.filter(({ requirement }) => requirement === 'AUTH-CSRF');
    expect(new Set(token.map(({ variant, verdict }) => `${variant?.split('.')[2] ?? ''} ${verdict}`))).toContain(
      'alone blocked',
    );
    expect(run.cleanup.residue).toEqual([]);
  });
});
