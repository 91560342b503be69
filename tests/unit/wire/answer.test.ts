import { describe, expect, it } from 'vitest';
import { FAMILIES } from '../../../lib/contract/families.ts';
import { createdIdOf, entriesOf, holdsNothing, isSuccess, recordOf } from '../../../lib/wire/answer.ts';

const record = { id: '7', name: 'a' };
const list = (resources: readonly unknown[]) => ({ json: { SearchResult: { resources } } });

describe('the record in the answer to a read', () => {
  it.each([
    ['below one root key', { Sgt: record }],
    ['by itself', record],
    ['below a key of a gateway, beside others', { response: record, version: '1.0' }],
    ['in a list of one', [{ Sgt: record }]],
    ['below a key of a gateway and its own', { response: { Sgt: record } }],
    ['below a key of a gateway and its own, beside others', { data: { Sgt: record }, meta: { id: '1' }, links: {} }],
    ['in a list of one below its key', { Sgt: [record] }],
    ['beside a smaller one', { trace: { id: '1' }, Sgt: record }],
  ])('is found %s', (_where, json) => {
    expect(recordOf({ json })).toEqual(record);
  });

  it.each([
    ['a list', { SearchResult: record }],
    ['nothing', null],
    ['two of a size', { one: record, other: record }],
    ['texts', { a: 'b', c: 'd' }],
    ['a record without an id that holds another one', { name: 'a', customizations: { portalTheme: record } }],
  ])('is none if there is %s', (_what, json) => {
    expect(recordOf({ json })).toBeUndefined();
  });
});

it('the entries of a list are found below a key each, and one that is its link alone is none such', () => {
  const link = { href: '/ers/config/sgt/7' };
  expect(entriesOf(list([{ Sgt: record }, { Sgt: { ...record, link } }]))).toEqual([record, { ...record, link }]);
  expect(entriesOf(list([{ link }]))).toEqual([{ id: '7', link }]);
});

it.each([
  [null, true],
  [{ Sgt: null }, true],
  [{ SearchResult: { resources: [] } }, true],
  [{ Sgt: { id: '' } }, false],
  [undefined, false],
])('%j holds nothing: %s', (json, isOne) => {
  expect(holdsNothing(json)).toBe(isOne);
});

it('entries of which none has an id are known by their links', () => {
  const entry = { name: 'a', link: { href: 'http://target/ers/config/sgt/a%20b/?x=1' } };
  expect(entriesOf(list([entry]))).toEqual([{ ...entry, id: 'a b' }]);
  expect(entriesOf(list([entry, record]))).toEqual([entry, record]);
  const forms = [
    { link: '/ers/config/sgt/7' },
    { link: ['/ers/config/sgt/7'] },
    {
      links: [
        { rel: 'help', href: '/help' },
        { rel: 'self', href: '/ers/config/sgt/7' },
      ],
    },
    { _links: { self: { href: '/ers/config/sgt/7' }, sgts: { href: '/ers/config/sgt' } } },
  ];
  for (const form of forms) expect(entriesOf(list([form]))).toEqual([{ ...form, id: '7' }]);
  for (const none of [{ link: null }, { link: { rel: 'help', href: '/help/8' } }, { links: [] }])
    expect(entriesOf(list([none]))).toEqual([none]);
  expect(entriesOf(list([{ name: 'a' }]))).toEqual([{ name: 'a' }]);
});

it('a list without records may leave out the list itself, and says that there are none', () => {
  const read = (result: object) => entriesOf({ json: { SearchResult: result } });
  for (const none of [{ total: 0 }, { total: 0, resources: null }, { resources: [] }]) expect(read(none)).toEqual([]);
  for (const other of [{}, { total: 1 }, { total: 0, resources: {} }, { resources: null }])
    expect(read(other)).toBeUndefined();
});

it.each([
  [200, { Sgt: record }, true],
  [204, undefined, true],
  [200, { ERSResponse: { messages: [{ type: 'INFO', title: 'x' }] } }, true],
  [200, { ERSResponse: { messages: [{ type: 'ERROR', title: 'x' }] } }, false],
  [200, { OperationResult: { resultValue: [{ name: 'status', value: 'SUCCESS' }] } }, true],
  [200, { OperationResult: { resultValue: [{ name: 'status', value: 'FAILURE' }] } }, false],
  [404, undefined, false],
])('an answer of %d with %j is a success: %s', (status, json, isOne) => {
  expect(isSuccess({ status, json })).toBe(isOne);
});

it('a web page with 200 is no success: something in front of the target answers so in place of a refusal', () => {
  const successes = ['<!DOCTYPE html><p>Request Rejected', '\n<html>', '', '<?xml version="1.0"?><sgt/>', '{}'].map(
    (body) => isSuccess({ status: 200, json: undefined, body }),
  );
  expect(successes).toEqual([false, false, true, true, true]);
});

it('a Location in another family names no record of this one', () => {
  const idAt = (location: string) =>
    createdIdOf({ status: 202, headers: { location }, json: { Sgt: { id: '9' } } }, FAMILIES.sgt, 'a');
  for (const own of ['/ers/config/sgt/7', 'http://gateway/edge/ers/config/sgt/7/?x', '7']) expect(idAt(own)).toBe('7');
  const paths = ['jobs/4711', 'sgt/name/beta', 'sgt?filter=name.EQ.a/b'].map((path) => `/ers/config/${path}`);
  for (const other of ['/admin/view.do?type=sgt&id=7', ...paths]) expect(idAt(other)).toBe('9');
});

it('what shows neither the root key nor the name of a record in the answer to its create is something else', () => {
  const id = (json: unknown) => createdIdOf({ status: 202, headers: {}, json }, FAMILIES.sgt, 'a');
  expect(id({ Sgt: { id: '7' } })).toBe('7');
  expect(id({ response: record })).toBe('7');
  expect(id(record)).toBe('7');
  expect(id({ job: { id: '9', state: 'DONE' } })).toBeUndefined();
  expect(id({ id: '9' })).toBeUndefined();
});
