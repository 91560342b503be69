import { expect, it } from 'vitest';
import { contradicted } from '../../../../conformance/kit/bulk.ts';

const BOTH = [
  { id: 'a', isDone: true },
  { id: 'b', isDone: true },
];
const HALF = [
  { id: 'a', isDone: true },
  { id: undefined, isDone: false },
];

const wrongIn = (status: object, items: Parameters<typeof contradicted>[1]) =>
  contradicted({ json: { BulkStatus: status } }, items).wrong;

it('tells of a monitor that says of items that are done that they failed', () => {
  const resourcesStatus = ['a', 'b'].map((id) => ({ id, status: 'FAIL' }));
  const status = { resourcesCount: 2, successCount: 0, failCount: 2, resourcesStatus };
  expect(wrongIn(status, BOTH)).toEqual(['successCount 0', 'failCount 2', 'failure of a', 'failure of b']);
});

it('tells of a monitor that says of items that are not done that they succeeded', () => {
  const gone = BOTH.map(({ id }) => ({ id, isDone: id === 'a' }));
  const resourcesStatus = ['a', 'b'].map((id) => ({ id, status: 'SUCCESS' }));
  const status = { resourcesCount: 2, successCount: 2, failCount: 0, resourcesStatus };
  expect(wrongIn(status, gone)).toEqual(['successCount 2', 'failCount 0', 'success of b']);
});

it('takes what agrees, counts of items that the target does not know of, other words and no words', () => {
  const resourcesStatus = [
    { id: 'a', status: 'SUCCESS' },
    { id: '', status: 'FAIL' },
  ];
  expect(wrongIn({ resourcesCount: 2, successCount: 1, failCount: 1, resourcesStatus }, HALF)).toEqual([]);
  expect(wrongIn({ resourcesCount: 0, successCount: 0, failCount: 0, resourcesStatus: [] }, BOTH)).toEqual([]);
  expect(wrongIn({ resourcesStatus: [{ id: 'a', status: 'PENDING' }] }, BOTH)).toEqual([]);
  expect(contradicted({ json: { state: 'ended' } }, BOTH)).toEqual({ told: 0, wrong: [] });
});
