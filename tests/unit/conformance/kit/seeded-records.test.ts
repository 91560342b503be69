import { describe, expect, it } from 'vitest';
import type { SharedScope } from '../../../../conformance/kit/check.ts';
import { Blocked } from '../../../../conformance/kit/fault.ts';
import { seedRecords } from '../../../../conformance/kit/list/seeded-records.ts';
import { isFreeText } from '../../../../conformance/kit/list/value.ts';
import type { Family } from '../../../../lib/contract/types.ts';

/** A server that takes addresses alone for `host`, and numbers from 1 to 5. */
async function seeded(): Promise<readonly Record<string, unknown>[]> {
  const made: Record<string, unknown>[] = [];
  const fixture = async (fields: Record<string, unknown>) => {
    const { host = '10.0.0.1', size = 1 } = fields;
    if (!/^[\d.]+$/.test(String(host)) || Number(size) < 1 || Number(size) > 5) throw new Blocked('refused');
    made.push(fields);
    return {};
  };
  await seedRecords({ fixture } as unknown as SharedScope, { name: 'zone', table: { zone: family }, prefix: 'p' });
  return made;
}

const family: Family = {
  ...{ name: 'zone', title: 'Zone', versions: [], ops: ['list', 'create'], sorts: [], roots: {} },
  filters: ['name', 'placeId', 'host', 'size'],
  fields: {
    name: { type: 'string' },
    placeId: { type: 'string', form: 'uuid', refersTo: 'place' },
    mac: { type: 'string', form: 'mac' },
    host: { type: 'string', required: true, samples: ['10.0.0.1', '10.0.0.2'] },
    size: { type: 'integer', limits: [1, 5] },
  },
};

describe('a text of a record', () => {
  it('takes any form unless it is an address or names a record of another family', () =>
    expect(['name', 'placeId', 'mac'].filter((field) => isFreeText(family, field))).toEqual(['name']));

  it('has a published value where a server takes texts of one form, and numbers stay within their limits', async () => {
    const made = await seeded();
    const held = (member: string) => new Set(made.map((fields) => fields[member]));
    expect(made.length).toBeGreaterThan(9);
    expect([...held('host')]).toEqual(expect.arrayContaining(['10.0.0.1', '10.0.0.2']));
    expect(held('size').size).toBeGreaterThan(2);
    expect(held('placeId')).toEqual(new Set([undefined]));
  });
});
