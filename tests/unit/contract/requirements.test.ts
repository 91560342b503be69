import { describe, expect, it } from 'vitest';
import { FAMILIES } from '../../../lib/contract/families.ts';
import { OPERATOR_NAMES } from '../../../lib/contract/list.ts';
import { opRequirementId, requirements } from '../../../lib/contract/requirements.ts';
import type { Family } from '../../../lib/contract/types.ts';

const MADE_UP: Family = { ...FAMILIES.sgt, name: 'gatekeeper', ops: ['list', 'create'] };

const idsOf = (table?: Parameters<typeof requirements>[0]): string[] => requirements(table).map(({ id }) => id);

describe('the requirements catalogue', () => {
  it('has one requirement for each of the 66 operations and each of the ten operators', () => {
    expect(idsOf().filter((id) => id.startsWith('OP-'))).toHaveLength(66);
    expect(idsOf().filter((id) => id.startsWith('FOP-'))).toEqual(OPERATOR_NAMES.map((name) => `FOP-${name}`));
  });

  it('grows by its operations and its fields when a family is added, and by nothing else', () => {
    const before = new Set(idsOf());
    const added = idsOf({ ...FAMILIES, gatekeeper: MADE_UP }).filter((id) => !before.has(id));
    expect(added).toEqual(['OP-gatekeeper-L', 'OP-gatekeeper-C', 'FLD-gatekeeper']);
    expect(opRequirementId('gatekeeper', 'bulkMonitor')).toBe('OP-gatekeeper-BM');
  });

  it('gives a gap no stronger level than gap, and a reason to everything no check can decide', () => {
    for (const { id, level, untestable } of requirements()) {
      expect(level === 'gap', id).toBe(id.startsWith('G-'));
      if (untestable !== undefined) expect(untestable.length, id).toBeGreaterThan(20);
    }
  });
});
