import { describe, expect, it } from 'vitest';
import { journalRest } from '../../../../lib/client/cleanup/outstanding.ts';
import type { JournalEntry } from '../../../../lib/records/conformance.ts';

const entry = (event: JournalEntry['event'], more: Partial<JournalEntry> = {}): JournalEntry => ({
  at: '2026-01-31T02:00:00.000Z',
  runId: 'run-1',
  event,
  family: 'sgt',
  operation: 'create',
  ...more,
});

const MAC = '02:00:00:00:00:01';
const wave = {
  source: { kind: 'range' as const, firstMac: '02:00:00:00:00:00' },
  offset: 0,
  size: 100,
  seed: 1,
  count: 50,
};

describe('what a journal leaves open', () => {
  it('is a record that was created and is not proven removed, also where it came back', () => {
    const made = entry('created', { id: '1', name: 'a' });
    const gone = entry('removed', { id: '1', operation: 'delete' });
    expect(journalRest([entry('intent', { name: 'a' }), made]).records).toEqual([
      { family: 'sgt', id: '1', name: 'a' },
    ]);
    expect(journalRest([made, entry('intent', { id: '1', operation: 'delete' }), gone]).records).toEqual([]);
    expect(journalRest([made, gone, made]).records).toHaveLength(1);
  });

  it('is the name of a create of which no record became known: one of two, where the name was used twice', () => {
    const [begun, known] = [entry('intent', { name: 'a' }), entry('created', { id: '1', name: 'a' })];
    expect(journalRest([begun]).names).toEqual([{ family: 'sgt', name: 'a' }]);
    expect(journalRest([begun, known]).names).toEqual([]);
    expect(journalRest([begun, known, begun]).names).toHaveLength(1);
  });

  it('is an endpoint or a wave that was begun and is not proven cleared, whichever way its address is written', () => {
    const anc = { family: 'ancendpoint', operation: 'apply' };
    const open = [entry('intent', { ...anc, endpoint: MAC }), entry('intent', { ...anc, endpoints: wave })];
    expect(journalRest(open)).toMatchObject({ endpoints: [MAC], waves: [wave], families: [] });
    const cleared = [
      entry('cleared', { ...anc, endpoint: MAC.replaceAll(':', '-') }),
      entry('cleared', { ...anc, endpoints: { ...wave } }),
    ];
    expect(journalRest([...open, ...cleared])).toMatchObject({ endpoints: [], waves: [] });
  });
});
