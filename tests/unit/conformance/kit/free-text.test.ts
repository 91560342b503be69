import { describe, expect, it } from 'vitest';
import { isFreeText } from '../../../../conformance/kit/list/value.ts';
import type { Family } from '../../../../lib/contract/types.ts';

const family: Family = {
  ...{ name: 'zone', title: 'Zone', versions: [], ops: ['list', 'create'], filters: [], sorts: [], roots: {} },
  fields: {
    name: { type: 'string' },
    placeId: { type: 'string', form: 'uuid', refersTo: 'place' },
    mac: { type: 'string', form: 'mac' },
  },
};

describe('a text of a record', () => {
  it('takes any form unless it is an address or names a record of another family', () =>
    expect(['name', 'placeId', 'mac'].filter((field) => isFreeText(family, field))).toEqual(['name']));
});
