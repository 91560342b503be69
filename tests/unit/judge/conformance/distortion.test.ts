import { describe, expect, it } from 'vitest';
import { causesOf, type Failed } from '../../../../lib/judge/conformance/cause/causes.ts';
import { distortionOf } from '../../../../lib/judge/conformance/cause/distortion.ts';
import { failureOf } from '../../../../lib/judge/conformance/cause/failure.ts';
import { shownOf } from '../../../../lib/judge/conformance/cause/shown.ts';
import type { ConformanceResult, ExchangeRecord } from '../../../../lib/records/conformance.ts';
import { anExchange, aResult } from '../../../helpers/a-run.ts';

/** A failure of one member, seen in a read behind the writes whose bodies are given: the first one creates, the others update. */
function failed(
  sent: unknown,
  seen: unknown,
  bodies: readonly unknown[] = [],
  about: Partial<Failed['failure']> = {},
): Failed {
  const expected = `description ${JSON.stringify(sent)} in a read`;
  const beside = bodies.map((body, at) =>
    anExchange({
      ...{ id: `w${at}`, family: 'sgt', requestBody: JSON.stringify(body) },
      ...(at === 0
        ? { operation: 'create', method: 'POST', path: '/ers/config/sgt', status: 201 }
        : { operation: 'update', method: 'PUT', path: '/ers/config/sgt/7', status: 200 }),
    }),
  );
  const exchange = anExchange({ id: 'r', family: 'sgt', path: '/ers/config/sgt/7' });
  const { requirement = 'PAY-U', ...others } = about;
  const result = aResult({
    ...{ verdict: 'fail', family: 'sgt', requirement, expected, observed: JSON.stringify(seen) },
    failure: { operation: 'update', kind: 'value', subject: 'member description', ...others },
    checkId: JSON.stringify(sent),
  });
  const shown = { exchange, beside: [...beside, exchange], words: '', refused: false };
  return { result, failure: failureOf(result), shown };
}

describe('what a target makes of a value', () => {
  it.each([
    ['Mixed Case', 'mixed case', 'in small letters'],
    ['Mixed Case', 'MIXED CASE', 'in capitals'],
    [' two  blanks ', 'two blanks', 'with fewer blanks'],
    ['a tab\there', 'a tab here', 'with other blanks'],
    ['one line of it', 'one li\nne of it', 'with line breaks'],
    ['a long text', 'a long', 'cut short'],
    ['a long text', 'a long...', 'cut short'],
    ['a long text', 'a long text...', 'as "a long text..."'],
    ['Zmlyc3Q==', 'Zmlyc3Q', 'without its last signs'],
    ['a < b', 'a &lt; b', 'escaped for markup'],
    ['a <b> c', 'a  c', 'without its markup'],
    ['50 %', '50%20%25', 'with codes of an address'],
    ['50 % of +%41', '50 % of +A', 'with its percent codes decoded'],
    ['Zürich', 'ZÃ¼rich', 'in another character set'],
    ['Zürich', 'Z?rich', 'in another character set'],
    [true, 'true', 'as a text'],
    ['17', 17, 'as a number'],
    [62719, -2817, 'in fewer bits'],
    [62719, 62720, 'as another number'],
    ['a 😀 é', 'a ? é', 'in another character set'],
    ['one', 'other', 'as "other"'],
  ])('%j shown as %j is %s', (sent, seen, how) => {
    expect(distortionOf(failed(sent, seen))?.how).toBe(how);
  });

  it('is that of a value inside an object, by its path', () => {
    const one = failed('x', 'y');
    const result = { ...one.result, expected: 'settings.aup.page "one page" in a read', observed: '"one"' };
    expect(distortionOf({ ...one, result })).toMatchObject({ member: 'settings.aup.page', how: 'cut short' });
  });

  it('is found behind members that are as they were sent', () => {
    const one = failed('x', 'y', [], { subject: 'media type text/plain' });
    const of = (expected: string, observed: string) =>
      distortionOf({ ...one, result: { ...one.result, expected, observed } });
    const seen = '{"id":"7","name":"n","value":-17,"description":"long te…';
    expect(of('{"name":"n","value":65519,"description":"long text"}', seen)).toMatchObject({
      ...{ member: 'value', how: 'in fewer bits', sent: 65519, seen: -17 },
    });
    expect(of('{"name":"n","description":"long text"}', seen)).toBeUndefined();
    // How many records there are is no value.
    expect(of('all 2 records of a bulk delete gone', '1 of 2: record 2')).toBeUndefined();
  });

  it('is the value from before, if an update changes nothing', () => {
    const writes = [{ description: 'one' }, { description: 'other' }];
    expect(distortionOf(failed('other', 'one', writes))?.how).toBe('as it was before');
    expect(distortionOf(failed('other', 'two', writes))?.how).toBe('as "two"');
    expect(distortionOf(failed('other', '', writes))?.how).toBe('as ""');
    const lists = [{ description: ['a', 'b'] }, { description: ['b'] }];
    expect(distortionOf(failed(['b'], ['a', 'b'], lists))?.how).toBe('as it was before');
    expect(distortionOf(failed(['b'], ['a'], lists))).toBeUndefined();
  });
});

