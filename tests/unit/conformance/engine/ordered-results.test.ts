import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { circuitBreaker } from '../../../../conformance/engine/circuit-breaker.ts';
import { createLock, keyedMutex } from '../../../../conformance/engine/concurrency.ts';
import { openEvidence } from '../../../../conformance/engine/evidence/evidence.ts';
import { orderedResults } from '../../../../conformance/engine/run.ts';
import { timeLimit } from '../../../../lib/clock.ts';
import {
  type ConformanceResult,
  type ExchangeRecord,
  INTERRUPTED,
  OUT_OF_TIME,
} from '../../../../lib/records/conformance.ts';

const result = (checkId: string) => ({ checkId }) as ConformanceResult;
const exchange = (id: string) => ({ id }) as ExchangeRecord;

it('results are given on as soon as all before them are there, and at the end even where one never came', () => {
  const given: string[] = [];
  const ordered = orderedResults(({ checkId }) => given.push(checkId));
  ordered.add(1, result('b'));
  expect(given).toEqual([]);
  ordered.add(0, result('a'));
  expect(given).toEqual(['a', 'b']);
  ordered.add(3, result('d'));
  ordered.finish();
  expect(given).toEqual(['a', 'b', 'd']);
});

describe('evidence', () => {
  it('writes only the exchanges it is told to, each once and in order', () => {
    const written: string[] = [];
    const evidence = openEvidence(({ id }) => written.push(id));
    for (const id of ['e1', 'e2', 'e3']) evidence.capture({ id, method: 'GET', bytes: 1, record: () => exchange(id) });
    evidence.write(['e3', 'e1']);
    evidence.write(['e1', 'unknown']);
    evidence.drop(['e2']);
    evidence.write(['e2']);
    expect(written).toEqual(['e3', 'e1']);
  });

  it('keeps what a long chain wrote, however often somebody looked after it', () => {
    const evidence = openEvidence(() => undefined);
    const ids = Array.from({ length: 60 }, (_, at) => `e${at}`);
    const method = (id: string) => (['e9', 'e12'].includes(id) ? 'PUT' : 'GET');
    for (const id of ids) evidence.capture({ id, method: method(id), bytes: 1, record: () => exchange(id) });
    const looks = Array.from({ length: 18 }, (_, at) => `e${42 + at}`);
    expect(evidence.short(ids)).toEqual(['e0', 'e1', 'e2', 'e3', 'e9', 'e12', ...looks]);
    expect(evidence.short(ids.slice(0, 24))).toEqual(ids.slice(0, 24));
  });

  it('takes no more memory than it may: the oldest exchanges are forgotten', () => {
    const written: string[] = [];
    const evidence = openEvidence(({ id }) => written.push(id), 100);
    const ids = Array.from({ length: 50 }, (_, index) => `e${index}`);
    for (const id of ids) evidence.capture({ id, method: 'GET', bytes: 30, record: () => exchange(id) });
    evidence.write(ids);
    expect(written).toEqual(['e47', 'e48', 'e49']);
  });
});

const working = (log: string[]) => (name: string) => async () => {
  log.push(`${name} begins`);
  await setImmediate();
  log.push(`${name} ends`);
};

describe('creates of one family', () => {
  it('cross each other, and none by the checks of another family', async () => {
    const log: string[] = [];
    const creates = createLock();
    const kinds = ['own', 'own', 'foreign', 'foreign', 'own'] as const;
    await Promise.all(kinds.map((kind, index) => creates[kind]('a', working(log)(`${kind} ${index}`))));
    expect(log.slice(0, 2)).toEqual(['own 0 begins', 'own 1 begins']);
    expect(log.slice(4)).toEqual(
      ['foreign 2', 'foreign 3', 'own 4'].flatMap((name) => [`${name} begins`, `${name} ends`]),
    );
  });

  it('go on after one that failed', async () => {
    const creates = createLock();
    const failing = creates.own('a', () => Promise.reject(new Error('refused')));
    const next = creates.foreign('a', () => Promise.reject(new Error('refused too')));
    await expect(failing).rejects.toThrow('refused');
    await expect(next).rejects.toThrow('refused too');
    await expect(creates.own('a', async () => 'made')).resolves.toBe('made');
  });
});

it('work of one key is done one piece at a time, after a failure too', async () => {
  const exclusive = keyedMutex();
  const log: string[] = [];
  const fail = () => Promise.reject(new Error('refused'));
  await Promise.allSettled(['a', 'b'].map((name) => exclusive('bulk', () => working(log)(name)().then(fail))));
  expect(log).toEqual(['a begins', 'a ends', 'b begins', 'b ends']);
});

/** Why no further check starts once the signal of the run has ended it. */
const reasonOf = (signal: AbortSignal) => circuitBreaker(signal).reason();

describe('what keeps further checks from starting', () => {
  it('is the deadline of the run, as soon as it passes', async () => {
    const limit = timeLimit(1, new AbortController().signal);
    expect(reasonOf(limit)).toBeUndefined();
    await new Promise((passed) => limit.addEventListener('abort', passed));
    expect(reasonOf(limit)).toBe(OUT_OF_TIME);
  });

  it('is told apart from a signal', () => {
    expect(reasonOf(AbortSignal.abort(new Error('ended by SIGINT')))).toBe(INTERRUPTED);
  });
});
