import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { recordable } from '../../../../lib/client/http/exchange-record.ts';
import { REDACTED, redactor } from '../../../../lib/client/redaction/redact.ts';
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

const ANSWER = { status: 200, cut: false, durationMs: 1 };

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
        const headers = { 'X-Any': secret };
        const record = recordOf(secret, {
          request: { method: 'GET', path: `/ers?x=${encodeURIComponent(secret)}`, headers, body: text },
          answer: { ...ANSWER, headers: [['x-echo', secret]], body: text, bytes: text.length },
          fault: text,
        });
        const { path, requestBody, responseBody, fault, requestHeaders, responseHeaders } = record;
        const values = [path, requestBody, responseBody, fault, ...requestHeaders.flat(), ...responseHeaders.flat()];
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
            answer: { ...ANSWER, headers: [], body, bytes: body.length },
          });
          expect(record.responseBody).not.toContain(secret.slice(0, 3));
          expect(record.responseBody.length).toBeLessThanOrEqual(64 * 1024);
        }
      },
      { numRuns: 80 },
    );
  });
});

/** Passwords of any signs. */
const odd = fc
  .string({
    minLength: 6,
    maxLength: 20,
    unit: fc.oneof(
      fc.string({ minLength: 1, maxLength: 1 }),
      fc.constantFrom('ü', '€', '😀', '"', "'", '&', '%', '\\', '+', '/'),
    ),
  })
  .filter((text) => /^\S{6,}$/.test(text) && !/^[a-z_-]+$/i.test(text) && text.length < 30)
  // Of little else than quotes and backslashes, a password is found as it is and in one escape, and not in every chain.
  .filter((text) => text.replace(/^[\\'"]+|[\\'"]+$/g, '').replace(/[\\'"]/g, '').length >= 4);

const hex = (character: string, length: number) => (character.codePointAt(0) ?? 0).toString(16).padStart(length, '0');
const each = (write: (character: string) => string) => (text: string) => [...text].map(write).join('');
/** Only characters that are no letters, digits or spaces are written otherwise, as most programs do. */
const special = (write: (character: string) => string) => each((one) => (/[\w ]/.test(one) ? one : write(one)));
const units = (text: string, write: (unit: string) => string) => text.split('').map(write).join('');
const html: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** What programs do to a text on its way from one to the next. */
const WRITERS: readonly ((text: string) => string)[] = [
  encodeURIComponent,
  (text) =>
    encodeURIComponent(text)
      .replace(/%../g, (one) => one.toLowerCase())
      .replaceAll('%20', '+'),
  each((one) => [...Buffer.from(one)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('')),
  (text) => JSON.stringify(text),
  (text) => JSON.stringify({ held: text }).replaceAll('/', '\\/'),
  each((one) => units(one, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)),
  special((one) => html[one] ?? one),
  special((one) => `&#${one.codePointAt(0)};`),
  each((one) => `&#x${hex(one, 2).toUpperCase()};`),
  special((one) => ('\\`*_{}[]<>()#+-.!|'.includes(one) ? `\\${one}` : one)),
  (text) => text,
];

/** A quoted word of a shell: programs write at most one around the other. */
const shell = (text: string) => `curl '${text.replaceAll("'", "'\\''")}'`;
const some = fc.array(fc.constantFrom(...WRITERS), { maxLength: 2 });

describe('a secret in escapes of escapes', () => {
  it('is taken out with whatever chain of programs wrote it, and nothing around it is', () => {
    forAll(
      [odd, some, fc.boolean(), some],
      (secret, first, isQuoted, then) => {
        const writers = [...first, ...(isQuoted ? [shell] : []), ...then];
        const { net, text } = redactor({ username: 'tester', password: secret });
        const written = writers.reduce((held, write) => write(held), ` before ${secret} after `);
        const unlike = writers.reduce((held, write) => write(held), ` before  after `);
        for (const redact of [net, text]) {
          const held = redact(written);
          expect(held).toContain(REDACTED);
          // A backslash beside a quote can be read in two ways: an escape may be left, and no more of it.
          expect(held.length).toBeLessThanOrEqual(unlike.length + REDACTED.length + 120);
          // Likewise a quote or backslash at an edge takes an escape beside it along, and no more of it.
          expect(held.length).toBeGreaterThanOrEqual(unlike.length - (/^[\\'"]|[\\'"]$/.test(secret) ? 40 : 0));
        }
      },
      { numRuns: 300 },
    );
  });

  it.each([
    [
      "a quote and a backslash, in a shell's word in JSON in HTML",
      `!\\'ü!ü!ü"`,
      String.raw`before !\\&#39;\\&#39;&#39;ü!ü!ü\&quot; after`,
    ],
    ['a backslash at its end, in HTML in a form', 'üüü!&\\', '+before+%c3%bc%c3%bc%c3%bc!%26amp%3b%5c+after+'],
  ])('is taken out where its backslashes can be read in two ways: %s', (_, secret, written) => {
    const held = redactor({ username: 'tester', password: secret }).net(written);
    expect(held).toContain(REDACTED);
    expect(held).not.toMatch(/ü|%c3/);
  });

  it('is taken out in other cases of its letters', () => {
    const { text } = redactor({ username: 'tester', password: "pa+ss/w'o&rd=<x>9" });
    expect(text("filter=name.EQ.PA%2BSS%2FW'O%26RD%3D%3CX%3E9")).toBe(`filter=name.EQ.${REDACTED}`);
  });
});