describe('the cause of what is shown', () => {
  const titles = (all: readonly Failed[]) => causesOf(all).map(({ title }) => title);

  it('is the update, however many members and texts it leaves as they were', () => {
    const kept = (before: string, now: string) =>
      failed(now, before, [{ description: before }, { description: now }], { subject: `text ${now}` as 'text case' });
    expect(titles([kept('a', 'b'), kept('c', 'd')])).toEqual([
      'PUT /ers/config/sgt/{id} answers 200 and leaves description as it was: "b" was sent, "a" is still there',
    ]);
  });

  it('says of a refused body that it was XML, unless its condition does', () => {
    const one = failed('x', 'y', [], { kind: 'refused', operation: 'read' });
    const shown = { ...(one.shown as NonNullable<Failed['shown']>), words: 'no', refused: true };
    const exchange = { ...shown.exchange, requestHeaders: [['Content-Type', 'application/xml']] as [string, string][] };
    const told = (onlyIf?: string) =>
      titles([{ ...one, result: { ...one.result, onlyIf }, shown: { ...shown, exchange } }]);
    expect(told()[0]).toContain('/7 in XML answers 200 "no"');
    expect(told('it is sent in XML')[0]).toContain('/7 answers 200 "no", only if it is sent in XML');
  });

  it.each([
    ['description is long', 1],
    ['it is read in XML', 2],
  ])('is one for what shows under one condition, whichever write brings it: %s', (onlyIf, causes) => {
    const one = failed('a b', 'x', [], { operation: 'create', requirement: 'PAY-C' });
    const other = failed('c d', 'y');
    const under = (each: Failed, condition: string) => ({ ...each, result: { ...each.result, onlyIf: condition } });
    expect(titles([under(one, 'description is long'), under(other, onlyIf)])).toHaveLength(causes);
  });

  it('is the member, for lists that are filtered by it too', () => {
    const small = failed('Mixed', 'mixed', [], { operation: 'create' });
    const list = failed('x', 'y', [], { operation: 'list', kind: 'records', subject: 'filter description.EQ' });
    expect(titles([small, list])).toEqual([
      'GET /ers/config/sgt/7 answers 200, description of sgt in small letters: "Mixed" was sent, "mixed" is shown',
    ]);
    expect(titles([small, failed('long text', 'long', [], { subject: 'text long' })])).toHaveLength(2);
  });
});

type About = NonNullable<ConformanceResult['failure']>;
type Sent = [operation: string, method: ExchangeRecord['method'], path: string, status: number];

const ID = '6f2b7a52-44a3-4a8e-9d0e-2e1e6a1f7a11';

type More = Partial<ConformanceResult>;
function seen(requirement: string, failure: About, exchanges: readonly Sent[], more: More = {}) {
  const sent = exchanges.map(([operation, method, path, status], at) => {
    const family = path.split(/[/?]/)[3] ?? '';
    return anExchange({ id: `e${at}`, family, operation, method, path, status, responseBody: '' });
  });
  const evidence = sent.map(({ id }) => id);
  const result = aResult({ verdict: 'fail', family: 'sgt', requirement, failure, evidence, ...more });
  return { result, shown: shownOf(result, new Map(sent.map((one) => [one.id, one]))) };
}

const causes = (...all: ReturnType<typeof seen>[]) => causesOf(all);
const shownIn = (one: ReturnType<typeof seen>) =>
  `${one.shown?.exchange.method} ${one.shown?.exchange.path} ${one.shown?.exchange.status}`;

