import { describe, expect, it } from 'vitest';
import type { Found } from '../../../../conformance/driver/run.ts';
import type { Difference } from '../../../../conformance/model/difference.ts';
import { ofPages, type Try, withFirst } from '../../../../conformance/plans/controls.ts';
import { create, look, read } from '../../../../conformance/plans/make.ts';
import { list } from '../../../../conformance/plans/obvious/looks.ts';
import { ofCarried, ofRead } from '../../../../conformance/plans/pairs/finding.ts';
import { PLAIN, type Query, type Step } from '../../../../conformance/steps/step.ts';
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
  total?: number,
) {
  let turn = 0;
  const run = async (steps: readonly Step[]) => {
    const { size = 20 } = (steps.at(-1) as { look: { query: Query } }).look.query;
    return { isShown: isWrong(size, ++turn), notDone: new Map(), exchanges: size === 100 ? whole : shown };
  };
  const pages = lengths.map((length) => Array.from({ length }));
  const grounds = { observation: { question: { window: 'list' }, shown: { pages, total } } };
  const found = { exchanges: shown, grounds, difference: { about } } as unknown as Found;
  return [await ofPages(PAGED, found, run as unknown as Try), turn];
}

describe('a difference of a list that is read page by page', () => {
  const SEVERAL = 'the list takes more than one page';

  it('needs several pages if it does not show on one', async () => {
    expect(await told((size) => size === 3)).toEqual([SEVERAL, 3]);
  });

  it('needs no more than one if the page that is refused is so as the second one, too, and a full one if that lies behind the last', async () => {
    const refused = async (total: number, isWrong: (size: number) => boolean) =>
      (await told(isWrong, exchangesOf('/sgt?page=5'), undefined, { kind: 'refused' }, [3, 3, 3, 3], total))[0];
    expect(await refused(13, (size) => size < 100)).toBe(SEVERAL);
    expect(await refused(13, (size) => size === 3)).toBe('the list takes more than 4 pages');
    expect(await refused(12, (size) => size === 3)).toBe('the last page of the list is full');
  });

  it('needs more pages than those that are right', async () => {
    const pages = async (about: object, ...lengths: readonly number[]) =>
      (await told((size) => size === 3, exchangesOf('/sgt?page=5'), undefined, about, lengths))[0];
    expect(await pages({ kind: 'value', page: 10 })).toBe('the list takes more than 9 pages');
    expect(await pages({ kind: 'refused' })).toBe('the list takes more than 4 pages');
    const missing = { kind: 'records', times: 0 };
    expect(await pages(missing, 3, 3)).toBe('the list takes more than 2 pages');
    expect(await pages(missing, 3, 0)).toBe(SEVERAL);
    expect(await pages({ kind: 'records', times: 1, page: 4 }, 3, 3)).toBe(SEVERAL);
    // The last page alone is missing, whatever its number.
    const isLast = (size: number) => size === 3 || size === 6;
    const [last] = await told(isLast, exchangesOf('/sgt?page=2'), undefined, missing, [3, 3]);
    expect(last).toBe(SEVERAL);
    expect(await pages({ kind: 'value' }, 3, 3, 3)).toBe(SEVERAL);
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
});

const ENDPOINTS = look({ window: 'endpoints' });
const apply = (...who: readonly number[]): Step => ({
  ...{ step: 'apply', who, policy: 0, by: 'ip', spelled: 'plain', carried: PLAIN },
});
const clear = (...who: readonly number[]): Step => ({ step: 'clear', who, spelled: 'plain', carried: PLAIN });

describe('a sequence that is tried on an endpoint which no request has named', () => {
  it('has that of its last apply for the first one', () => {
    expect(withFirst([apply(0), clear(0, 4), apply(4, 1), ENDPOINTS])).toEqual([
      ...[apply(4), clear(4, 0), apply(0, 1), ENDPOINTS],
    ]);
  });

  it.each([[[apply(0), ENDPOINTS]], [[apply(4), read('subject'), ENDPOINTS]]])(
    'stays as it is if it names that already, or if a look names an endpoint: %#',
    (steps) => expect(withFirst(steps)).toEqual(steps),
  );
});

const wrong = { family: 'ancendpoint', expected: 'policyName "A"', observed: '"B"' };
const member: Difference = {
  ...{ ...wrong, requirement: 'SPC-ANC' },
  about: { kind: 'value', operation: 'apply', subject: 'member policyName' },
};
const neighbor: Difference = {
  ...{ ...wrong, requirement: 'SPC-ANC', unlessWritten: member },
  about: { kind: 'no-effect', operation: 'apply', subject: 'other records' },
};
const ofUpdate: Difference = { ...member, about: { ...member.about, operation: 'update' } };
const BY_FORM: readonly Step[] = [read('a'), read('a', 'json', { ...PLAIN, csrf: true })];

describe('a wrong value that a read shows by its form alone', () => {
  it.each<[string, Difference, readonly Step[]]>([
    ['of an apply', member, BY_FORM],
    ['that was sent for another endpoint', neighbor, [read('a', 'xml')]],
  ])('is the fault of the read: %s', (_, difference, steps) => {
    expect(ofRead(difference, steps)).toMatchObject({
      requirement: 'OP-ancendpoint-R',
      about: { kind: 'value', operation: 'read', subject: 'member policyName' },
    });
  });

  it.each<[string, Difference, readonly Step[]]>([
    ['a plain read shows it too', neighbor, [read('a')]],
    ['a list shows it', member, []],
    ['a write of the record may have left it', ofUpdate, BY_FORM],
  ])('stays as it is if %s', (_, difference, steps) => {
    expect(ofRead(difference, steps)).toBe(difference);
  });
});

it('what a list shows with a header or a parameter alone is the fault of that', () => {
  const about = { kind: 'records', operation: 'list', subject: 'filter name.EQ' } as const;
  const difference: Difference = { ...wrong, requirement: 'FOP-EQ', about };
  const blamed = (more: object, kind: 'records' | 'refused' = 'records') => {
    const asked = look({ ...list({ criteria: [] }), carried: { ...PLAIN, ...more } });
    return ofCarried({ ...difference, about: { ...about, kind } }, [asked]).requirement;
  };
  expect(blamed({ mediaType: true })).toBe('CNV-HDR');
  expect(blamed({ extra: true })).toBe('CNV-EXTRA');
  expect(blamed({})).toBe('FOP-EQ');
  // What is refused for a header is told where it is sent.
  expect(blamed({ csrf: true }, 'refused')).toBe('FOP-EQ');
});
