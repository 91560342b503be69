import { opRequirementId } from '../../lib/contract/requirements.ts';
import { hasOp } from '../../lib/contract/types.ts';
import { mustSucceed } from '../kit/answer.ts';
import { type Check, checkOfEach } from '../kit/check.ts';
import { CheckFailure } from '../kit/fault.ts';
import { isCreatable } from '../kit/fields.ts';
import { freeText, isGone, nameOf, readUntil, shown, updateFields } from '../kit/record/record-reads.ts';

const BY_NAME = ['updateByName', 'deleteByName'] as const;
type ByName = (typeof BY_NAME)[number];

/** A write that names its record does to it what one that gives its id does. */
const writeByName = checkOfEach<ByName>({
  id: 'named/write',
  title: 'a write by name changes or removes the record of that name',
  requirement: opRequirementId('{family}', 'updateByName'),
  level: 'stated',
  appliesTo: (family) => isCreatable(family) && hasOp(family, 'read') && BY_NAME.some((op) => hasOp(family, op)),
  variants: (family) =>
    BY_NAME.filter((op) => hasOp(family, op)).map((op) => ({
      ...{ name: op, data: op, requirement: opRequirementId(family.name, op) },
    })),
  exercises: BY_NAME,
  needs: 'own-data',
  async run(context, operation) {
    const own = await context.fixture();
    const name = nameOf(context, own);
    const about = { kind: 'no-effect', operation, subject: 'record' } as const;
    if (operation === 'deleteByName') {
      mustSucceed(await context.send(operation, { name }), 'the delete taken');
      if (!(await isGone(context, own))) {
        context.ledger.adopt(own);
        throw new CheckFailure({ expected: `no record named ${name}`, observed: 'it can still be read', about });
      }
    } else {
      const changed = freeText(context, `by name ${context.run.prefix}`);
      mustSucceed(await context.send(operation, { name, fields: updateFields(own, changed) }), 'the update taken');
      const { fits, record } = await readUntil(context, own, (held) =>
        Object.entries(changed).every(([member, value]) => held[member] === value),
      );
      if (!fits) throw new CheckFailure({ expected: shown(changed), observed: shown(record), about });
    }
    context.witness('written');
    return undefined;
  },
});

export const namedChecks: readonly Check[] = [writeByName];
