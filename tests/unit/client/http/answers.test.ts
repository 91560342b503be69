import { PassThrough } from 'node:stream';
import { setImmediate as turnOfLoop } from 'node:timers/promises';
import { describe, expect, it, test } from 'vitest';
import { bodyReader } from '../../../../lib/client/http/answer-body.ts';
import { cookiesAfter } from '../../../../lib/client/http/csrf.ts';
import { loginGate } from '../../../../lib/client/http/gates.ts';
import { retryAfterSeconds } from '../../../../lib/client/http/poor-answer.ts';
import { FAMILIES } from '../../../../lib/contract/families.ts';
import { buildRequest } from '../../../../lib/wire/request.ts';

const NOW = Date.UTC(2026, 0, 31, 2, 0, 0);
const asked = (status: number, value?: string) =>
  retryAfterSeconds({ status, headers: value === undefined ? [] : [['retry-after', value]] }, NOW);

describe('Retry-After', () => {
  it.each([
    [429, '0', 0],
    [503, '7', 7],
    [429, 'Sat, 31 Jan 2026 02:00:05 GMT', 5],
    [503, 'Saturday, 31-Jan-26 02:00:05 GMT', 5],
    [503, 'Sat, 31 Jan 2026 01:59:00 GMT', 0],
    [409, '1', 1],
    [423, '5', 5],
  ])('of a %i with %s is %i s', (status, value, seconds) => expect(asked(status, value)).toBe(seconds));

  it('is a time of the clock of the target, if it tells that', () => {
    const headers = [
      ['date', 'Fri, 30 Jan 2026 02:00:00 GMT'],
      ['retry-after', 'Fri, 30 Jan 2026 02:00:05 GMT'],
    ] as const;
    expect(retryAfterSeconds({ status: 429, headers }, NOW)).toBe(5);
  });

  it.each([
    [200, '1'],
    [429, undefined],
    [429, 'soon'],
    [503, '31'],
    [409, '6'],
    [500, '1'],
    [400, '1'],
    [404, '1'],
    [409, undefined],
    [503, 'Sat, 31 Jan 2026 03:00:00 GMT'],
  ])('of a %i with %s asks for no wait', (status, value) => expect(asked(status, value)).toBeUndefined());
});

const set = (...values: string[]) => values.map((value) => ['set-cookie', value] as const);

it.each([
  ['', set(), ''],
  ['', set('A=1; Path=/ers; HttpOnly', 'B=x==; Secure'), 'A=1; B=x=='],
  ['A=1; B=2', set(), 'A=1; B=2'],
  ['A=1; B=2', set('A=3'), 'B=2; A=3'],
  ['A=1; B=2', set('A=1; Max-Age=0'), 'B=2'],
  ['A=1', set('A=; Path=/'), ''],
  ['A=1', set('A=gone; Expires=Thu, 01 Jan 1970 00:00:00 GMT'), ''],
  ['', set('A=1; Max-Age=05'), 'A=1'],
  ['', set('no pair', '=x', 'A=\u0001'), ''],
  ['A=1', set(`B=${'x'.repeat(5000)}`), ''],
  ['A=1', [['content-type', 'B=1']] as const, 'A=1'],
])('the cookies after an answer of %o and %o are %o', (carried, headers, after) => {
  expect(cookiesAfter(carried, headers)).toBe(after);
});

const words = () => '401 "expired on 2026-11-26"';
const idle = () => Promise.resolve();
const LIST = buildRequest(FAMILIES, 'sgt', 'list');

it('a login that one request was refused with is shown again, although another under way was taken since', async () => {
  const gate = loginGate(async () => gate.answered(LIST, 200, words));
  gate.answered(LIST, 200, words);
  gate.answered(LIST, 401, words);
  expect(await gate.holds(async () => gate.answered(LIST, 200, words, true))).toBe(true);
});

it.each([true, false])('a login refused to all under way is tried again in a session (%s)', async (inSession) => {
  const gate = loginGate(idle);
  for (const status of [200, 401, 401, 401]) gate.answered(LIST, status, words, false, inSession);
  expect(await gate.holds(async () => gate.answered(LIST, 200, words, true))).toBe(inSession);
});

it('a login that is refused again and again is not sent for ever, although it holds each time', () => {
  const gate = loginGate(idle);
  gate.answered(LIST, 200, words);
  for (let at = 0; at < 44; at += 1) gate.answered(LIST, at % 2 === 0 ? 401 : 200, words, at % 2 === 1);
  expect(() => gate.check()).toThrow('although it had taken it before');
});

