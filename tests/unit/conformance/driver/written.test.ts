import { describe, expect, it } from 'vitest';
import { apart, lookFirst } from '../../../../conformance/driver/look.ts';
import { DifferenceFound } from '../../../../conformance/driver/session.ts';
import { keyOf, type Write } from '../../../../conformance/model/history.ts';
import { create, remove, update } from '../../../../conformance/plans/make.ts';
import type { Step } from '../../../../conformance/steps/step.ts';
import { FAMILIES } from '../../../../lib/contract/families.ts';
import { answerOf, aSession } from '../../../helpers/a-session.ts';

const family = FAMILIES.hotspotportal;
const KEY = keyOf(family.name, 'a');

/** A session that made the record `subject` with one portal type, whose reads show another; the operations that were sent. */
function session(shown: string, { isProven = false, looked = [] as readonly string[] } = {}) {
  const sent: string[] = [];
  const write: Write = { kind: 'create', family: family.name, id: 'a', sent: {}, form: 'json', end: 'done' };
  const fields = { name: 'n', portalType: 'SPONSOREDGUEST' };
  const send = async (op: string, { id }: { readonly id?: string } = {}) => {
    sent.push(op);
    return answerOf({ HotspotPortal: { id, name: 'n', portalType: shown } }, op);
  };
  const ledger = { writes: () => 0, standing: () => 'ours', leftAlone: () => [], isProven: () => isProven };
  const on = aSession({
    context: { family, send, ledger },
    ...{ history: [write], labels: new Map([['subject', KEY]]), looked: new Set(looked) },
    book: new Map([[KEY, { family: family.name, id: 'a', fields, former: {}, isLive: true, last: write }]]),
  });
  return { on, sent };
}

const bulk = (action: 'create' | 'update' | 'delete'): Step => ({
  ...{ step: 'bulk', action, form: 'json', who: ['subject'], sets: [{}] },
});

describe('a record that is about to be written to', () => {
  it.each([update('subject'), remove('subject'), bulk('update'), bulk('delete')])(
    'is read, and what the read shows is judged: %#',
    async (step) => {
      const { on, sent } = session('HOTSPOTGUEST');
      const found = await lookFirst(on, step).catch((fault: unknown) => fault);
      expect(found).toBeInstanceOf(DifferenceFound);
      expect((found as DifferenceFound).difference).toMatchObject({
        ...{ requirement: 'PAY-C', about: { operation: 'create', subject: 'member portalType' } },
      });
      expect(new Set(sent)).toEqual(new Set(['read']));
    },
  );

  it('is read once, in the place of the read that the client sends', async () => {
    const { on, sent } = session('SPONSOREDGUEST');
    await lookFirst(on, update('subject'));
    expect(sent).toEqual(['read']);
    expect(on.looked).toEqual(new Set([KEY]));
    const again = session('SPONSOREDGUEST', { isProven: true, looked: [KEY] });
    await lookFirst(again.on, update('subject'));
    expect(again.sent).toEqual([]);
  });

  it('is read again if the client would read it', async () => {
    const { on, sent } = session('SPONSOREDGUEST', { looked: [KEY] });
    await lookFirst(on, update('subject'));
    expect(sent).toEqual(['read']);
  });
});

it('reads nothing before a create', async () => {
  const { on, sent } = session('HOTSPOTGUEST');
  for (const step of [create('other'), bulk('create')]) await lookFirst(on, step);
  expect(sent).toEqual([]);
});

it('leaves out, of writes at one time, those to a record that another one writes to, bulk requests among them', () => {
  const { on } = session('');
  expect(apart(on, [bulk('update'), update('subject'), create('other')])).toEqual([bulk('update'), create('other')]);
});