describe('the request that shows a failure', () => {
  it('is none of a record in another family beside it', () => {
    const about: About = { kind: 'missing', operation: 'create', subject: 'member description' };
    const made: readonly Sent[] = [
      ['create', 'POST', '/ers/config/sgt', 201],
      ['create', 'POST', '/ers/config/byodportal', 201],
    ];
    expect(shownIn(seen('PAY-C', about, made))).toBe('POST /ers/config/sgt 201');
    expect(shownIn(seen('PAY-C', about, made.slice(1)))).toBe('POST /ers/config/byodportal 201');
  });

  const wrongValue: About = { kind: 'value', operation: 'create', subject: 'member description' };
  const sent: readonly Sent[] = [
    ['create', 'POST', '/ers/config/sgt', 201],
    ['read', 'GET', `/ers/config/sgt/${ID}`, 200],
    ['create', 'POST', '/ers/config/sgt', 400],
  ];

  it.each<[string, string, About['kind'], string]>([
    ['write that was taken, if the write is blamed', 'PAY-C', 'value', 'POST /ers/config/sgt 201'],
    ['read that shows it, if what a read must answer is broken', 'OP-sgt-R', 'value', `GET /ers/config/sgt/${ID} 200`],
    ['refusal of the write, if that is blamed', 'OP-sgt-R', 'refused', 'POST /ers/config/sgt 400'],
  ])('is the %s', (_, requirement, kind, shown) => {
    expect(shownIn(seen(requirement, { ...wrongValue, kind }, sent))).toBe(shown);
  });

  it('is the read that was answered so, and no later one that is refused for another reason', () => {
    const about: About = { kind: 'no-effect', operation: 'read', subject: 'record' };
    const reads = [500, 404].map((status): Sent => ['read', 'GET', `/ers/config/sgt/${ID}`, status]);
    expect(shownIn(seen('OP-sgt-R', about, reads, { observed: 'status 500' }))).toMatch(/ 500$/);
  });

  it('is that of the family whose write is blamed', () => {
    const about: About = { kind: 'no-effect', operation: 'delete', subject: 'other records' };
    const deletes = ['sgtvnvlan', 'sgt'].map((of): Sent => ['delete', 'DELETE', `/ers/config/${of}/${ID}`, 204]);
    const other = seen('OP-sgtvnvlan-D', about, deletes);
    expect(shownIn(other)).toBe(`DELETE /ers/config/sgtvnvlan/${ID} 204`);
    expect(causes(other, seen('OP-sgt-D', about, deletes.slice(0, 1)))).toHaveLength(1);
  });

  it.each([
    ['filter=name.NEQ.a%26b&size=7', 'filter=name.NEQ.a&b&size=7&page=2', 'that changes filter'],
    ['filter=name.NEQ.a%2Bb', 'filter=name.NEQ.a+b&page=2', 'that changes filter'],
    ['sortdsc=name&size=7', 'sortasc=name&size=7&page=2', 'that changes sortdsc'],
  ])('is the page whose link changes a part of the query: %s', (sent, next, words) => {
    const pages = seen('LST-NEXT', { kind: 'records', operation: 'list', subject: 'filter name.EQ' }, [
      ['list', 'GET', `/ers/config/sgt?${sent}`, 200],
      ['list', 'GET', `/ers/config/sgt?${next}`, 200],
    ]);
    expect(causes(pages)[0]?.title).toBe(
      `GET /ers/config/sgt?${sent} answers 200 with a link to the next page ${words}`,
    );
  });

  it.each([
    ['filter=name.EQ.a%20b&sortasc=name', 'Filter=name.EQ.a+b&size=20&sortAsc=name&page=2'],
    ['filter=name.EQ.a&size=100', 'size=3&page=2'],
  ])('is none whose link asks for the same, or that is followed by a question of its own: %s', (sent, next) => {
    const about: About = { kind: 'records', operation: 'list', subject: 'filter name.EQ' };
    const paths = [sent, next].map((query): Sent => ['list', 'GET', `/ers/config/sgt?${query}`, 200]);
    expect(seen('LST-NEXT', about, paths).shown?.lost).toBeUndefined();
  });
});

const list = (path: string): Sent => ['list', 'GET', `/ers/config/${path}`, 200];

it('the list that shows a failure is the page that is told, and the failure of which it is known is the one that is shown', () => {
  const about: About = { kind: 'value', operation: 'list', subject: 'pages', page: 2 };
  const pages = (size: number, numbers: readonly number[]) =>
    seen(...(['LST-NEXT', about, numbers.map((page) => list(`sgt?size=${size}&page=${page}`))] as const), {
      observed: `${size}`,
    });
  const [one, two] = [pages(1, [30, 31]), pages(9, [1, 2, 3])];
  expect(shownIn(two)).toBe('GET /ers/config/sgt?size=9&page=2 200');
  expect(causes(one, two)[0]?.title).toMatch(
    /^GET \/ers\/config\/sgt\?size=9&page=2 answers 200, .*; and 1 more request$/,
  );
});

const form = (operation: string, member: string) =>
  seen('RES-MAC', { kind: 'value', operation, subject: `member ${member}` }, [read('sgt', operation)]);
const read = (family: string, operation = 'read'): Sent => [operation, 'GET', `/ers/config/${family}/${ID}`, 200];
const gone = seen('VIEW-PORTAL', { kind: 'no-effect', operation: 'delete', subject: 'view' }, [read('portal')]);
const listed: About = { kind: 'records', operation: 'list', subject: 'view', state: 'deleted', times: 1 };

it.each([
  ['the form of addresses, in whatever answer and member', form('read', 'macAddress'), form('list', 'name')],
  ['a deleted record that a list and a read show', gone, seen('VIEW-PORTAL', listed, [list('portal')])],
])('the sentence of a cause is one for %s', (_, one, other) => {
  expect(causes(one, other)).toHaveLength(1);
});