it.each([
  [429, 'x-ratelimit-reset', String(NOW / 1000 + 5), 5],
  [429, 'x-ratelimit-reset', '5', 5],
  [429, 'ratelimit-reset', '30', 30],
  [429, 'ratelimit-reset', '0', undefined],
  [429, 'x-ratelimit-reset', String(NOW / 1000 - 5), undefined],
  [429, 'x-ratelimit-reset', '3600', undefined],
  [429, 'x-ratelimit-reset', 'soon', undefined],
  [503, 'x-ratelimit-reset', '5', undefined],
])('an answer %i with %s: %s asks to wait %s seconds', (status, name, value, seconds) => {
  expect(retryAfterSeconds({ status, headers: [[name, value]] }, NOW)).toBe(seconds);
});

const MIB = 1024 * 1024;

/** A body under way, and what became of its reading. */
function begin(read: ReturnType<typeof bodyReader>, bytes: number) {
  const body = new PassThrough({ highWaterMark: 16 * MIB });
  const seen: string[] = [];
  const waiting = { pause: () => void seen.push('pause'), resume: () => void seen.push('resume') };
  const whole = read(body, waiting).then(
    (answer) => void seen.push(`read ${answer.bytes / MIB} MiB`),
    () => void seen.push('broken'),
  );
  for (let part = 0; part < 4; part += 1) body.write(Buffer.alloc(bytes / 4));
  return { body, seen, whole };
}

async function settle() {
  for (let turn = 0; turn < 10; turn += 1) await turnOfLoop();
}

test('short bodies are read side by side, whatever a long one does', async () => {
  const read = bodyReader();
  const long = begin(read, 2 * MIB);
  await settle();
  const short = begin(read, MIB / 2);
  short.body.end();
  await short.whole;
  expect(short.seen).toEqual(['read 0.5 MiB']);
  expect(long.seen).toEqual(['pause', 'resume']);
});

test('a long body waits until the one before it has ended, and its time limit stands still meanwhile', async () => {
  const read = bodyReader();
  const first = begin(read, 2 * MIB);
  await settle();
  const second = begin(read, 2 * MIB);
  second.body.end();
  await settle();
  expect(second.seen).toEqual(['pause']);
  first.body.end();
  await second.whole;
  expect(first.seen).toEqual(['pause', 'resume', 'read 2 MiB']);
  expect(second.seen).toEqual(['pause', 'resume', 'read 2 MiB']);
});

test.each(['first', 'second'] as const)('when the %s of three breaks off, the others are read', async (which) => {
  const read = bodyReader();
  const first = begin(read, 2 * MIB);
  await settle();
  const second = begin(read, 2 * MIB);
  const third = begin(read, 2 * MIB);
  await settle();
  const bodies = { first, second };
  const broken = bodies[which];
  const other = bodies[which === 'first' ? 'second' : 'first'];
  broken.body.destroy();
  other.body.end();
  third.body.end();
  await Promise.all([broken.whole, other.whole, third.whole]);
  expect(broken.seen.at(-1)).toBe('broken');
  // One that never had its turn is not given a time limit again: it would outlive its request.
  expect(broken.seen.includes('resume')).toBe(which === 'first');
  expect([other.seen.at(-1), third.seen.at(-1)]).toEqual(['read 2 MiB', 'read 2 MiB']);
});

test('what is beyond the limit is not read, and the next long body has its turn', async () => {
  const read = bodyReader();
  const endless = begin(read, 10 * MIB);
  await endless.whole;
  expect(endless.body.destroyed).toBe(true);
  const next = begin(read, 2 * MIB);
  next.body.end();
  await next.whole;
  expect(next.seen.at(-1)).toBe('read 2 MiB');
});

test.each([
  ['application/xml;charset=ISO-8859-1', '<a>ü</a>', 'latin1'],
  ['text/xml', '<?xml version="1.0" encoding="ISO-8859-1"?><a>ü</a>', 'latin1'],
  ['application/xml; charset="utf-16le"', '<a>ü</a>', 'utf16le'],
  ['application/xml;charset=unknown', '<a>ü</a>', 'utf8'],
  ['application/json;charset=ISO-8859-1', '{"a":"ü"}', 'utf8'],
] as const)('a body of %s is read in its character set: %s', async (type, sent, encoding) => {
  const body = new PassThrough();
  body.end(Buffer.from(sent, encoding));
  const waiting = { pause: () => undefined, resume: () => undefined };
  expect((await bodyReader()(body, waiting, type)).text).toBe(sent);
});

test('a byte order mark is no part of a body', async () => {
  const body = new PassThrough();
  const whole = bodyReader()(body, { pause: () => {}, resume: () => {} }, 'application/json');
  body.end('\uFEFF{"Sgt":{"name":"ä"}}');
  expect((await whole).text).toBe('{"Sgt":{"name":"ä"}}');
});
