import { describe, expect, it } from 'vitest';
import { groundsOf } from '../../../conformance/driver/grounds.ts';
import { factsOf } from '../../../conformance/driver/session.ts';
import { bookOf, type Write } from '../../../conformance/model/history.ts';
import { judge } from '../../../conformance/model/judge.ts';
import type { Observation } from '../../../conformance/model/observation.ts';
import { FAMILIES } from '../../../lib/contract/families.ts';
import { HistoryRecord } from '../../../lib/records/histories.ts';
import { aSession } from '../../helpers/a-session.ts';
import { create as made } from '../../helpers/histories.ts';

const create = (id: string, more: object = {}): Write => made({ name: id, ...more }, { id });

const listOf = (...ids: readonly string[]): Observation => ({
  question: { window: 'list', family: 'sgt', filters: [] },
  shown: { pages: [ids.map((id) => ({ id, record: { name: id, description: 'of somebody' } }))], end: 'whole' },
});

function grounds(history: readonly Write[], seen: Observation) {
  const session = aSession({ history: [...history], book: new Map(bookOf(history, FAMILIES)), own: 'mine' });
  const difference = judge(session.book, seen, factsOf(session));
  if (difference === undefined) throw new Error('no difference');
  return groundsOf(session, seen, difference);
}

describe('what a difference rests on', () => {
  it('is the writes to the records that are shown, or that a list may lack', () => {
    const gone: Write = { ...create('gone'), kind: 'delete', sent: {} };
    const found = grounds([create('gone'), gone, create('here'), create('lacking')], listOf('here', 'theirs'));
    expect(found?.writes.map(({ id }) => id)).toEqual(['here', 'lacking']);
  });

  it('holds no member of a record that somebody else made', () => {
    const found = grounds([create('lacking')], listOf('theirs'));
    expect(JSON.stringify(found)).not.toContain('of somebody');
    expect(found?.observation).toMatchObject({ shown: { pages: [[{ id: 'theirs', record: {} }]] } });
  });

  it('cuts long texts so that they still differ', () => {
    const long = 'a'.repeat(5000);
    const seen: Observation = {
      question: { window: 'read', family: 'sgt', id: 'one', form: 'json' },
      shown: { status: 200, record: { id: 'one', name: 'one', description: `${long}b` }, form: 'json' },
    };
    const found = grounds([create('one', { description: `${long}c` })], seen);
    expect(found).toBeDefined();
    expect(JSON.stringify(found).length).toBeLessThan(5000);
  });

  it('is within the bounds of the record, or nothing', () => {
    const many = Array.from({ length: 300 }, (_, at) => `theirs ${at}`);
    const found = grounds([create('lacking')], listOf(...many));
    expect(HistoryRecord.safeParse({ checkId: 'a/b', family: 'sgt', ...found }).success).toBe(true);
    const own = Array.from({ length: 201 }, (_, at) => create(`own ${at}`));
    expect(grounds(own, listOf())).toBeUndefined();
  });
});
