import { PassThrough } from 'node:stream';
import { setImmediate as turnOfLoop } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { bodyReader } from '../../../../lib/client/http/answer-body.ts';

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
