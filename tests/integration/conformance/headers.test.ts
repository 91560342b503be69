import { expect, it } from 'vitest';
import { checks } from '../../../conformance/catalog.ts';
import { runAgainst } from '../../helpers/conformance-run.ts';
import { answering } from '../../helpers/deviations.ts';
import { quickRun } from '../../helpers/reference-run.ts';
import { stubTarget } from '../../helpers/stub-target.ts';

const options = { families: ['sgt'], checks: ['headers/'] };

it('a target that needs the usual headers fails for these, and has the token tried beside those that it needs', async () => {
  const run = await quickRun({ personas: ['accept', 'deletetype'] }, { ...options, depth: 'normal' });
  expect([...new Set(run.failed.map(({ failure }) => failure?.subject))].sort()).toEqual([
    'header accept',
    'header contentType',
  ]);
  const token = run.results.filter(({ requirement }) => requirement === 'AUTH-CSRF');
  expect(token.filter(({ verdict }) => verdict !== 'pass')).toEqual([]);
  expect(token.some(({ variant }) => variant?.endsWith('.alone'))).toBe(true);
  expect(run.cleanup.residue).toEqual([]);
});

it.each([
  [
    'under a header fails, and is told under which',
    Number.POSITIVE_INFINITY,
    expect.stringContaining('ERS-Media-Type'),
  ],
  ['of late, as from a cache, passes', 2, undefined],
])('a target whose answers lack a member %s', async (_, times, onlyIf) => {
  let left = times;
  const lacking = answering((answer, { method, headers }) => {
    if (method !== 'GET' || headers['ers-media-type'] === undefined) return answer;
    const body = String(answer.body).replace(/,?"value":\d+/, (value) => (left-- > 0 ? '' : value));
    return { ...answer, body, headers: { ...answer.headers, 'Content-Length': `${Buffer.byteLength(body)}` } };
  });
  const checks = ['headers/', 'survey/'];
  const { failed } = await quickRun({ deviations: [lacking] }, { ...options, checks });
  expect(failed.map((each) => each.onlyIf)).toEqual(onlyIf === undefined ? [] : [onlyIf]);
});

it('a list that shows another record under a header fails, in a family that is only read', async () => {
  const target = await stubTarget(({ url, headers }, response) => {
    const id = /telemetryinfo\/(\w+)/.exec(url)?.[1];
    const name = id ?? (headers['x-csrf-token'] === undefined ? 'one' : 'other');
    const record = { id: name, name, description: name };
    const body = id === undefined ? { SearchResult: { total: 1, resources: [record] } } : { TelemetryInfo: record };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  const { failed } = await runAgainst(
    { baseUrl: target.baseUrl, catalog: checks },
    { mode: 'read-only', seed: 1, families: ['telemetryinfo'], checks: ['survey/'] },
  );
  await target.close();
  expect(failed.map((each) => each.onlyIf)).toEqual([expect.stringContaining('X-CSRF-TOKEN')]);
});

it('a monitor of bulk requests that fails at an answer in XML fails, and one that refuses it does not', async () => {
  const families = ['sxpvpns'];
  for (const [status, expected] of [
    [500, ['OP-sxpvpns-BM']],
    [406, []],
  ] as const) {
    const asking = answering((answer, { path, headers }) =>
      /\/bulk\/\d/.test(path) && String(headers['accept']).includes('xml') ? { ...answer, status } : answer,
    );
    const one = { mode: 'full', families, checks: ['bulk/monitor'] } as const;
    const { failed } = await quickRun({ deviations: [asking] }, one);
    expect(failed.map(({ requirement }) => requirement)).toEqual(expected);
  }
});
