import { describe, expect, it } from 'vitest';
import { causesOf } from '../../../../lib/judge/conformance/cause/causes.ts';
import { type ConformanceResult, observedText } from '../../../../lib/records/conformance.ts';
import { anExchange, aResult } from '../../../helpers/a-run.ts';

type Failure = NonNullable<ConformanceResult['failure']>;

const path = '/ers/config/sgt?filter=name.EQ.x';
const exchange = anExchange({ family: 'sgt', operation: 'list', method: 'GET', path, status: 200 });
const LISTED: Failure = { kind: 'records', operation: 'list', subject: 'filter name.EQ' };

const failing = (failure: Failure, more: Partial<ConformanceResult> = {}) =>
  aResult({
    ...{ verdict: 'fail', family: 'sgt', requirement: 'SVC-1', failure },
    ...{ expected: 'x without the record {"name":"x"} (abc)', observed: 'among the 1 records shown', ...more },
  });

const sentences = (...results: readonly ConformanceResult[]) =>
  causesOf(results.map((result) => ({ result, shown: { exchange, beside: [], words: '', refused: false } }))).map(
    ({ title }) => title,
  );

describe('the first sentence', () => {
  it.each<[string, Partial<Failure>]>([
    ['shows a record that was deleted', { times: 1, state: 'deleted' }],
    ['shows a record as before it was updated', { times: 1, state: 'former' }],
    ['shows a record that it should not', { times: 1 }],
    ['leaves out a record, as before it was updated', { times: 0, state: 'former' }],
    ['leaves out a record', { times: 0 }],
    ['shows a record more than once', { times: 2 }],
    ['wrong records', {}],
  ])('says what is wrong about a record in a list: %s', (words, more) => {
    expect(sentences(failing({ ...LISTED, ...more }))[0]).toContain(` answers 200, ${words} (filter name.EQ): `);
  });

  it('has the condition that most failures of its cause have', () => {
    const some = [undefined, undefined, 'b', 'a', 'a'].map((onlyIf, at) =>
      failing(LISTED, { variant: `v${at}`, ...(onlyIf === undefined ? {} : { onlyIf }) }),
    );
    expect(sentences(...some)[0]).toMatch(/, only if a$/);
    const few = Array.from({ length: 8 }, (_, at) => failing(LISTED, { variant: `w${at}` }));
    expect(sentences(...few, failing(LISTED, { onlyIf: 'a' }))[0]).not.toContain('only if');
  });

  it('has the condition that a survey found for those that looked for none, unless others show it otherwise', () => {
    const plain = Array.from({ length: 8 }, (_, at) => failing(LISTED, { variant: `v${at}` }));
    const surveyed = (onlyIf?: string, variant = '') =>
      failing(LISTED, { checkId: 'survey/filters', variant, ...(onlyIf === undefined ? {} : { onlyIf }) });
    expect(sentences(...plain, failing(LISTED, { onlyIf: 'a' }), surveyed('b'))[0]).toMatch(/, only if b$/);
    expect(sentences(...plain, surveyed('b'), surveyed(undefined, 'plain'))[0]).not.toContain('only if');
    const ofMember = (expected: string, more: Partial<ConformanceResult> = {}) =>
      failing({ kind: 'value', operation: 'list', subject: 'member type' }, { expected, observed: '"C"', ...more });
    const survey = ofMember('type "A" in a read', { checkId: 'survey/update', onlyIf: 'type is "A"' });
    const others = ['1', '2', '3', '4'].map((variant) => ofMember('type "B" in a read', { variant }));
    expect(sentences(...others, survey)[0]).not.toContain('only if');
  });

  it('says that it takes parallel requests, if nothing else shows it, and that it comes and goes', () => {
    const parallel: Failure = { kind: 'value', operation: 'list', subject: 'parallel requests' };
    expect(sentences(failing(parallel))[0]).toMatch(/, if requests run at the same time$/);
    const flaky = failing(LISTED, { variant: 'v', flaky: true });
    expect(sentences(failing(LISTED), flaky)[0]).toMatch(/, but not each time$/);
  });

  it('and what a result observed, say that it comes and goes', () => {
    const once = failing({ ...LISTED, unsteady: 'once' }, { onlyIf: 'a' });
    expect(sentences(once)[0]).toMatch(/, shown once, and not again$/);
    expect(observedText(once)).toBe('among the 1 records shown (shown once, and not again)');
  });
});
