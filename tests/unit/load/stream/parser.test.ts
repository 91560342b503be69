import { describe, expect, it } from 'vitest';
import { UNSERVED } from '../../../../lib/records/load/load.ts';
import { saidBy } from '../../../../lib/wire/said.ts';
import { answerCode } from '../../../../lib/wire/scenario.ts';
import { createFailures, failureKind } from '../../../../load/stream/failures.ts';
import { toSamples } from '../../../../load/stream/samples.ts';
import { CSV_HEADER, k6Csv, type MadeArrival, readCsv } from '../../../helpers/k6-csv.ts';

const good = k6Csv([{}, { dropped: true, lagUs: 50 }, { status: 500, code: 'other' }]);

const http = (metric: string, value: string, tags: string) =>
  `http_req_${metric},1790000000900000,${value},,true,anc,204,,${tags}`;
/** The rows but for some. */
const without = (isLeftOut: (line: string) => boolean) =>
  good
    .split('\n')
    .filter((line) => !isLeftOut(line))
    .join('\n');

describe('the stream parser', () => {
  it('counts iterations, transactions, drops and failures, and knows the newest success', () => {
    const { table, whole } = readCsv(good);
    expect(table).toMatchObject({ started: 2, iterations: 2, requests: 2, failed: 1, malformed: 0, rows: 27 });
    expect(table.dropsUs).toHaveLength(1);
    expect(whole).toBe(true);
    const newest = [good, k6Csv([{}, {}, { status: 500, code: 'other' }]), k6Csv([{ status: 500, code: 'other' }])];
    expect(newest.map((text) => readCsv(text).table.newestOk)).toEqual([0, 1, -1]);
  });

  it('counts the answers that may stop a cell by what they are', () => {
    const answers = [204, 401, 403, 403, 500, 503].map((status) => ({ status, code: status < 300 ? 'ok' : 'other' }));
    const refused = { status: 0, errorCode: '1212', code: 'other' };
    const { endings } = readCsv(k6Csv([...answers, refused, { ...refused, errorCode: '1050' }])).table;
    expect(endings).toEqual({ ended: 8, unauthorized: 1, forbidden: 2, serverErrors: 2, refused: 1 });
  });

  it('leaves requests that fetch a token out of the transactions', () => {
    const token = /^http_reqs,.*$/m.exec(good)?.[0].replace(',anc,', ',csrf,');
    expect(readCsv(`${good}${token}\n`).table).toMatchObject({ requests: 2, malformed: 0 });
  });

  it.each([
    ['a metric it does not know', 'latency,1,2,,,anc,204,,seq=0'],
    ['a row with a column too few', 'iterations,1790000000000000,1.000000,,,,,seq=0'],
    ['text that is no row', 'runtime error: index out of range'],
    ['a number that is none', http('duration', 'fast', 'seq=9&due=1790000000036000&wait=0')],
    ['a row without its place in the schedule', http('duration', '2.0', 'wait=0')],
    ['an iteration number beyond reason', http('blocked', '2.0', 'seq=999999999999')],
    ['a row of another schedule', http('duration', '2.0', 'seq=9&due=1790000000999000&wait=0')],
    ['a second end of one iteration', 'iteration_duration,1790000000000000,2.0,,,,,,seq=0&due=1&wait=0&code=ok'],
  ])('counts %s as malformed', (_, row) => {
    expect(readCsv(`${good}${row}\n`).table.malformed).toBe(1);
  });

  it('takes a stream without the header, or with another one, as damaged', () => {
    expect(readCsv(good.split('\n').slice(1).join('\n')).table.malformed).toBe(1);
    expect(readCsv(good.replace(CSV_HEADER, CSV_HEADER.replace('name', 'url'))).table.malformed).toBe(1);
    for (const text of ['', good.slice(0, -1)]) expect(readCsv(text).whole).toBe(false);
  });
});

describe('samples of a stream', () => {
  const collect = (text: string) =>
    toSamples(readCsv(text).table, 4_000_000, { transportExample: 'dial tcp: connection refused' });

  it('hold one row for each arrival of the schedule, dropped ones without times', () => {
    const { samples, counts } = collect(good);
    expect(counts).toMatchObject({ scheduled: 3, started: 2, dropped: 1, recorded: 2, withoutTransaction: 0 });
    expect([...samples.dueUs]).toEqual([0, 4000, 8000]);
    expect([...samples.outcome]).toEqual([0, 1, 2]);
    expect([...samples.seq]).toEqual([0, UNSERVED, 1]);
    expect(samples.responseUs[1]).toBe(UNSERVED);
  });

  it('hold a started iteration without a transaction as a failure without times', () => {
    const { samples, failures, counts } = collect(without((line) => /^http_.*seq=0/.test(line)));
    expect(failures[0]).toMatchObject({ kind: 'transport', errorCode: 'unrecorded', count: 1 });
    expect([samples.outcome[0], samples.serviceUs[0]]).toEqual([2, UNSERVED]);
    expect(counts).toMatchObject({ started: 2, recorded: 1, withoutTransaction: 1 });
  });

  it('do not take a refused connection for a late start, nor for a quick answer', () => {
    const refused = { status: 0, errorCode: '1212', code: 'other', serviceUs: 0, lagUs: 400 };
    const { samples, failures } = collect(k6Csv([{}, refused]));
    expect(failures).toEqual([
      { kind: 'transport', status: 0, errorCode: '1212', count: 1, example: 'dial tcp: connection refused' },
    ]);
    expect(samples.lagUs[1]).toBeLessThan(2000);
    expect(samples.outcome[1]).toBe(2);
  });

  it('call nothing a success whose iteration did not end', () => {
    const cut = without((line) => line.startsWith('iteration'));
    expect(collect(cut).failures.map(({ kind }) => kind)).toEqual(['unexpected-status', 'server-error']);
  });
});

