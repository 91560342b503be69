import { describe, expect, it } from 'vitest';
import { queryText, shrink } from '../../../../../../conformance/checks/list/shared/shrink.ts';
import type { ListQuery } from '../../../../../../lib/wire/query.ts';

const query: ListQuery = {
  filters: [
    { field: 'name', operator: 'STARTSW', value: 'cfm-1' },
    { field: 'name', operator: 'CONTAINS', value: 'betamax' },
  ],
};

describe('shrinking a query', () => {
  it('leaves away every filter and letter that the failure does not need', async () => {
    const smallest = await shrink(query, async ({ filters }) => filters?.at(-1)?.value.includes('x') === true);
    expect(queryText(smallest)).toBe('filter=name.CONTAINS.x');
  });

  it('gives back the query where nothing less fails', async () => {
    expect(await shrink(query, async () => false)).toEqual(query);
  });

  it('looks at twelve smaller queries at most', async () => {
    let looks = 0;
    await shrink({ filters: [{ field: 'f', operator: 'EQ', value: 'x'.repeat(4000) }] }, async () => {
      looks += 1;
      return looks % 2 === 0;
    });
    expect(looks).toBeLessThanOrEqual(12);
  });
});
