import { describe, expect, it } from 'vitest';
import { leftOut } from '../../../../conformance/kit/fault.ts';
import { defined } from '../../../../lib/defined.ts';
import { causesOf } from '../../../../lib/judge/conformance/cause/causes.ts';
import { answerOf } from '../../../../lib/judge/conformance/cause/shown.ts';
import { type ConformanceResult, type ExchangeRecord, observedText } from '../../../../lib/records/conformance.ts';
import { anExchange, aResult } from '../../../helpers/a-run.ts';

type About = NonNullable<ConformanceResult['failure']>;

const failing = (requirement: string, failure: About, more: Partial<ConformanceResult> = {}) =>
  aResult({ verdict: 'fail', family: 'sgt', expected: 'a', observed: 'b', requirement, failure, ...more });

const causes = (failures: readonly ConformanceResult[]) => causesOf(failures.map((result) => ({ result })));
const ids = (failures: readonly ConformanceResult[]) =>
  causes(failures).map(({ id, results }) => `${id} ${results.length}`);

const filter = (operator: string, field = 'name'): About => ({
  ...{ kind: 'records', operation: 'list', subject: `filter ${field}.${operator}` },
});
const refused = (subject: string): About => ({ kind: 'refused', operation: 'create', subject });

const value = (subject: string, more: Partial<ConformanceResult>) =>
  failing('PAY-C', { kind: 'value', operation: 'create', subject }, more);

