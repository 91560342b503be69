import { describe, expect, it } from 'vitest';
import { openRecords } from '../../../../lib/client/safety/records.ts';
import { FAMILIES } from '../../../../lib/contract/families.ts';

const NAME = 'cfm-abc-1';
const PARTS = { of: { one: 1, two: 2 }, list: [{ a: 1, b: 2 }, 'x'] };
const SHUFFLED = { list: ['x', { b: 2, a: 1 }], of: { two: 2, one: 1 } };
const OURS = { id: '7', name: NAME, description: 'ours', count: 1, parts: PARTS, seenAt: 'now' };

const open = () => openRecords({ prefix: 'cfm-abc', table: FAMILIES, nowMs: () => 0, note: () => undefined });
/** The books after a create that was answered with the id. */
function created(id: string, family = 'sgt') {
  const records = open();
  records.sends(family, [{ name: NAME }]);
  records.claim(family, 'create', id, NAME);
  return records;
}

/** A record of the run that was read once, and whose delete was answered so. */
function deleted(isDone: boolean) {
  const records = open();
  records.sends('sgt', [{ name: NAME, description: 'ours', count: 1, parts: PARTS }]);
  records.claim('sgt', 'create', '7', NAME);
  records.reads('sgt', '7', OURS);
  records.deleted('sgt', 'delete', '7', isDone);
  return records;
}

it.each([
  ['reads show others', true, [false, false]],
  ['no read shows any', false, [true, true]],
])('a list proves no record that reads deny, where %s', (_, isOther, proven) => {
  const records = created('7');
  if (isOther) records.reads('sgt', '8', { id: '8', name: 'theirs' });
  records.lists('sgt', '7', NAME);
  const byList = records.isProven('sgt', '7');
  records.reads('sgt', '7', null);
  records.listedAs('sgt', '7', NAME);
  expect([byList, records.isProven('sgt', '7')]).toEqual(proven);
});

describe.each([false, true])(
  'a record of our name that is there after a delete (answered with success: %s)',
  (isDone) => {
    it.each([
      { description: 'theirs' },
      { count: 2 },
      { count: '1' },
      { description: undefined },
      { parts: { ...PARTS, list: [] } },
    ])('is foreign if it shows %j in what we wrote', (other) => {
      const records = deleted(isDone);
      records.reads('sgt', '7', { ...OURS, ...other });
      expect([records.standing('sgt', '7'), records.leftAlone().map(({ id }) => id)]).toEqual(['foreign', ['7']]);
    });

    it.each<[string, object]>([
      ['nested members and items come in another order', { parts: SHUFFLED }],
      ['only members differ that we never wrote', { seenAt: 'later' }],
      ['all members come in another order', Object.fromEntries(Object.entries(OURS).reverse())],
    ])('is ours if %s', (_, shown) => {
      const records = deleted(isDone);
      records.reads('sgt', '7', { ...shown, ...OURS, ...shown });
      expect([records.own('sgt', '7')?.isProven, records.leftAlone()]).toEqual([true, []]);
    });

    it('is ours if it differs in what was written to other records since it was looked at', () => {
      const records = deleted(isDone);
      records.sends('sgt', [{ name: 'cfm-abc-2', seenAt: 'then' }]);
      records.reads('sgt', '7', { ...OURS, seenAt: 'later' });
      expect([records.own('sgt', '7')?.isProven, records.leftAlone()]).toEqual([true, []]);
    });

    it('is held to what it showed before the first of several deletes', () => {
      const records = deleted(isDone);
      records.reads('sgt', '7', OURS);
      records.claim('sgt', 'create', '7', NAME);
      records.deleted('sgt', 'delete', '7', false);
      records.reads('sgt', '7', { ...OURS, count: 2 });
      expect(records.standing('sgt', '7')).toBe('foreign');
    });
  },
);

const [TWO, THREE] = [2, 3].map((count) => ({ ...OURS, count }));

it.each<[string, string, (object | undefined | 'changed' | 'deleted' | 'back')[]]>([
  ['may be shown late, and be gone for good then', 'gone', [OURS, 'back']],
  ['is not held to what it showed before, if the run changed it since', 'ours', ['changed', TWO]],
  // A target may show writes late.
  [
    'may show after a delete what was before a change, and what is now',
    'gone',
    [OURS, 'changed', OURS, 'deleted', TWO, OURS],
  ],
  [
    'may show of two changes one after the other, and the second after a delete',
    'gone',
    [OURS, 'changed', 'changed', TWO, 'deleted', THREE],
  ],
])('a record that was deleted and is there %s', (_, standing, did) => {
  const records = deleted(false);
  for (const one of did) {
    if (one === 'changed') records.changed('sgt', '7');
    else if (one === 'deleted') records.deleted('sgt', 'delete', '7', true);
    else if (one === 'back') records.gone('sgt', records.adopt({ family: 'sgt', id: '7', name: NAME }) ? '7' : '');
    else records.reads('sgt', '7', one as Parameters<typeof records.reads>[2]);
  }
  expect([records.standing('sgt', '7'), records.leftAlone()]).toEqual([standing, []]);
});

