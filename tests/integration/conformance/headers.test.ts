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

it('a target whose answers lack a member under a header fails for that header, and names the member', async () => {
  const lacking = answering((answer, { method, headers }) => {
    if (method !== 'GET' || headers['ers-media-type'] === undefined) return answer;
    const body = String(answer.body).replace(/,?"value":\d+/, '');
    return { ...answer, body, headers: { ...answer.headers, 'Content-Length': `${Buffer.byteLength(body)}` } };
  });
  const run = await runOnReference({ sessions: 100, deviations: [lacking] }, options);
  const failed = run.results.filter(({ verdict }) => verdict === 'fail');
  expect(failed.map(({ variant, observed }) => [variant, observed])).toEqual([['read.ersMediaType', 'no value']]);
});
