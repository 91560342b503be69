import { beforeAll, describe, expect, it } from 'vitest';
import { catalogueOf } from '../../cli/session/catalogue.ts';
import { recordSchema } from '../../conformance/kit/schemas.ts';
import { FAMILIES } from '../../lib/contract/families.ts';
import { requirements } from '../../lib/contract/requirements.ts';
import type { FamilyTable } from '../../lib/contract/types.ts';
import { buildRequest } from '../../lib/wire/request.ts';
import { renderRun } from '../../reports/render-run.ts';
import { aRun } from '../helpers/a-run.ts';
import type { RecordedRun } from '../helpers/conformance-run.ts';
import { runOnReference } from '../helpers/reference-run.ts';

/** A family that the specification does not have: one table entry, and no other edit anywhere. */
const TABLE = {
  ...FAMILIES,
  gatekeeper: {
    name: 'gatekeeper',
    title: 'Gatekeeper',
    purpose: 'a made-up family',
    versions: ['3.1.1'],
    ops: ['read', 'update', 'delete', 'list', 'create', 'version'],
    fields: {
      id: { type: 'string', sentOn: 'update', form: 'uuid' },
      name: { type: 'string' },
      description: { type: 'string' },
      level: { type: { range: [1, 60000], or: [-1] } },
      open: { type: 'boolean' },
    },
    filters: ['name', 'level'],
    sorts: ['name', 'level'],
    roots: { resource: 'Gatekeeper' },
  },
} as const satisfies FamilyTable;

let run: RecordedRun;

beforeAll(async () => {
  run = await runOnReference(
    { table: TABLE },
    { table: TABLE, families: ['gatekeeper'], mode: 'full', seed: 1, depth: 'quick' },
  );
}, 60_000);

describe('a thirteenth family, added to the table alone', () => {
  it('gets requests', () => {
    const { method, path, body } = buildRequest(TABLE, 'gatekeeper', 'create', { fields: { name: 'a', level: 3 } });
    expect([method, path, body]).toEqual(['POST', '/ers/config/gatekeeper', '{"Gatekeeper":{"name":"a","level":3}}']);
  });

  it('gets requirements for each of its operations', () => {
    const ids = requirements(TABLE).map(({ id }) => id);
    for (const code of ['R', 'U', 'D', 'L', 'C', 'V']) expect(ids).toContain(`OP-gatekeeper-${code}`);
  });

  it('gets a response schema from its field table', () => {
    const schema = recordSchema(TABLE.gatekeeper, 'strict');
    expect(schema.safeParse({ id: 'x', name: 'a', level: 3, more: 1 }).success).toBe(true);
    expect(schema.safeParse({ id: 'x', name: 'a', level: 'three' }).success).toBe(false);
  });

  it('gets routes: every operation was exercised with a witness on the embedded deployment', () => {
    const covered = run.results.flatMap(({ covers }) => covers ?? []);
    const cells = (kind: string) => new Set(covered.filter((cell) => cell.kind === kind).map(({ cell }) => cell));
    expect(cells('operation')).toEqual(new Set(TABLE.gatekeeper.ops.map((op) => `gatekeeper.${op}`)));
    expect(cells('sort')).toEqual(
      new Set(['name.asc', 'name.dsc', 'level.asc', 'level.dsc'].map((cell) => `gatekeeper.${cell}`)),
    );
    expect(cells('filter').size).toBe(20);
  });

  it('gets checks, none of which fails or faults', () => {
    expect(run.results.length).toBeGreaterThan(40);
    const bad = run.results.filter(({ verdict }) => !['pass', 'info', 'not-applicable'].includes(verdict));
    expect(
      bad.map(({ checkId, variant, verdict, reason, observed }) => ({ checkId, variant, verdict, reason, observed })),
    ).toEqual([]);
    expect(run.faults).toEqual([]);
    expect(run.cleanup.residue).toEqual([]);
  });

  it('gets its rows in the report', () => {
    const { report, files } = renderRun(aRun({ catalogue: catalogueOf(TABLE, true), results: [...run.written] }));
    const row = report.conformance?.families.find(({ name }) => name === 'gatekeeper');
    expect(row?.counts.pass).toBeGreaterThan(0);
    expect(files.find(({ name }) => name === 'index.html')?.content).toContain('Gatekeeper');
    expect(files.find(({ name }) => name === 'junit.xml')?.content).toContain('gatekeeper');
  });
});
