import { expect, it } from 'vitest';
import { openRecords } from '../../../../lib/client/safety/records.ts';
import { FAMILIES } from '../../../../lib/contract/families.ts';

it('a search that finds a record from before the create was sent finds nothing of the run, and nobody is at fault', () => {
  const records = openRecords({ prefix: 'cfm-abc', table: FAMILIES, nowMs: () => 0, note: () => undefined });
  records.lists('sgt', '1', 'taken');
  records.sends('sgt', [{ name: 'taken' }]);
  records.lists('sgt', '2', 'taken');
  const adopted = ['1', '2'].map((id) => records.adopt({ family: 'sgt', id, name: 'taken' }));
  expect([adopted, records.leftAlone()]).toEqual([[false, true], []]);
});
