import { Readable } from 'node:stream';
import { changing, type NamedDeviation } from '../deviation.ts';
import { type Answer, type Call, headerOf } from '../http/wire.ts';
import type { MaybePromise } from '../seams.ts';

/** A target that never was the service: whatever it is asked, nothing may be proven by it. */
export interface NullTarget extends NamedDeviation {
  /** Exit codes a run against it may end with. */
  readonly exits: readonly number[];
  /** Beginnings of `check requirement` for what it really does do, so that a pass of it is no vacuous one. */
  readonly keeps?: readonly string[];
}

const JSON_TYPE = { 'Content-Type': 'application/json;charset=utf-8' };
const HTML_TYPE = { 'Content-Type': 'text/html;charset=utf-8' };
const LIST = '{"SearchResult":{"total":1,"resources":[{"id":"1","name":"one"}]}}';
const LOGIN = '<!doctype html><html lang="en"><body><form><input name="user"></form></body></html>';
const HUGE_BYTES = 50 * 1024 * 1024;

function target(
  id: string,
  title: string,
  exits: readonly number[],
  reply: (call: Call, count: number) => MaybePromise<Answer>,
): NullTarget {
  const front = changing('front', () => {
    let count = 0;
    return { handle: (call) => reply(call, ++count) };
  });
  return { id, title, exits, ...front };
}

async function echo({ request }: Call): Promise<Answer> {
  const body = await request.body();
  return { status: 200, headers: JSON_TYPE, body: body === '' ? JSON.stringify({ path: request.path }) : body };
}

/** Zero bytes of JSON blank, this many, or without end. */
function blanks(bytes: number): Readable {
  const piece = Buffer.alloc(64 * 1024, ' ');
  let left = bytes;
  return new Readable({
    read() {
      if (left <= 0) this.push(null);
      else this.push(piece.subarray(0, Math.min(left, piece.length)));
      left -= piece.length;
    },
  });
}

/** What a hostile target does, one after the other. */
const HOSTILE: readonly ((call: Call) => Answer)[] = [
  () => ({
    status: 200,
    headers: JSON_TYPE,
    body: '{"SearchResult":{"total":1,"resources":[{"id":"<script>alert(1)</script>","name":"\\"><img src=x onerror=alert(1)>"}]}}',
  }),
  ({ request }) => ({
    status: 400,
    headers: JSON_TYPE,
    body: JSON.stringify({ ERSResponse: { messages: [{ title: headerOf(request, 'authorization') ?? '' }] } }),
  }),
  () => ({ status: 200, headers: JSON_TYPE, body: blanks(HUGE_BYTES) }),
  ({ request }) => ({ status: 302, headers: { Location: request.origin + request.path }, body: '' }),
  () => ({
    status: 200,
    headers: Object.fromEntries(Array.from({ length: 400 }, (_, index) => [`X-Flood-${index}`, 'x'.repeat(400)])),
    body: '{}',
  }),
  () => ({ status: 200, headers: JSON_TYPE, body: blanks(Number.POSITIVE_INFINITY) }),
];

/** Checks that hold on records that were there before, or on answers alone. */
const READ_SIDE = [
  ...['body/list-envelope ', 'bulk/completes ', 'bulk/known-id ', 'bulk/monitor ', 'bulk/own-ids '],
  ...['bulk/root-key ', 'bulk/submit ', 'filter/', 'headers/csrf-on-reads ', 'headers/optional-on-reads ', 'list/'],
  ...['negative/unknown-id ', 'node/', 'operation/steady ', 'paging/', 'paths/', 'schema/', 'sort/'],
  ...['query/extra-on-reads ', 'query/order ', 'record/read-listed ', 'version/', 'xml/list ', 'xml/list-queries '],
  // Of families that are only read, and of those whose records are made in another way.
  ...['survey/bulk ', 'survey/filters ', 'survey/joins ', 'survey/pages ', 'survey/reads ', 'survey/sorts '],
];

export const NULL_TARGETS: readonly NullTarget[] = [
  target('N01', 'always 200 and an empty object', [1], () => ({ status: 200, headers: JSON_TYPE, body: '{}' })),
  target('N02', 'always 404', [3], () => ({ status: 404, headers: {}, body: '' })),
  target('N03', 'always 401', [3], () => ({ status: 401, headers: HTML_TYPE, body: '<html>401</html>' })),
  target('N04', 'answers with what it was sent', [1], echo),
  target('N05', 'one list, whatever is asked', [1], () => ({ status: 200, headers: JSON_TYPE, body: LIST })),
  {
    id: 'N06',
    title: 'takes writes and forgets them',
    exits: [1],
    // It reads, lists and queues as the service does: only what needs a stored record must not pass.
    keeps: READ_SIDE,
    ...changing('store', () => ({
      create: (_name, fields) => ({ id: crypto.randomUUID(), ...fields }),
      update: () => [],
      remove: () => true,
    })),
  },
  target('N07', 'always 500', [3], () => ({ status: 500, headers: {}, body: '' })),
  target('N08', 'takes the request and never answers', [3], () => new Promise<Answer>(() => undefined)),
  target('N09', 'a login page with status 200', [3], () => ({ status: 200, headers: HTML_TYPE, body: LOGIN })),
  target(
    'N10',
    'hostile: scripts, echoed secrets, huge and endless bodies, redirect loop, header flood',
    [1, 3],
    (call, count) => {
      const next = HOSTILE[(count - 1) % HOSTILE.length];
      return next === undefined ? { status: 500, headers: {}, body: '' } : next(call);
    },
  ),
];
