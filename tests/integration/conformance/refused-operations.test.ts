import { describe, expect, it } from 'vitest';
import { checks } from '../../../conformance/catalog.ts';
import { operationChecks } from '../../../conformance/checks/operations.ts';
import { FAMILIES } from '../../../lib/contract/families.ts';
import { OPS } from '../../../lib/contract/operations.ts';
import { opRequirementId } from '../../../lib/contract/requirements.ts';
import type { FamilyTable, Op } from '../../../lib/contract/types.ts';
import type { ConformanceResult } from '../../../lib/records/conformance.ts';
import { quickRun, runBehind } from '../../helpers/reference-run.ts';
import { oneIn, TAKES_ALL } from '../../helpers/sample.ts';

const TABLE: FamilyTable = FAMILIES;
const STATUSES = [400, 500] as const;
const options = { mode: 'full', depth: 'normal', cleanUp: false } as const;

const rowsOf = (op: Op) => Object.values(TABLE).filter(({ ops }) => ops.includes(op));
/** Every third operation with one of them in turn; each with both of them with ERS_TEST_DEFECTS=all. */
const cases = oneIn(3, Object.keys(OPS) as Op[]).flatMap((op, index) =>
  STATUSES.filter((_, turn) => TAKES_ALL || turn === index % 2).map((status) => [op, status] as const),
);

const ASKING = ['version/served', 'record/read-listed', 'node/by-name', 'list/served', 'bulk/submit', 'bulk/monitor'];
const judging = [...operationChecks, ...checks.filter(({ id }) => ASKING.includes(id))];

describe('a deployment that refuses an operation', () => {
  it.each(cases)('fails the requirement of %s in every family where it answers %i', async (op, status) => {
    // Two families that may not have the operation, so that no other requirement fails.
    const families = [...new Set([...rowsOf(op).map(({ name }) => name), 'sgt', 'node'])];
    const faults = [`refuse=${op}:${status}`];
    const { failed } = await quickRun({ faults }, { ...options, families }, judging);
    expect(failed.map(({ requirement }) => requirement).sort()).toEqual(
      rowsOf(op)
        .map(({ name }) => opRequirementId(name, op))
        .sort(),
    );
  });

  it('fails for nothing that an update is only the control of', async () => {
    const run = await quickRun({ faults: ['refuse=update:405'] }, { ...options, families: ['sgt'] });
    expect(run.failed.map(({ requirement }) => requirement)).toEqual(['OP-sgt-U']);
  });

  it('takes a refusal for load as nothing decided', async () => {
    const one = { ...options, families: ['sgt'] };
    const run = await quickRun({ faults: ['refuse=update:429'] }, one, operationChecks);
    const about = run.written.filter(({ variant }) => variant === 'update').map(({ verdict }) => verdict);
    expect(new Set(about)).toEqual(new Set(['inconclusive']));
  });
});

describe('a deployment that fails a request once, and then takes the same', () => {
  const ONE = { families: ['sgt'], checks: ['operation/'] };
  type Asked = { readonly method: string; readonly path: string };
  const isOf = (op: Op, { method, path }: Asked) =>
    method === OPS[op].method && (op === 'read' ? /sgt\/[\da-f-]+$/ : /sgt(\/[\da-f-]+)?$/).test(path);
  const once = (op: Op) => {
    let left = 1;
    return (request: Asked) => isOf(op, request) && left-- > 0;
  };
  const told = ({ failed }: { readonly failed: readonly ConformanceResult[] }) =>
    failed.map(({ requirement, observed }) => [requirement, observed]);

  it.each([
    ['create', 500],
    ['list', 500],
    ['list', 400],
    ['read', 500],
    ['update', 500],
    ['delete', 500],
  ] as const)('fails the requirement of %s that is answered %i, and no other', async (op, status) => {
    const isHit = once(op);
    const run = await runBehind({ refuses: (asked) => (isHit(asked) ? status : undefined) }, ONE, { catalog: checks });
    const observed = expect.stringMatching(`answered ${status}.* taken when it was sent again`);
    expect(told(run)).toEqual([[opRequirementId('sgt', op), observed]]);
  });

  it.each(['list', 'read'] as const)('fails the requirement of %s that is answered with half of a body', async (op) => {
    const isHit = once(op);
    const shows = (path: string, body: string) => (isHit({ method: 'GET', path }) ? body.slice(0, -9) : body);
    const run = await runBehind({ shows }, ONE, { catalog: checks });
    expect(told(run)).toEqual([[opRequirementId('sgt', op), expect.stringContaining('answered 200')]]);
  });
});

it('a deployment that compares ids with nothing but ids is accused of nothing', async () => {
  const id = /deploymentId\.N?EQ\.(?![\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}(&|$))/i;
  const refuses = ({ path }: { readonly path: string }) => (id.test(path) ? 400 : undefined);
  const one = { mode: 'read-only', families: ['telemetryinfo'], checks: ['filter/'] } as const;
  const { written } = await runBehind({ refuses }, one, { catalog: checks });
  expect(written.filter(({ verdict }) => ['fail', 'warn', 'blocked'].includes(verdict))).toEqual([]);
  const about = written.filter(({ variant }) => variant === 'deploymentId.EQ').map(({ verdict }) => verdict);
  expect(new Set(about)).toEqual(new Set(['pass']));
});

const FULL = { mode: 'full', depth: 'normal', visibilityMs: 200 } as const;

describe('a run in full mode', () => {
  it.each(['N01', 'N04', 'N05'])(
    'writes nothing to %s, which answers alike whatever it is asked',
    async (nullTarget) => {
      const run = await quickRun({ nullTarget }, { ...FULL, families: ['sgt', 'portaltheme'] });
      expect(Object.keys(run.requests)).toEqual(['GET']);
      expect(run.cleanup.residue).toEqual([]);
      expect(run.results.some(({ verdict }) => verdict === 'fail')).toBe(true);
      expect(run.results.filter(({ verdict }) => verdict === 'pass')).toEqual([]);
    },
  );

  it('writes nothing to a family that an older version answers with a fault, and leaves nothing behind', async () => {
    const variations = ['V23', 'V15b'];
    const families = ['portaltheme', 'hotspotportal'];
    const run = await quickRun({ variations }, { ...FULL, families, checks: ['record/'] });
    expect(run.journal.filter(({ family }) => family === 'portaltheme')).toEqual([]);
    expect(run.cleanup.residue).toEqual([]);
  });
});
