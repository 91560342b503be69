import { describe, expect, it } from 'vitest';
import type { Session } from '../../../../conformance/driver/session.ts';
import type { Subject } from '../../../../conformance/kit/fault.ts';
import { clausesOf } from '../../../../conformance/plans/clauses.ts';
import { ofFields, type Try } from '../../../../conformance/plans/controls.ts';
import { create, look, read, update } from '../../../../conformance/plans/make.ts';
import { narrowed, proven } from '../../../../conformance/plans/narrowed.ts';
import { list } from '../../../../conformance/plans/obvious/looks.ts';
import type { Criterion, Query, Step } from '../../../../conformance/steps/step.ts';
import type { Exchange } from '../../../../lib/client/types.ts';
import { FAMILIES } from '../../../../lib/contract/families.ts';
import { aDifference } from '../../../helpers/histories.ts';

const difference = (operation: 'list' | 'update', subject: Subject) =>
  aDifference({ kind: 'records', operation, subject }, 'LST-FILT');

const on = (field: string): Criterion => ({ field, operator: 'EQ', part: 'whole', text: 'a' });

const queryOf = (steps: readonly Step[]) => {
  const last = steps.at(-1);
  return last?.step === 'look' && last.look.window === 'list' ? last.look.query : undefined;
};

/** The clauses of a list that shows a difference with these queries alone. */
async function told(subject: Subject, query: Omit<Query, 'paging'>, shows: (query: Query) => boolean) {
  const of = difference('list', subject);
  const isShown = async (steps: readonly Step[]) => {
    const each = queryOf(steps);
    return each !== undefined && shows(each);
  };
  const { plain = [] } = await narrowed([look(list(query))], isShown, (some) => clausesOf(some, of, []), { runs: 12 });
  const filters = (queryOf(plain)?.criteria ?? []).map(() => 'filter=x').join('&');
  const exchange = { request: { op: 'list', path: `/ers/config/sgt?${filters}` } } as Exchange;
  return clausesOf(plain, of, [exchange]);
}

const SESSION = { context: { family: FAMILIES.sgt } } as unknown as Session;
const fieldsOf = ({ criteria }: Query) => criteria.map(({ field }) => field);

describe('the conditions of a list', () => {
  it('are that its filters are on one field, or on several, if it is right otherwise', async () => {
    const of = (fields: readonly string[], shows: (query: Query) => boolean, asked = '?filter=a&filter=b') =>
      ofFields([look(list({ criteria: fields.map(on) }))], SESSION, (async (steps: readonly Step[]) => ({
        ...{ isShown: shows(queryOf(steps) as Query), notDone: new Map() },
        exchanges: [{ request: { op: 'list', path: asked } }],
      })) as unknown as Try);
    const isOnOne = (query: Query) => new Set(fieldsOf(query)).size === 1;
    expect(await of(['name', 'name'], isOnOne)).toBe('the filters are on one field');
    expect(await of(['name', 'value'], (query) => !isOnOne(query))).toBe('the filters are on different fields');
    expect(await of(['name', 'name'], ({ criteria }) => criteria.every(({ text }) => text === 'a'))).toBeUndefined();
    // A family with one filter field is asked by one filter.
    expect(await of(['name', 'name'], isOnOne, '?filter=a')).toBeUndefined();
    for (const fields of [['name'], ['name', 'name'], ['name', 'value']])
      expect(await of(fields, () => true)).toBeUndefined();
  });

  it('are how many filters it takes, if it is right with fewer', async () => {
    const query = { criteria: [on('name'), on('value'), on('name')], join: 'or', size: 100 } as const;
    const isMany = ({ criteria, join }: Query) => criteria.length > 2 && join === 'or';
    expect(await told('filters or', query, isMany)).toEqual(['the query holds at least 3 filters and filterType=or']);
    expect(await told('filters or', query, ({ criteria }) => criteria.length > 1)).toEqual([]);
  });

  it('are that filterType says AND, and no form of an operand that is right without', async () => {
    const criteria = [{ ...on('name'), part: 'other form' as const }, on('value')];
    const says = ({ join }: Query) => join === 'and';
    expect(await told('filters and', { criteria, join: 'and' }, says)).toEqual(['filterType says AND']);
    expect(await told('filters and', { criteria, join: 'and' }, () => true)).toEqual([]);
  });
});

describe('a sequence that is narrowed', () => {
  const bulk: Step = {
    ...{ step: 'bulk', action: 'create', form: 'json', who: ['a'] },
    sets: [{ value: 2, description: 'x', isReadOnly: true }],
  };
  /** Creates send the number that the first one was given. */
  const pinned = (steps: readonly Step[]) =>
    steps.map((step) => {
      if (step.step === 'create') return { ...step, set: { ...step.set, value: 2 } };
      return step.step === 'bulk' ? { ...step, sets: step.sets.map((set) => ({ ...set, value: 2 })) } : step;
    });
  const isShown = async (steps: readonly Step[]) =>
    JSON.stringify(pinned(steps)).includes('"value":2') && steps.some(({ step }) => step === 'update');
  const wordsOf = (steps: readonly Step[]) => clausesOf(steps, difference('update', 'request'), []);

  it('keeps of what an item of a bulk request holds only what it takes, and is steady if a number comes back by itself', async () => {
    const keyOf = (steps: readonly Step[]) => JSON.stringify(pinned(steps));
    const { plain } = await narrowed([bulk, update('a', { description: 'y' })], isShown, wordsOf, { runs: 40, keyOf });
    expect(plain).toEqual([create('a'), update('a')]);
  });
});

const ofUpdate = aDifference({ kind: 'value', operation: 'update', subject: 'record' });
const wordsOf = (steps: readonly Step[]) => clausesOf(steps, ofUpdate, []);
const has = (steps: readonly Step[], text: string) => JSON.stringify(steps).includes(text);

const STEPS: readonly Step[] = [create('a'), create('b'), update('a', { description: 'x|y', value: 9 }), read('a')];

/** Clauses that are proven, if the sequence shows what `shows` says; tried before are all but those that hold `fresh`. */
async function provenOf(shows: (steps: readonly Step[], turn: number) => boolean, fresh = 'nothing') {
  let turn = 0;
  const isShown = async (steps: readonly Step[]) => {
    turn += 1;
    return shows(steps, turn);
  };
  const steps = await proven(STEPS, isShown, wordsOf, (some) => !has(some, fresh));
  return { clauses: steps && wordsOf(steps), turns: turn };
}

describe('the conditions of a difference', () => {
  it('stand if both sides come again', async () => {
    const { clauses, turns } = await provenOf((steps) =>
      ['|', '"value":9', '"as":"b"'].every((text) => has(steps, text)),
    );
    expect(clauses).toEqual(['there is another record', 'description holds "|"', 'value is 9']);
    expect(turns).toBeLessThanOrEqual(10);
  });

  it.each([3, 4, 5, 7, Infinity])('are none if it shows each %d. time', async (times) => {
    expect((await provenOf((_, turn) => turn % times === 0)).clauses).toBeUndefined();
  });

  it('go if it shows without one that was not tried', async () => {
    const shows = (steps: readonly Step[]) => has(steps, '|');
    expect((await provenOf(shows, '|')).clauses).toEqual(['description holds "|"']);
    expect((await provenOf(shows)).clauses).toBeUndefined();
  });
});