const tableOf = (arrivals: readonly MadeArrival[]) => readCsv(k6Csv(arrivals)).table;

const refusal = (tick: number): MadeArrival => ({
  ...{ status: 400, code: 'other' },
  says: `Session lookup failure error associated with ip 10.0.0.${tick}`,
});

const butOne = (other: MadeArrival) => (tick: number) => (tick === 7 ? other : refusal(tick));

it.each([
  ['{"ERSResponse":{"messages":[{"title":"No \\"lookup\\"","type":"ERROR"}]}}', 'No "lookup"'],
  ['<ns:ersResponse><messages><message><title>No policy</title></message></messages></ns:ersResponse>', 'No policy'],
  ['<html><body><h1>Bad\n gateway</h1></body></html>', 'Bad gateway'],
  ['', ''],
  [`{"title":"${'x'.repeat(500)}"}`, 'x'.repeat(200)],
])('what the target says of a refusal is found in %j', (body, says) => {
  expect(saidBy(body)).toBe(says);
});

it.each([
  ['ends after so many', 60, (tick: number) => refusal(tick)],
  ['goes on where one of them was a success', null, butOne({})],
  ['goes on where one says something else', null, butOne({ ...refusal(1), says: 'x' })],
  ['goes on where the target is busy', null, (tick: number) => ({ ...refusal(tick), status: 503 })],
  ['goes on where the state is another', null, (tick: number) => ({ ...refusal(tick), code: 'not-associated' })],
])('a cell whose first answers are one and the same refusal %s', (_, alike, arrival) => {
  const { messages } = tableOf(Array.from({ length: 60 }, (_none, tick) => arrival(tick)));
  expect(messages.alike).toBe(alike);
});

const kindOf = (status: number, options: { type?: string; retryAfter?: string; body?: string; error?: number } = {}) =>
  failureKind({
    status,
    errorCode: options.error ?? 0,
    code: answerCode(status, options.type ?? 'application/json', options.retryAfter ?? '', options.body ?? ''),
  });

describe('the kind of an answer', () => {
  it.each([
    ['204', null, kindOf(204)],
    ['200 with an empty body', null, kindOf(200)],
    ['200 with a page of HTML', 'unexpected-status', kindOf(200, { type: 'text/html;charset=utf-8' })],
    ['200, an error', 'unexpected-status', kindOf(200, { body: '{"ERSResponse":{"messages":[{"type":"ERROR"}]}}' })],
    [
      '200, failed',
      'unexpected-status',
      kindOf(200, { body: '{"OperationResult":{"resultValue":[{"value":"FAILURE"}]}}' }),
    ],
    ['302 to a login page', 'unexpected-status', kindOf(302)],
    ['401', 'auth', kindOf(401)],
    ['403', 'auth', kindOf(403)],
    ['404', 'client-error', kindOf(404)],
    ['429', 'throttled', kindOf(429)],
    ['503 that says when to come back', 'throttled', kindOf(503, { retryAfter: '1' })],
    ['503', 'server-error', kindOf(503)],
    ['HTML, whatever it says', 'unexpected-status', kindOf(200, { type: 'text/HTML', body: 'already associated' })],
    ['429, whatever it says', 'throttled', kindOf(429, { body: 'not associated' })],
    ['a second apply', 'state', kindOf(500, { body: 'MAC is already associated with this policy' })],
    ['a clear of nothing', 'state', kindOf(400, { body: 'the endpoint is NOT ASSOCIATED with a policy' })],
    ['a timeout', 'timeout', kindOf(0, { error: 1050 })],
    ['a refused connection', 'transport', kindOf(0, { error: 1212 })],
  ])('%s is %s', (_, expected, found) => {
    expect(found).toBe(expected);
  });

  it('has one class for each kind, status and code, however many classes there are', () => {
    const failures = createFailures();
    const outcomes = Array.from({ length: 1000 }, (_, index) =>
      failures.outcome({ status: 400 + (index % 400), errorCode: 0, code: 'other' }),
    );
    expect(Math.max(...outcomes)).toBeLessThan(256);
    expect(failures.counted.reduce((sum, { count }) => sum + count, 0)).toBe(1000);
  });

  it('counts a refusal whose words were not read any more with the others of its kind', () => {
    const failures = createFailures();
    const said = { status: 400, says: 'no session', body: 'JSON' } as const;
    failures.outcome({ status: 400, errorCode: 1400, code: 'other', said });
    failures.outcome({ status: 400, errorCode: 1400, code: undefined });
    expect(failures.counted).toMatchObject([{ status: 400, count: 2 }]);
  });
});
