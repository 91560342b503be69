import { describe, expect, it } from 'vitest';
import { saidBy } from '../../../../lib/wire/said.ts';
import { abortWatch, DEFAULT_ABORT } from '../../../../load/plan/abort-rules.ts';
import { toSamples } from '../../../../load/stream/samples.ts';
import { k6Csv, type MadeArrival, readCsv } from '../../../helpers/k6-csv.ts';

const tableOf = (arrivals: readonly MadeArrival[]) => readCsv(k6Csv(arrivals)).table;

const refused = (tick: number): MadeArrival => ({
  ...{ status: 400, code: 'other' },
  says: `Session lookup failure error associated with ip 10.0.0.${tick}`,
});

const butOne = (other: MadeArrival) => (tick: number) => (tick === 7 ? other : refused(tick));

describe('what the target says of a refusal', () => {
  it.each([
    ['{"ERSResponse":{"messages":[{"title":"No \\"lookup\\"","type":"ERROR"}]}}', 'No "lookup"'],
    ['<ns:ersResponse><messages><message><title>No policy</title></message></messages></ns:ersResponse>', 'No policy'],
    ['<html><body><h1>Bad\n gateway</h1></body></html>', 'Bad gateway'],
    ['', ''],
    [`{"title":"${'x'.repeat(500)}"}`, 'x'.repeat(200)],
  ])('is found in %j', (body, says) => {
    expect(saidBy(body)).toBe(says);
  });

  it('is kept beside its count, in the words in which it came first, whatever address it names', () => {
    const table = tableOf([refused(1), { ...refused(0), says: 'No such policy' }, refused(23), {}]);
    expect(toSamples(table, 4_000_000).failures.map(({ count, example }) => [count, example])).toEqual([
      [2, 'Session lookup failure error associated with ip 10.0.0.1'],
      [1, 'No such policy'],
    ]);
  });
});

describe('a cell whose first answers are one and the same refusal', () => {
  it.each([
    ['ends after so many', 60, (tick: number) => refused(tick)],
    ['goes on where one of them was a success', null, butOne({})],
    ['goes on where one says something else', null, butOne({ ...refused(1), says: 'x' })],
    ['goes on where the target is busy', null, (tick: number) => ({ ...refused(tick), status: 503 })],
    ['goes on where the state is another', null, (tick: number) => ({ ...refused(tick), code: 'not-associated' })],
  ])('%s', (_, alike, arrival) => {
    const { messages } = tableOf(Array.from({ length: 60 }, (_none, tick) => arrival(tick)));
    expect(messages.alike).toBe(alike);
  });

  it('is stopped with the words of the target', () => {
    const none = { ended: 50, unauthorized: 0, forbidden: 0, serverErrors: 0, refused: 0 };
    const alike = { count: 50, status: 400, says: 'Session lookup failure' };
    expect(abortWatch(DEFAULT_ABORT).counts({ ...none, alike })).toEqual({
      rule: 'same-refusal',
      text: 'each of the first 50 answers was 400 "Session lookup failure"',
      says: '400 "Session lookup failure"',
    });
    expect(abortWatch(DEFAULT_ABORT).counts({ ...none, alike: { ...alike, count: 49 } })).toBeUndefined();
  });
});
