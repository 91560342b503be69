import { describe, expect, it } from 'vitest';
import { askRead } from '../../../../conformance/driver/ask.ts';
import { NotDone, type Session } from '../../../../conformance/driver/session.ts';
import { PLAIN } from '../../../../conformance/steps/step.ts';

describe('a read by name', () => {
  it('is left out for a record whose name nobody knows: no request can be made of it', async () => {
    const send = () => Promise.reject(new Error('sent'));
    const session = { book: new Map([['sgt/1', { fields: {} }]]), context: { send } } as unknown as Session;
    const question = { window: 'name', family: 'sgt', id: '1', form: 'json' } as const;
    await expect(askRead(session, question, PLAIN)).rejects.toBeInstanceOf(NotDone);
  });
});
