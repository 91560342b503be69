import { describe, expect, it } from 'vitest';
import { marked } from '../../../../conformance/steps/names.ts';
import { FAMILIES } from '../../../../lib/contract/families.ts';

const PREFIX = 'cfm0abcdefg';

/** Fields as they are sent, on a target that takes every text. */
function sent(fields: Readonly<Record<string, unknown>>) {
  const values = { adaptAll: (given: object) => given };
  const session = { context: { family: FAMILIES.sgt, run: { prefix: PREFIX, values } } };
  return marked(session as unknown as Parameters<typeof marked>[0], fields);
}

describe('a record whose name does not hold the mark of the run', () => {
  it.each(['', 'word', 'x'.repeat(256)])('has it in its description: %s', (description) => {
    const text = String(sent({ name: 'null', description })['description']);
    expect(text).toMatch(new RegExp(` ${PREFIX}$`));
    expect(text.length).toBeLessThanOrEqual(Math.max(256, description.length));
  });

  it.each([
    { name: `${PREFIX}1`, description: 'word' },
    { name: `${PREFIX}1`.toUpperCase(), description: '' },
    { name: 'true', description: `of ${PREFIX}` },
  ])('is the only one that is changed, not %j', (fields) => {
    expect(sent(fields)).toEqual(fields);
  });
});
