import { type Check, checkOfEach } from '../../kit/check.ts';
import { isCreatable, isServerFilled, sentFields } from '../../kit/fields.ts';
import { acceptedCreate } from '../../kit/record/accepted-create.ts';
import { memberFailure } from '../../kit/record/member-failure.ts';
import { readRecord, readUntil } from '../../kit/record/record-reads.ts';

const plain = (name: string) => name.toLowerCase().replace(/[^a-z0-9]/g, '');

/** True for names that a typist or a corrector would take for the same: they differ by one letter, or in case. */
function isLike(a: string, b: string): boolean {
  const [x, y] = [plain(a), plain(b)];
  if (x === y) return true;
  if (x.length !== y.length) return false;
  return [...x].filter((letter, index) => letter !== y[index]).length === 1;
}

/** Members come back under their listed names. */
export const fieldNames: Check = {
  id: 'record/field-names',
  title: 'fields have exactly the listed names',
  requirement: 'RES-NAMES',
  level: 'stated',
  appliesTo: isCreatable,
  dependsOn: ['record/create'],
  needs: 'own-data',
  async run(context) {
    const own = await context.run
      .shared('full-record', (scope) => scope.fixture(context.run.values.samples(0)))
      .catch(() => context.fixture());
    const { record } = await readRecord(context, own);
    const listed = sentFields(context.family, 'update').map(([member]) => member);
    for (const member of Object.keys(own.sent)) {
      if (record !== undefined && member in record) {
        context.witness('names');
        continue;
      }
      const other = Object.keys(record ?? {}).find((held) => !listed.includes(held) && isLike(held, member));
      if (other !== undefined)
        throw memberFailure({
          operation: 'create',
          member,
          seen: undefined,
          expected: `the member ${member}`,
          observed: `${other} in its place`,
        });
    }
    return undefined;
  },
};

/** A truth value is stored under its listed name, either way. */
export const booleanStored = checkOfEach<string>({
  id: 'record/boolean',
  title: 'true and false are stored under the listed name',
  requirement: 'RES-NAMES',
  level: 'stated',
  appliesTo: (family) =>
    isCreatable(family) &&
    sentFields(family, 'create').some(([member, { type }]) => type === 'boolean' && !isServerFilled(family, member)),
  variants: (family) =>
    sentFields(family, 'create')
      .filter(([member, { type }]) => type === 'boolean' && !isServerFilled(family, member))
      .map(([member]) => ({ name: member, data: member })),
  dependsOn: ['record/create'],
  needs: 'own-data',
  async run(context, member) {
    for (const value of [true, false]) {
      const own = await acceptedCreate(
        context,
        { [member]: value },
        { expected: `a create with ${member} ${value} to be taken`, subject: `member ${member}` },
      );
      const { fits, record } = await readUntil(context, own, (held) => held[member] === value);
      if (!fits)
        throw memberFailure({ operation: 'create', member, seen: record?.[member], expected: `${member} ${value}` });
      context.witness(String(value));
    }
    return undefined;
  },
});
