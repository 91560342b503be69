import { describe, expect, it } from 'vitest';
import type { Write } from '../../../../conformance/model/history.ts';
import type { Observation } from '../../../../conformance/model/observation.ts';
import { endpoint as anc, by, create, list, remove, told, update } from '../../../helpers/histories.ts';

const sgt = (id: string, name: string, value: number) => create({ name, value }, { id });
const entry = (id: string, record: object) => ({ id, record: { id, ...record } });

describe('the oracle on records that lists may show', () => {
  const portal = { family: 'hotspotportal' } as const;
  const view = { family: 'portal' } as const;
  const pair = [sgt('a', 'alpha', 9), sgt('b', 'beta', 10)];
  const two = [create({ name: 'p' }, { ...portal, id: 'p' }), create({ name: 'q' }, { family: 'byodportal', id: 'q' })];
  const gone = remove({}, { id: 'b' });
  const unsure = create({ name: 'x' }, { end: 'unknown' });
  const endpoint = create({ macAddress: '0A:00:00:00:00:01', policyName: 'p' }, { ...anc, id: 'n' });

  it.each<readonly [string, readonly Write[], Observation, string | undefined]>([
    ['a record that is gone', [...pair, gone], list({}, 'ab'), 'OP-sgt-D records list'],
    ['one that is gone, by a filter', [...pair, gone], list(by('value.GT.9'), 'b'), 'OP-sgt-D records filter value.GT'],
    ['one that is gone with another', [...pair, gone], list({}, ''), 'OP-sgt-D records other records'],
    ['one of a create of unknown end', [unsure], list({}, 'a'), undefined],
    ['not one of a create of unknown end', [unsure], list({}, ''), undefined],
    [
      'one of a delete of unknown end that no filter lets in',
      [...pair, remove({}, { id: 'a', end: 'unknown' })],
      list(by('value.EQ.10'), 'ab'),
      'FOP-EQ records filter value.EQ',
    ],
    [
      'one whose value is not known',
      [...pair, update({ name: 'x' }, { id: 'b', end: 'unknown' })],
      list(by('name.EQ.beta'), ''),
      undefined,
    ],
    ['one whose number was generated', [create({ name: 'x', value: -1 })], list(by('value.EQ.-1'), ''), undefined],
    ['a view with all kinds of portals', two, list(view, 'pq'), undefined],
    ['a view without one kind', two, list(view, 'p'), 'VIEW-PORTAL records list'],
    ['a view with a wrong filter', two, list({ ...view, ...by('name.EQ.p') }, 'pq'), 'FOP-EQ records filter name.EQ'],
    ['a view with another name', two, list(view, [[entry('p', { name: 'x' }), 'q']]), 'VIEW-PORTAL value member name'],
    [
      'a view with another kind',
      [create({ name: 'p', portalType: 'BYOD' }, { ...portal, id: 'p' })],
      list(view, [[entry('p', { portalType: 'GUEST' })]]),
      undefined,
    ],
    ['records of another family', two, list(portal, 'p'), undefined],
    ['an endpoint that a policy was put on', [endpoint], list(anc, ''), 'SPC-ANC records list'],
    [
      'an endpoint that was cleared',
      [endpoint, remove({}, { ...anc, id: 'n' })],
      list(anc, 'n'),
      'SPC-ANC records list',
    ],
  ])('%s', (_rule, history, seen, expected) => {
    expect(told(history, seen)).toBe(expected);
  });
});
