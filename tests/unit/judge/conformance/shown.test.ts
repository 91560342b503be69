import { describe, expect, it } from 'vitest';
import { causesOf } from '../../../../lib/judge/conformance/cause/causes.ts';
import { shownOf } from '../../../../lib/judge/conformance/cause/shown.ts';
import type { ConformanceResult, ExchangeRecord } from '../../../../lib/records/conformance.ts';
import { anExchange, aResult } from '../../../helpers/a-run.ts';

type About = NonNullable<ConformanceResult['failure']>;
type Sent = [operation: string, method: ExchangeRecord['method'], path: string, status: number];

const ID = '6f2b7a52-44a3-4a8e-9d0e-2e1e6a1f7a11';

type More = Partial<ConformanceResult>;
function failed(requirement: string, failure: About, exchanges: readonly Sent[], more: More = {}) {
  const sent = exchanges.map(([operation, method, path, status], at) => {
    const family = path.split(/[/?]/)[3] ?? '';
    return anExchange({ id: `e${at}`, family, operation, method, path, status, responseBody: '' });
  });
  const evidence = sent.map(({ id }) => id);
  const result = aResult({ verdict: 'fail', family: 'sgt', requirement, failure, evidence, ...more });
  return { result, shown: shownOf(result, new Map(sent.map((one) => [one.id, one]))) };
}

const causes = (...all: ReturnType<typeof failed>[]) => causesOf(all);
const shownIn = (one: ReturnType<typeof failed>) =>
  `${one.shown?.exchange.method} ${one.shown?.exchange.path} ${one.shown?.exchange.status}`;

describe('the request that shows a failure', () => {
  it('is none of a record in another family beside it', () => {
    const about: About = { kind: 'missing', operation: 'create', subject: 'member description' };
    const made: readonly Sent[] = [
      ['create', 'POST', '/ers/config/sgt', 201],
      ['create', 'POST', '/ers/config/byodportal', 201],
    ];
    expect(shownIn(failed('PAY-C', about, made))).toBe('POST /ers/config/sgt 201');
    expect(shownIn(failed('PAY-C', about, made.slice(1)))).toBe('POST /ers/config/byodportal 201');
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
    expect(shownIn(failed(requirement, { ...wrongValue, kind }, sent))).toBe(shown);
  });

  it('is the read that was answered so, and no later one that is refused for another reason', () => {
    const about: About = { kind: 'no-effect', operation: 'read', subject: 'record' };
    const reads = [500, 404].map((status): Sent => ['read', 'GET', `/ers/config/sgt/${ID}`, status]);
    expect(shownIn(failed('OP-sgt-R', about, reads, { observed: 'status 500' }))).toMatch(/ 500$/);
  });

  it('is that of the family whose write is blamed', () => {
    const about: About = { kind: 'no-effect', operation: 'delete', subject: 'other records' };
    const deletes = ['sgtvnvlan', 'sgt'].map((of): Sent => ['delete', 'DELETE', `/ers/config/${of}/${ID}`, 204]);
    const other = failed('OP-sgtvnvlan-D', about, deletes);
    expect(shownIn(other)).toBe(`DELETE /ers/config/sgtvnvlan/${ID} 204`);
    expect(causes(other, failed('OP-sgt-D', about, deletes.slice(0, 1)))).toHaveLength(1);
  });

  it.each([
    ['filter=name.NEQ.a%26b&size=7', 'filter=name.NEQ.a&b&size=7&page=2', 'that changes filter'],
    ['filter=name.NEQ.a%2Bb', 'filter=name.NEQ.a+b&page=2', 'that changes filter'],
    ['sortdsc=name&size=7', 'sortasc=name&size=7&page=2', 'that changes sortdsc'],
  ])('is the page whose link changes a part of the query: %s', (sent, next, words) => {
    const pages = failed('LST-NEXT', { kind: 'records', operation: 'list', subject: 'filter name.EQ' }, [
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
    expect(failed('LST-NEXT', about, paths).shown?.lost).toBeUndefined();
  });
});

const list = (path: string): Sent => ['list', 'GET', `/ers/config/${path}`, 200];

it('the list that shows a failure is the page that is told, and the failure of which it is known is the one that is shown', () => {
  const about: About = { kind: 'value', operation: 'list', subject: 'pages', page: 2 };
  const pages = (size: number, numbers: readonly number[]) =>
    failed(...(['LST-NEXT', about, numbers.map((page) => list(`sgt?size=${size}&page=${page}`))] as const), {
      observed: `${size}`,
    });
  const [one, two] = [pages(1, [30, 31]), pages(9, [1, 2, 3])];
  expect(shownIn(two)).toBe('GET /ers/config/sgt?size=9&page=2 200');
  expect(causes(one, two)[0]?.title).toMatch(
    /^GET \/ers\/config\/sgt\?size=9&page=2 answers 200, .*; and 1 more request$/,
  );
});

it('the sentence of a cause is one for the form of the addresses of a family, in whatever answer and member', () => {
  const form = (operation: string, member: string) =>
    failed('RES-MAC', { kind: 'value', operation, subject: `member ${member}` }, [
      [operation, 'GET', `/ers/config/sgt/${ID}`, 200],
    ]);
  expect(causes(form('read', 'macAddress'), form('list', 'description'))).toHaveLength(1);
});
