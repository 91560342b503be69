import { describe, expect, it } from 'vitest';
import type { Found } from '../../../../conformance/driver/run.ts';
import { ofPages, type Try, withoutSize } from '../../../../conformance/plans/controls.ts';
import { create, look, read } from '../../../../conformance/plans/make.ts';
import { list } from '../../../../conformance/plans/obvious/looks.ts';
import type { Query, Step } from '../../../../conformance/steps/step.ts';
import type { Exchange } from '../../../../lib/client/types.ts';

const PAGED = [create('a'), look(list({ criteria: [], size: 3, paging: 'number' }))];

const exchangesOf = (...asked: readonly string[]) =>
  asked.map((path) => ({ request: { op: path.includes('?') ? 'list' : 'delete', path } }) as Exchange);
const TWO = exchangesOf('/sgt?size=3', '/sgt?size=3&page=2', '/sgt/1');

/** Whether it is told of several pages, if the target is wrong as `isWrong` says: by size of pages, and by turn. */
async function told(
  isWrong: (size: number, turn: number) => boolean,
  shown = TWO,
  whole = exchangesOf('/sgt?size=100'),
  about: object = {},
  lengths: readonly number[] = [],
) {
  let turn = 0;
  const run = async (steps: readonly Step[]) => {
    const { size = 20 } = (steps.at(-1) as { look: { query: Query } }).look.query;
    return { isShown: isWrong(size, ++turn), notDone: new Map(), exchanges: size === 100 ? whole : shown };
  };
  const pages = lengths.map((length) => Array.from({ length }));
  const grounds = { observation: { question: { window: 'list' }, shown: { pages } } };
  const found = { exchanges: shown, grounds, difference: { about } } as unknown as Found;
  return [await ofPages(PAGED, found, run as unknown as Try), turn];
}

describe('a difference of a list that is read page by page', () => {
  it('needs several pages if it does not show on one', async () => {
    expect(await told((size) => size === 3)).toEqual(['the list takes more than one page', 3]);
  });

  it('needs more pages than those that are right', async () => {
    const pages = async (about: object, ...lengths: readonly number[]) =>
      (await told((size) => size === 3, exchangesOf('/sgt?page=5'), undefined, about, lengths))[0];
    expect(await pages({ kind: 'value', page: 10 })).toBe('the list takes more than 9 pages');
    expect(await pages({ kind: 'refused' })).toBe('the list takes more than 4 pages');
    expect(await pages({ kind: 'records' }, 3, 3)).toBe('the list takes more than 2 pages');
    expect(await pages({ kind: 'records' }, 3, 0)).toBe('the list takes more than one page');
    expect(await pages({ kind: 'value' }, 3, 3, 3)).toBe('the list takes more than one page');
  });

  it('does not if one page shows it too, or if it was shown on one', async () => {
    expect(await told(() => true)).toEqual([undefined, 1]);
    for (const before of ['/sgt?size=2&page=2', '/sgt/1'])
      expect(await told(() => true, exchangesOf('/sgt?size=3&page=2', before, '/sgt?size=3'))).toEqual([undefined, 0]);
  });

  it('is not told of if it comes and goes, or if nobody has all on one page', async () => {
    expect(await told((_, turn) => turn > 2)).toEqual([undefined, 2]);
    const longer = exchangesOf('/sgt?size=100', '/sgt?size=100&page=2');
    expect(await told((size) => size === 3, TWO, longer)).toEqual([undefined, 1]);
  });

  it('says nothing of the size', () => {
    expect(withoutSize(PAGED)).toEqual([create('a'), look(list({ criteria: [], paging: 'number' }))]);
    expect(withoutSize([read('a')])).toEqual([read('a')]);
  });
});
