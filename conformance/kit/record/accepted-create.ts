import type { CheckContext, Fixture } from '../check.ts';
import { CheckFailure, Refused } from '../fault.ts';
import type { Subject } from '../subject.ts';

/**
 * Creates a record whose fields the tables allow. Where the target refuses it and takes one that differs in these fields
 * alone, the refusal is a failure; where it takes none, the check is blocked.
 */
export async function acceptedCreate(
  context: CheckContext,
  overrides: Readonly<Record<string, unknown>>,
  { expected, subject }: { readonly expected: string; readonly subject: Subject },
): Promise<Fixture> {
  try {
    return await context.fixture(overrides);
  } catch (fault) {
    if (!(fault instanceof Refused)) throw fault;
    await context.fixture();
    throw new CheckFailure({
      expected,
      observed: fault.message,
      about: { kind: 'refused', operation: 'create', subject },
    });
  }
}