it('a target that shows writes late may not show a new record at first, also one without a name', () => {
  const records = open();
  const moment = records.sends('sgt', [{ description: 'made by cfm-abc' }]);
  records.claim('sgt', 'create', '7', undefined, moment);
  records.gone('sgt', '7');
  records.reads('sgt', '7', { id: '7', description: 'made by cfm-abc' });
  expect([records.adopt({ family: 'sgt', id: '7' }), records.leftAlone()]).toEqual([true, []]);
});

it('a record that shows no name is of this run if it points at another record of it', () => {
  const records = open();
  for (const [family, id] of [
    ['sgt', '7'],
    ['sgtvnvlan', '8'],
  ] as const) {
    records.sends(family, [{ name: NAME }]);
    records.claim(family, 'create', id, NAME);
  }
  const proven = () =>
    ['6', '8', '7'].map((sgtId) => {
      records.reads('sgtvnvlan', '8', { id: '8', sgtId });
      return records.isProven('sgtvnvlan', '8');
    });
  expect(proven()).toEqual([false, false, false]);
  records.reads('sgt', '7', { id: '7', name: NAME });
  expect(proven()).toEqual([false, false, true]);
});

it('ids on the side of deleting are compared letter by letter', () => {
  const records = created('aB');
  expect([records.standing('sgt', 'aB'), records.standing('sgt', 'Ab')]).toEqual(['ours', undefined]);
});

describe('a record that comes into view late, after a look that did not find it', () => {
  const late = () => {
    const records = created('7');
    records.gone('sgt', '7');
    return records;
  };

  it('stays known by its id and its name, and is ours again once it is shown', () => {
    const records = late();
    expect([records.created(), records.unresolved()]).toMatchObject([[], [{ family: 'sgt', name: NAME }]]);
    records.reads('sgt', '7', { id: '7', name: NAME });
    expect(records.adopt({ family: 'sgt', id: '7', name: NAME })).toBe(true);
    expect([records.created().map(({ id }) => id), records.unresolved()]).toEqual([['7'], []]);
  });

  it('is foreign if it is shown under the name of somebody else', () => {
    const records = late();
    records.reads('sgt', '7', { id: '7', name: 'theirs' });
    expect(records.standing('sgt', '7')).toBe('foreign');
  });

  it('is not turned away for good by a caller who knows no name', () => {
    const records = open();
    records.sends('sgt', [{ name: NAME }]);
    expect([records.adopt({ family: 'sgt', id: '7' }), records.leftAlone()]).toEqual([false, []]);
    expect(records.adopt({ family: 'sgt', id: '7', name: NAME })).toBe(true);
  });
});

it.each([
  ['CFM-ABC-1', [true, 'ours']],
  ['CFM-ABC-1 copy', [false, 'foreign']],
])('a record whose name is stored in capitals is ours only if that name was sent: %s', (name, expected) => {
  const records = open();
  records.sends('sgt', [{ name: NAME, count: 1 }]);
  expect([records.adopt({ family: 'sgt', id: '7', name }), records.standing('sgt', '7')]).toEqual(expected);
});

it('a view that goes on showing what its family does not takes no proof back that a record is gone', () => {
  const records = created('7', 'hotspotportal');
  records.deleted('hotspotportal', 'delete', '7', true);
  records.reads('hotspotportal', '7', null);
  records.reads('portal', '7', { id: '7', name: NAME });
  expect(records.unproven()).toEqual([]);
});

it.each([
  ['sgt', 'byodportal', false],
  ['hotspotportal', 'byodportal', false],
  ['hotspotportal', 'portal', true],
])('with one of %s of that id removed, an id that %s showed before its create is taken: %s', (family, shows, taken) => {
  const records = created('7', family);
  records.deleted(family, 'delete', '7', true);
  records.lists(shows, '7', 'theirs');
  records.sends('byodportal', [{ name: 'cfm-abc-2' }]);
  expect(records.claim('byodportal', 'create', '7', 'cfm-abc-2', 2)).toBe(taken);
});

it('a create that is open keeps the ids under which lists showed its name, if the name is sent again', () => {
  const records = open();
  records.addUnresolved('sgt', NAME);
  records.lists('sgt', '7', NAME);
  records.addUnresolved('sgt', NAME);
  expect(records.unresolved()).toEqual([{ family: 'sgt', name: NAME, ids: new Set(['7']), isRefused: false }]);
});

it('a record of a name that was not sent is one that a list shows, and no answer to a create', () => {
  const records = created('7');
  records.adopt({ family: 'sgt', id: '8', name: `${NAME} (1)` });
  expect(records.leftAlone()).toMatchObject([{ id: '8', kind: 'shown' }]);
});
