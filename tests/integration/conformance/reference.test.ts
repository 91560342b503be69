import { beforeAll, describe, expect, it } from 'vitest';
import { FAMILIES } from '../../../lib/contract/families.ts';
import { GAPS } from '../../../lib/contract/gaps.ts';
import type { FamilyTable } from '../../../lib/contract/types.ts';
import { resultKey } from '../../../lib/records/conformance.ts';
import type { RecordedRun } from '../../helpers/conformance-run.ts';
import { runOnReference } from '../../helpers/reference-run.ts';

let run: RecordedRun;

beforeAll(async () => {
  run = await runOnReference({ sessions: 2000 }, { mode: 'full', seed: 1, depth: 'quick' });
}, 400_000);

const covered = (kind: string) =>
  new Set(
    run.written.flatMap(({ covers }) => (covers ?? []).filter((one) => one.kind === kind).map(({ cell }) => cell)),
  );

describe('a full run against the embedded deployment', () => {
  it('fails nothing, faults nowhere and leaves nothing unproven', () => {
    const hidden = run.written.filter(({ verdict }) => verdict === 'not-testable');
    const good = ['pass', 'info', 'not-applicable', 'not-testable'];
    const bad = run.written.filter(({ verdict }) => !good.includes(verdict));
    expect(bad.map((result) => [resultKey(result), result.verdict, result.reason, result.observed])).toEqual([]);
    // What families without a create do not show by chance, and dots in addresses.
    const readOnly = ['smsprovider', 'telemetryinfo', 'node', 'ancendpoint'];
    const missed = hidden.filter(({ family, needs }) => !readOnly.includes(family) && !needs?.includes('a dot'));
    expect([missed.map(resultKey), hidden.length < 20]).toEqual([[], true]);
    expect(run.faults).toEqual([]);
    expect(run.written.length).toBeGreaterThanOrEqual(600);
  });

  it('exercises each operation, filter cell and sort cell with a witness', () => {
    const table: FamilyTable = FAMILIES;
    const operations = Object.entries(table).flatMap(([name, { ops }]) => ops.map((op) => `${name}.${op}`));
    expect(operations.filter((cell) => !covered('operation').has(cell))).toEqual([]);
    expect([covered('operation').size, covered('filter').size, covered('sort').size]).toEqual([66, 190, 36]);
  });

  it('gives every pass a witness, and records each gap', () => {
    expect(run.written.filter(({ verdict, witness }) => verdict === 'pass' && witness === undefined)).toEqual([]);
    const observed = run.written.filter(
      ({ verdict, observations }) => verdict === 'info' && observations !== undefined,
    );
    expect(new Set(observed.map(({ requirement }) => requirement))).toEqual(
      expect.objectContaining(new Set(Object.keys(GAPS))),
    );
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
    expect(sent).toBeLessThan(80_000);
  });
});