describe('causes of failures', () => {
  it('are one for whatever wrote a text that is shown cut', () => {
    const shown = (subject: string, sent: string, seen: string) =>
      value(subject, { expected: `description "${sent}" in a read`, observed: `"${seen}" (only if it is long)` });
    const cut = [shown('text long', 'abcdefghij', 'abcde'), shown('parallel requests', 'vwxyzabc', 'vwxyz')];
    expect([causes(cut).length, causes([...cut, shown('form', 'abcdefghij', 'other')]).length]).toEqual([1, 2]);
  });

  it('are one for a member that shows one value whatever was written', () => {
    const shows = (subject: string, expected: string, observed: string) => value(subject, { expected, observed });
    const constant = [shows('text cjk', 'description "a" in a read', '17'), shows('form', 'description "b"', '17')];
    expect(causes(constant).length).toBe(1);
    expect(causes([...constant, shows('text long', 'description "c"', '"d"')]).length).toBe(2);
  });

  it('are one for one requirement, operation, kind and subject, in all families and checks', () => {
    const eq = failing('FOP-EQ', filter('EQ'));
    expect(ids([eq, { ...eq, family: 'node' }, { ...eq, checkId: 'filter/relations' }])).toEqual([
      'FOP-EQ list records: filter 3',
    ]);
  });

  it('keep what is of different subjects apart, though the same create is refused', () => {
    const [accept, media] = [refused('header accept'), refused('header ersMediaType')];
    const apart = [failing('CNV-HDR', accept), failing('CNV-HDR', media), failing('OP-sgt-C', refused('request'))];
    expect(ids(apart)).toEqual([
      'CNV-HDR create refused: header accept 1',
      'CNV-HDR create refused: header ersMediaType 1',
      'OP-*-C create refused: request 1',
    ]);
  });

  it('are one for joins that are wrong under one condition, and for what a view keeps after an update', () => {
    const join = (subject: string, onlyIf?: string) =>
      failing('LST-FILT', { kind: 'records', operation: 'list', subject }, { onlyIf });
    const view = (subject: string) => failing('VIEW-PORTAL', { kind: 'value', operation: 'update', subject });
    expect(causes([join('filters and', 'x'), join('filters or', 'x')]).length).toBe(1);
    expect(causes([join('filters and', 'x'), join('filters or')]).length).toBe(2);
    expect(causes([view('view'), view('member name')]).length).toBe(1);
  });

  it('are one for a record that a view leaves out, whichever check walked its list', () => {
    const { about } = leftOut('view', { expected: 'a', observed: 'b' }).facts;
    expect(causes([about, { ...about, subject: 'list' }].map((one) => failing('VIEW-PORTAL', one))).length).toBe(1);
  });

  it('are one for lists that find a record, or order it, as it was named before, and for characters that members cannot hold', () => {
    const filtered = failing('FOP-EQ', { ...filter('EQ'), times: 1, state: 'former' });
    const sorted = (onlyIf: string) =>
      failing('LST-SORT', { kind: 'value', operation: 'list', subject: 'sort name.asc' }, { onlyIf });
    expect(causes([filtered, sorted('another record was renamed')]).length).toBe(1);
    expect(causes([filtered, sorted('another record was deleted')]).length).toBe(2);
    const shows = (member: string) =>
      value(`member ${member}`, { expected: `${member} "a 😀" in a read`, observed: '"a ?"' });
    expect(causes([shows('name'), shows('description')]).length).toBe(1);
  });

  it('keep operations and kinds of difference apart', () => {
    const about = (operation: string, kind: About['kind']): About => ({ kind, operation, subject: 'record' });
    const all = [about('apply', 'refused'), about('clear', 'refused'), about('clear', 'no-effect')];
    expect(ids(all.map((one) => failing('SPC-ANC', one)))).toHaveLength(3);
  });

  it('are one for one subject of a family, whichever requirement it breaks', () => {
    const member: About = { kind: 'value', operation: 'create', subject: 'member description' };
    const [cause, other] = causes([failing('PAY-C', member), failing('RES-NAMES', member), failing('PAY-C', member)]);
    expect(other).toBeUndefined();
    expect(cause).toMatchObject({ requirements: ['PAY-C', 'RES-NAMES'], operation: 'create', kind: 'value' });
    expect(cause?.subjects).toEqual(['member description']);
    const elsewhere = failing('RES-NAMES', { ...member, subject: 'member name' }, { family: 'node' });
    expect(causes([failing('PAY-C', member), elsewhere])).toHaveLength(2);
  });

  it('take the fields of a filter for one, and its operators apart', () => {
    const eq = failing('FOP-EQ', filter('EQ'));
    const ofValue = failing('FOP-EQ', filter('EQ', 'value'));
    expect(causes([eq, ofValue])[0]?.subjects).toEqual(['filter name.EQ', 'filter value.EQ']);
    expect(ids([failing('FOP-GT', filter('GT', 'value')), failing('FOP-LT', filter('LT', 'value'))])).toHaveLength(2);
  });

  it('leave the name of the family out of a requirement', () => {
    const about: About = { kind: 'no-effect', operation: 'update', subject: 'record' };
    expect(ids(['sgt', 'node'].map((family) => failing(`OP-${family}-U`, about, { family })))).toEqual([
      'OP-*-U update no-effect: record 2',
    ]);
  });

  const ID = 'c7bd38f0-df5e-469a-adf8-c7dac9732413';
  const sentence = (result: ConformanceResult, exchange: Partial<ExchangeRecord>) => {
    const sent = anExchange({ family: 'sgt', ...exchange });
    const shown = { exchange: sent, beside: [], ...answerOf(sent) };
    return causesOf([{ result, shown }])[0]?.title ?? '';
  };

  it('end with what is wrong, without the request and the ids that are named before', () => {
    const path = `/ers/config/sgt/${ID}`;
    const about: About = { kind: 'no-effect', operation: 'delete', subject: 'request' };
    const observed = `DELETE ${path} answered 204, and it is still there`;
    const seen = { expected: `the record ${ID} removed`, observed };
    const sent = { method: 'DELETE', operation: 'delete', path, status: 204, responseBody: '' } as const;
    expect(sentence(failing('OP-sgt-D', about, seen), sent)).toMatch(
      /^DELETE .*\{id\} answers 204, .*\(request\): expected the record \{id\} removed; observed it is still there$/,
    );
  });

  it('say of a list without a next page that this is missing', () => {
    const responseBody = JSON.stringify({ SearchResult: { total: 31, resources: [{ id: ID }] } });
    const about: About = { kind: 'records', operation: 'list', subject: 'list', times: 0 };
    const expected = `the record {"name":"${'x'.repeat(120)}"} (${ID}) in size=1`;
    const title = sentence(failing('LST-NEXT', about, { expected, observed: 'not among 1' }), {
      ...{ method: 'GET', operation: 'list', path: '/ers/config/sgt?size=1', status: 200, responseBody },
    });
    expect(title).toMatch(/^GET \/ers\/config\/sgt\?size=1 answers 200 without nextPage, though total is larger, /);
    expect(title).toMatch(/: \{"name":"x+… is not among 1$/);
  });

  it('say of a record that a delete of another took out of a list that it lacks, and not that it is too many', () => {
    const title = (times?: number) => {
      const about: About = { kind: 'records', operation: 'list', subject: 'other records', ...defined({ times }) };
      const facts = { expected: `the record {"name":"a"} (${ID}) in size=9`, observed: 'not among 1' };
      return sentence(failing('OP-sgt-D', about, facts), { method: 'GET', operation: 'list', status: 200 });
    };
    expect(title(0)).toContain('leaves out a record (other records)');
    expect(title()).toContain('shows a record that no create of the run was answered with');
  });

  it('say what a success shows that is none', () => {
    const about = (kind: About['kind'], operation: About['operation'], subject: About['subject']) =>
      sentence(failing('OP-sgt-D', { kind, operation, subject }, { expected: 'a', observed: 'b' }), {
        ...{ method: 'GET', operation: operation === 'delete' ? 'read' : operation, status: 200 },
      });
    expect(about('no-effect', 'delete', 'view')).toMatch(/ answers 200, shows the record after delete \(view\)/);
    expect(about('refused', 'list', 'list')).toMatch(/ answers 200, without what was asked for \(list\)/);
  });

  it.each<[string, Partial<ConformanceResult>, string]>([
    ['each time', {}, ', only if size=3'],
    ['once', { failure: { ...refused('request'), unsteady: 'once' } }, ', shown once, and not again'],
    ['at times', { failure: { ...refused('request'), unsteady: 'not each time' } }, ', shown again, but not each time'],
    ['at the first try', { flaky: true }, ', only if size=3, but not when it was tried again'],
  ])('say whether it shows %s', (_, more, end) => {
    const [cause] = causes([failing('CNV-HDR', refused('request'), { title: 'creates', onlyIf: 'size=3', ...more })]);
    expect(cause?.title).toBe(`creates: refused in create (request)${end}`);
  });
});

const path = '/ers/config/sgt?filter=name.EQ.x';
const exchange = anExchange({ family: 'sgt', operation: 'list', method: 'GET', path, status: 200 });
const LISTED: About = { kind: 'records', operation: 'list', subject: 'filter name.EQ' };

const listing = (failure: About, more: Partial<ConformanceResult> = {}) =>
  aResult({
    ...{ verdict: 'fail', family: 'sgt', requirement: 'SVC-1', failure },
    ...{ expected: 'x without the record {"name":"x"} (abc)', observed: 'among the 1 records shown', ...more },
  });

const sentences = (...results: readonly ConformanceResult[]) =>
  causesOf(results.map((result) => ({ result, shown: { exchange, beside: [], words: '', refused: false } }))).map(
    ({ title }) => title,
  );

describe('the first sentence', () => {
  it.each<[string, Partial<About>]>([
    ['shows a record that was deleted', { times: 1, state: 'deleted' }],
    ['shows a record as before it was updated', { times: 1, state: 'former' }],
    ['shows a record that it should not', { times: 1 }],
    ['leaves out a record, as before it was updated', { times: 0, state: 'former' }],
    ['leaves out a record', { times: 0 }],
    ['shows a record more than once', { times: 2 }],
    ['wrong records', {}],
  ])('says what is wrong about a record in a list: %s', (words, more) => {
    expect(sentences(listing({ ...LISTED, ...more }))[0]).toContain(` answers 200, ${words} (filter name.EQ): `);
  });

  it('has the condition that most failures of its cause have', () => {
    const some = [undefined, undefined, 'b', 'a', 'a'].map((onlyIf, at) =>
      listing(LISTED, { variant: `v${at}`, ...(onlyIf === undefined ? {} : { onlyIf }) }),
    );
    expect(sentences(...some)[0]).toMatch(/, only if a$/);
    const few = Array.from({ length: 8 }, (_, at) => listing(LISTED, { variant: `w${at}` }));
    expect(sentences(...few, listing(LISTED, { onlyIf: 'a' }))[0]).not.toContain('only if');
  });

  it('has the condition that a survey found for those that looked for none, unless others show it otherwise', () => {
    const plain = Array.from({ length: 8 }, (_, at) => listing(LISTED, { variant: `v${at}` }));
    const surveyed = (onlyIf?: string, variant = '') =>
      listing(LISTED, { checkId: 'survey/filters', variant, ...(onlyIf === undefined ? {} : { onlyIf }) });
    expect(sentences(...plain, listing(LISTED, { onlyIf: 'a' }), surveyed('b'))[0]).toMatch(/, only if b$/);
    expect(sentences(...plain, surveyed('b'), surveyed(undefined, 'plain'))[0]).not.toContain('only if');
    const ofMember = (expected: string, more: Partial<ConformanceResult> = {}) =>
      listing({ kind: 'value', operation: 'list', subject: 'member type' }, { expected, observed: '"C"', ...more });
    const survey = ofMember('type "A" in a read', { checkId: 'survey/update', onlyIf: 'type is "A"' });
    const others = ['1', '2', '3', '4'].map((variant) => ofMember('type "B" in a read', { variant }));
    expect(sentences(...others, survey)[0]).not.toContain('only if');
    const named = (subject: string, more: object) =>
      listing(
        { kind: 'value', operation: 'list', subject },
        { expected: 'name "B" in a read', observed: '"C"', ...more },
      );
    const surveyedName = named('member name', { checkId: 'survey/update', onlyIf: 'its name is long' });
    expect(
      sentences(...others.map((_, at) => named('member name', { variant: `${at}` })), surveyedName)[0],
    ).not.toContain('only if');
  });

  it('says that it takes parallel requests, if nothing else shows it, and that it comes and goes', () => {
    const parallel: About = { kind: 'value', operation: 'list', subject: 'parallel requests' };
    expect(sentences(listing(parallel))[0]).toMatch(/, if requests run at the same time$/);
    const flaky = listing(LISTED, { variant: 'v', flaky: true });
    expect(sentences(listing(LISTED), flaky)[0]).toMatch(/, but not each time$/);
  });

  it('and what a result observed, say that it comes and goes', () => {
    const once = listing({ ...LISTED, unsteady: 'once' }, { onlyIf: 'a' });
    expect(sentences(once)[0]).toMatch(/, shown once, and not again$/);
    expect(observedText(once)).toBe('among the 1 records shown (shown once, and not again)');
  });
});
