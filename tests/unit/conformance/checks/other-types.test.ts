import { expect, it } from 'vitest';
import { casesOf, headersOf } from '../../../../conformance/checks/header-cases.ts';
import { FAMILIES } from '../../../../lib/contract/families.ts';

const run = { habit: () => ({}) } as unknown as Parameters<typeof headersOf>[0]['run'];

it('a request that reads is asked with the other forms of Content-Type, whatever it reads', () => {
  const all = casesOf(['list', 'read', 'version', 'create', 'update', 'delete'], ['contentType'])(FAMILIES.sgt);
  const told = all.map(({ name, data }) => [name, headersOf({ run }, data)['contentType']]);
  expect(told).toEqual([
    ...['list', 'read', 'version'].flatMap((op) => [
      [`${op}.contentType`, null],
      [`${op}.contentType.xml`, 'application/xml'],
      [`${op}.contentType.charset`, 'application/json;charset=UTF-8'],
    ]),
    ['delete.contentType', null],
  ]);
});
