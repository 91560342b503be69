import { describe, expect, it } from 'vitest';
import { openSession } from '../../../../conformance/driver/open-session.ts';
import type { Session } from '../../../../conformance/driver/session.ts';
import { FAMILIES } from '../../../../lib/contract/families.ts';

const family = { ...FAMILIES.sgt, ops: [] };
const context = { table: FAMILIES, family, run: { prefix: 'cfm1' } } as unknown as Session['context'];

describe('sessions on one family', () => {
  it('tell their records apart: no name of one begins as all names of another', async () => {
    const opened = await Promise.all(
      [0, 1, 2, 27].flatMap((turn) =>
        [false, true].map((isAgain) =>
          openSession({ ...context, run: { ...context.run, isAgain } }, { isKnown: () => false, turn }),
        ),
      ),
    );
    for (const session of opened) {
      const names = Array.from({ length: 60 }, () => `cfm1${session.serial()}`);
      const owners = opened.filter((other) => names.some((name) => name.startsWith(other.own)));
      expect(owners.map((other) => other.own)).toEqual([session.own]);
    }
  });
});
