import { describe, expect, it } from 'vitest';
import { resultKey } from '../../../lib/records/conformance.ts';
import { runOnReference } from '../../helpers/reference-run.ts';
import { ofTests } from '../../helpers/served.ts';

// The main job asks all families at this depth; its own test asks them at the quick one. This family has the fewest rows.
const options = { mode: 'full', seed: 1, families: ['ancendpoint'] } as const;
const run = ofTests(() => runOnReference({ sessions: 2000 }, options), 400_000);

describe('a full run of the usual depth against the embedded deployment', () => {
  it('fails nothing, faults nowhere and leaves nothing unproven', () => {
    const good = ['pass', 'info', 'not-applicable'];
    const bad = run.written.filter(({ verdict }) => !good.includes(verdict));
    expect(bad.map((result) => [resultKey(result), result.verdict, result.reason, result.observed])).toEqual([]);
    expect(run.faults).toEqual([]);
    expect(run.written.filter(({ verdict, witness }) => verdict === 'pass' && witness === undefined)).toEqual([]);
  });

  it('leaves the deployment as it was, and proves it', () => {
    expect(run.cleanup).toMatchObject({ residue: [], fingerprint: { equal: true } });
    expect(run.cleanup.created).toBe(run.cleanup.removed);
    expect(run.cleanup.created).toBeGreaterThan(100);
  });

  it('writes the exchanges that its results name, and few others', () => {
    const known = new Set(run.exchanges.map(({ id }) => id));
    const named = new Set(run.written.flatMap(({ evidence }) => evidence));
    expect([...named].filter((id) => !known.has(id))).toEqual([]);
    const sent = Object.values(run.requests).reduce((sum, count) => sum + count, 0);
    expect(run.exchanges.length).toBeLessThan(sent / 3);
    expect(sent).toBeLessThan(40_000);
  });
});
