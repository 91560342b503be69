import { describe, expect, it } from 'vitest';
import { openRecords } from '../../../../lib/client/safety/records.ts';
import { FAMILIES } from '../../../../lib/contract/families.ts';

type Note = Parameters<typeof openRecords>[0]['note'];
const open = (note: Note = () => undefined) =>
  openRecords({ prefix: 'cfm-abc', table: FAMILIES, nowMs: () => 0, note });

it('a search that finds a record from before the create was sent finds nothing of the run, and nobody is at fault', () => {
  const records = open();
  records.lists('sgt', '1', 'taken');
  records.sends('sgt', [{ name: 'taken' }]);
  records.lists('sgt', '2', 'taken');
  const adopted = ['1', '2'].map((id) => records.adopt({ family: 'sgt', id, name: 'taken' }));
  expect([adopted, records.leftAlone()]).toEqual([[false, true], []]);
});

describe('a record under a name of the run that was free again', () => {
  const MARK = 'made by cfm-abc';
  /** A record that the run made and removed, and another of that name, found by a look that shows this. */
  const found = (sent: Record<string, unknown>, whole: Record<string, unknown>) => {
    const journal: string[] = [];
    const note = (event: string, { id }: { id: string }) => journal.push(`${event} ${id}`);
    const records = open(note);
    const moment = records.sends('sgt', [sent]);
    records.claim('sgt', 'create', '1', 'cfm-abc-1', moment);
    records.reads('sgt', '1', { id: '1', ...sent });
    records.deleted('sgt', 'delete', '1', true);
    const isAdopted = records.adopt({ family: 'sgt', id: '2', name: 'cfm-abc-1' });
    records.lists('sgt', '2', 'cfm-abc-1');
    const byList = records.isProven('sgt', '2');
    records.reads('sgt', '2', { id: '2', name: 'cfm-abc-1', ...whole });
    return [isAdopted, byList, records.isProven('sgt', '2'), records.standing('sgt', '2'), journal];
  };

  const ours = [true, false, true, 'ours', ['created 1', 'removed 1', 'created 2']];
  const theirs = [true, false, false, 'foreign', ['created 1', 'removed 1']];
  it.each([
    ['somebody else made', { name: 'cfm-abc-1', description: MARK }, { description: 'mine' }, theirs],
    ['nobody can tell of', { name: 'cfm-abc-1' }, { description: '' }, theirs],
    ['shows its mark', { name: 'cfm-abc-1', description: MARK }, { description: MARK, value: 7 }, ours],
    ['shows what was sent', { name: 'cfm-abc-1', description: 'x' }, { description: 'x', value: 7 }, ours],
  ])('that %s', (_what, sent, whole, expected) => expect(found(sent, whole)).toEqual(expected));

  it.each(['CFM-ABC-1 B ', 'cfm-abc-1'])('is of the run if a target may make it of the open name %s', (waiting) => {
    const records = open();
    for (const name of ['cfm-abc-1', 'Cfm-Abc-1 b', waiting]) records.sends('sgt', [{ name }]);
    records.addUnresolved('sgt', waiting);
    records.adopt({ family: 'sgt', id: '1', name: 'cfm-abc-1' });
    records.reads('sgt', '1', { id: '1', name: 'cfm-abc-1' });
    expect(records.standing('sgt', '1')).toBe('ours');
  });

  it('is of the run if a create of the name is open, unless the target refused it', () => {
    const records = open();
    for (const name of ['cfm-abc-1', 'cfm-abc-2']) records.sends('sgt', [{ name }]);
    records.addUnresolved('sgt', 'cfm-abc-1');
    records.addUnresolved('sgt', 'cfm-abc-2', true);
    const states = [1, 2].map((at) => {
      records.adopt({ family: 'sgt', id: `${at}`, name: `cfm-abc-${at}` });
      records.reads('sgt', `${at}`, { id: `${at}`, name: `cfm-abc-${at}` });
      return records.standing('sgt', `${at}`);
    });
    expect(states).toEqual(['ours', 'foreign']);
  });
});

it('an id that is given again for another record of the run is not held against what the removed one showed', () => {
  const records = open();
  for (const name of ['cfm-abc-1', 'cfm-abc-2']) {
    records.claim('sgt', 'create', '1', name, records.sends('sgt', [{ name, description: name }]));
    records.reads('sgt', '1', { id: '1', name, description: name });
    records.deleted('sgt', 'delete', '1', name === 'cfm-abc-1');
  }
  records.reads('sgt', '1', { id: '1', name: 'cfm-abc-2', description: 'cfm-abc-2' });
  expect([records.standing('sgt', '1'), records.leftAlone()]).toEqual(['ours', []]);
});

it.each([
  ['under its id and name', '1', 'cfm-abc-2', 'ours'],
  ['under another id', '2', 'cfm-abc-2', 'foreign'],
  ['under a name that it never had', '1', 'cfm-abc-3', 'foreign'],
])('a record that another family shows %s since an update', (_what, id, name, expected) => {
  const records = open();
  const moment = records.sends('byodportal', [{ name: 'cfm-abc-1' }]);
  records.claim('byodportal', 'create', '1', 'cfm-abc-1', moment);
  records.sends('byodportal', [{ name: 'cfm-abc-2' }]);
  records.reads('byodportal', '1', null);
  records.lists('hotspotportal', id, name);
  records.adopt({ family: 'hotspotportal', id, name });
  records.reads('hotspotportal', id, { id, name });
  expect(records.standing('hotspotportal', id)).toBe(expected);
});

it.each([
  ['1', 'ours'],
  ['2', 'foreign'],
])('of a create that another family took, that it named record 1, record %s is %s', (id, expected) => {
  const records = open();
  records.sends('byodportal', [{ name: 'cfm-abc-1' }]);
  records.tells('byodportal', { family: 'hotspotportal', id: '1' });
  records.adopt({ family: 'hotspotportal', id, name: 'cfm-abc-1' });
  records.reads('hotspotportal', id, { id, name: 'cfm-abc-1' });
  expect(records.standing('hotspotportal', id)).toBe(expected);
});

it('a record that a view shows too is no second one', () => {
  const records = open();
  const moment = records.sends('byodportal', [{ name: 'cfm-abc-1' }]);
  records.claim('byodportal', 'create', '1', 'cfm-abc-1', moment);
  expect([records.adopt({ family: 'portal', id: '1', name: 'cfm-abc-1' }), records.owned().length]).toEqual([false, 1]);
});

it('a record of another family that was there before the run made one of its id is not of the run', () => {
  const records = open();
  records.lists('hotspotportal', '1', 'cfm-abc-1');
  const moment = records.sends('byodportal', [{ name: 'cfm-abc-1' }]);
  records.claim('byodportal', 'create', '1', 'cfm-abc-1', moment);
  records.adopt({ family: 'hotspotportal', id: '1', name: 'cfm-abc-1' });
  expect(records.standing('hotspotportal', '1')).toBe('foreign');
});
