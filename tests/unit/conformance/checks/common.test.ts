import { expect, it } from 'vitest';
import { showsAll } from '../../../../conformance/checks/common.ts';

it('a list of one that was sent in XML may be shown as its item', () => {
  const sent = { settings: { allowedInterfaces: ['eth0'] } };
  const shown = { settings: { allowedInterfaces: 'eth0' } };
  expect([showsAll(shown, sent, 'xml'), showsAll(shown, sent)]).toEqual([true, false]);
});
