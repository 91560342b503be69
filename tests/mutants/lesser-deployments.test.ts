import { describe, expect, it } from 'vitest';
import type { ConformanceResult } from '../../lib/records/conformance.ts';
import type { Mode } from '../../lib/records/vocabulary.ts';
import type { ReferenceOptions } from '../../reference/server.ts';
import { accused } from '../helpers/conformance-run.ts';
import { quickRun, runBehind } from '../helpers/reference-run.ts';
import { oneIn, TAKES_ALL } from '../helpers/sample.ts';

const FAMILIES = ['sxpvpns', ...(TAKES_ALL ? ['ancendpoint', 'sgt', 'portaltheme'] : [])];

const run = (reference: ReferenceOptions, mode: Mode, families = FAMILIES) =>
  quickRun(reference, { mode, seed: 5, families, visibilityMs: 500 });

const exercised = (results: readonly ConformanceResult[], ops: readonly string[]) =>
  results
    .filter(({ verdict }) => verdict === 'pass')
    .flatMap(({ covers = [] }) => covers)
    .filter(({ kind, cell }) => kind === 'operation' && ops.includes(cell.split('.').at(-1) ?? ''));

const WRITES = ['create', 'update', 'delete', 'apply', 'clear', 'bulkSubmit'];

describe.concurrent('a deployment that offers less', () => {
  it('because its version group is older: the families it lacks are not applicable, with the reason, and nothing of them is green', async () => {
    const { results, cleanup } = await run({ variations: ['V23'] }, 'full', ['portaltheme', 'ancendpoint', 'node']);
    expect(accused(results)).toEqual([]);
    const missing = results.filter(({ family }) => ['portaltheme', 'ancendpoint'].includes(family));
    expect(new Set(missing.map(({ verdict }) => verdict))).toEqual(new Set(['not-applicable']));
    expect(missing.every(({ reason }) => /does not serve the family/.test(reason ?? ''))).toBe(true);
    expect(cleanup.residue).toEqual([]);
  });

  it.each(
    oneIn(2, [
      ['lets this login read and nothing else', { variations: ['V21'] }],
      ['refuses every create for want of permission', { faults: ['refuse=POST:403'] }],
    ] satisfies [string, ReferenceOptions][]),
  )('because it %s: writes are blocked with the reason, neither red nor green', async (_why, reference) => {
    const families = ['sxpvpns', 'ancendpoint'];
    const { results, cleanup } = await run(reference, 'full', families);
    expect(accused(results)).toEqual([]);
    expect(exercised(results, ['create'])).toEqual([]);
    const blocked = results.filter(({ checkId, verdict }) => checkId === 'record/create' && verdict === 'blocked');
    expect(blocked.map(({ family }) => family)).toEqual(['sxpvpns']);
    expect(blocked.every(({ reason }) => /permission/.test(reason ?? ''))).toBe(true);
    expect(cleanup.residue).toEqual([]);
  });

  it.each(['PUT', 'DELETE'])(
    'because this login may not %s: nothing is accused, and what cannot be removed is listed',
    async (method) => {
      const { results, cleanup } = await run({ faults: [`refuse=${method}:403`] }, 'own-data', [
        method === 'PUT' ? 'portaltheme' : 'sxpvpns',
      ]);
      expect(accused(results)).toEqual([]);
      expect(exercised(results, [method === 'PUT' ? 'update' : 'delete'])).toEqual([]);
      expect(cleanup.residue.length > 0).toBe(method === 'DELETE');
      expect(cleanup.residue.every(({ command }) => command.startsWith('curl '))).toBe(true);
    },
  );

  it.each(oneIn(2, ['V21b', 'V21c']))('because of %s: nothing is accused', async (variation) => {
    const { results } = await run({ variations: [variation] }, 'full');
    expect(accused(results)).toEqual([]);
  });

  it('because the run may only read: no write is judged', async () => {
    const { results, requests } = await run({}, 'read-only');
    expect(accused(results)).toEqual([]);
    expect(exercised(results, WRITES)).toEqual([]);
    expect(Object.keys(requests)).toEqual(['GET']);
  });
});

const PATH = '/ers/config/hotspotportal/';
const KIND = /"portalType":"(\w+)"/;

it('a portal whose purpose never changes, with another word in the view, is accused of nothing new', async () => {
  const { written, passed } = await runBehind(
    {
      refuses: ({ method, path, body }) =>
        method === 'PUT' && path.startsWith(PATH) && (KIND.exec(body)?.[1] ?? 'HOTSPOTGUEST') !== 'HOTSPOTGUEST'
          ? 400
          : undefined,
      shows: (path, body) =>
        path.startsWith('/ers/config/portal/') ? body.replace(KIND, '"portalType":"GUEST"') : body,
    },
    { seed: 3, visibilityMs: 500, families: ['hotspotportal', 'portal'], checks: ['survey/', 'record/'] },
  );
  const kinds = passed.filter(({ method, path }) => method === 'PUT' && path.startsWith(PATH));
  expect(kinds.some(({ body }) => KIND.exec(body)?.[1] === 'MYDEVICE')).toBe(true);
  expect(accused(written)).toEqual([]);
  const told = written.find(({ checkId, family }) => checkId === 'survey/update' && family === 'hotspotportal');
  expect(told?.verdict).toBe('pass');
});
