import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { recordable } from '../../../../lib/client/http/exchange-record.ts';
import { redactor } from '../../../../lib/client/redaction/redact.ts';
import { forAll } from '../../../helpers/for-all.ts';

const password = fc
  .string({ minLength: 6, maxLength: 24, unit: 'grapheme-ascii' })
  .filter((text) => /^\S+$/.test(text));
const noise = fc.string({ maxLength: 40 });

/** Ways in which a target may echo what it was sent. */
const ECHOES: readonly ((secret: string, noise: string) => string)[] = [
  (secret) => secret,
  (secret) => JSON.stringify({ any: secret }),
  (secret) => `<x>${secret.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')}</x>`,
  (secret) => `?q=${encodeURIComponent(secret)}`,
  (secret) => Buffer.from(`tester:${secret}`).toString('base64'),
  (secret) => Buffer.from(secret).toString('base64'),
  (secret, text) => Buffer.from(text + secret + text).toString('base64'),
  (secret, text) => Buffer.from(text + secret).toString('base64url'),
];

/** The record of an exchange with a login of this password. */
function recordOf(secret: string, exchange: Pick<Parameters<typeof recordable>[0], 'request' | 'answer' | 'fault'>) {
  const about = { id: 'e1', at: new Date(0), family: 'sgt', operation: 'list', durationMs: 1 };
  return recordable({ ...about, ...exchange }, redactor({ username: 'tester', password: secret })).record();
}

describe('a record', () => {
  it('never holds the password, plain, escaped or base64, wherever the target put it', () => {
    forAll(
      [password, noise, fc.constantFrom(...ECHOES), noise],
      (secret, before, echo, after) => {
        const echoed = echo(secret, before);
        const text = `${before} ${echoed} ${after}`;
        const record = recordOf(secret, {
          request: {
            method: 'GET',
            path: `/ers?x=${encodeURIComponent(secret)}`,
            headers: { 'X-Any': secret },
            body: text,
          },
          answer: {
            status: 200,
            headers: [['x-echo', secret]],
            body: text,
            bytes: text.length,
            cut: false,
            durationMs: 1,
          },
          fault: text,
        });
        const values = [
          record.path,
          record.requestBody,
          record.responseBody,
          record.fault,
          ...record.requestHeaders.flat(),
          ...record.responseHeaders.flat(),
        ];
        // What the noise itself spells is no leak.
        fc.pre(!`${before} ${after}`.includes(secret));
        for (const value of values) {
          expect(value).not.toContain(secret);
          expect(value).not.toContain(Buffer.from(`tester:${secret}`).toString('base64'));
          expect(Buffer.from(value ?? '', 'base64').toString()).not.toContain(secret);
        }
      },
      { numRuns: 300 },
    );
  });

  it('does not let a secret escape at the end of a long body', () => {
    const secret = 'Sup3rS3cretWord';
    forAll(
      [fc.integer({ min: -40, max: 40 })],
      (shift) => {
        for (const limit of [64 * 1024, 72 * 1024]) {
          const body = 'x'.repeat(limit + shift - 8) + secret + 'y'.repeat(20_000);
          const record = recordOf(secret, {
            request: { method: 'GET', path: '/', headers: {} },
            answer: { status: 200, headers: [], body, bytes: body.length, cut: false, durationMs: 1 },
          });
          expect(record.responseBody).not.toContain(secret.slice(0, 3));
          expect(record.responseBody.length).toBeLessThanOrEqual(64 * 1024);
        }
      },
      { numRuns: 80 },
    );
  });
});
