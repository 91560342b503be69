import { describe, expect, it } from 'vitest';
import { openClosings, type Write } from '../../../../lib/client/safety/guard.ts';

const bulk = (items: readonly { readonly id?: string; readonly name?: string }[], removes = false): Write => ({
  ...{ kind: 'bulk', family: 'zone', removes, items },
});
const WRITES: Readonly<Record<string, Write>> = {
  create: { kind: 'create', family: 'zone' },
  update: { kind: 'record', family: 'zone', id: 'a', removes: false },
  delete: { kind: 'record', family: 'zone', id: 'a', removes: true },
  'bulk create': bulk([{ name: 'b' }]),
  'bulk update': bulk([{ id: 'a' }]),
  'bulk delete': bulk([{ id: 'a' }], true),
  'bulk of nothing': bulk([]),
};

describe('a family that is closed', () => {
  it.each([
    ['create', ['create', 'bulk create']],
    ['update', ['update', 'bulk update']],
  ] as const)('to %s takes everything else', (what, expected) => {
    const closings = openClosings();
    closings.refuse('zone', 'it stays', what);
    const refused = Object.keys(WRITES).filter((name) => closings.against('zone', WRITES[name] as Write) !== undefined);
    expect(refused).toEqual(expected);
    expect(closings.against('other', WRITES[what] as Write)).toBeUndefined();
  });

  it('is closed to creates by records in a row that could not be removed, and by no single one', () => {
    const closings = openClosings();
    for (const why of ['it stays', undefined, 'it stays']) closings.kept('zone', why);
    expect(closings.closed('zone')).toBeUndefined();
    closings.kept('zone', 'it stays');
    expect(closings.closed('zone')).toContain('it stays');
    expect(closings.closed('zone', 'update')).toBeUndefined();
  });
});
