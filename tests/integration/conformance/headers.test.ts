import { expect, it } from 'vitest';
import { answering } from '../../helpers/deviations.ts';
import { runOnReference } from '../../helpers/reference-run.ts';

const options = { mode: 'own-data', seed: 1, visibilityMs: 60, families: ['sgt'], checks: ['headers/'] } as const;

it('a target that needs the usual headers fails for these, and not for the token that a request without them carries', async () => {
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

it.each([
  ['fails for that header, and names the member', Number.POSITIVE_INFINITY, [['read.ersMediaType', 'no value']]],
  ['passes if they are only late, as from a cache', 2, []],
])('a target whose answers lack a member under a header %s', async (_, times, expected) => {
  let left = times;
  const lacking = answering((answer, { method, headers }) => {
    if (method !== 'GET' || headers['ers-media-type'] === undefined) return answer;
    const body = String(answer.body).replace(/,?"value":\d+/, (value) => (left-- > 0 ? '' : value));
    return { ...answer, body, headers: { ...answer.headers, 'Content-Length': `${Buffer.byteLength(body)}` } };
  });
  const run = await runOnReference({ sessions: 100, deviations: [lacking] }, options);
  const failed = run.results.filter(({ verdict }) => verdict === 'fail');
  expect(failed.map(({ variant, observed }) => [variant, observed])).toEqual(expected);
});
