import type { Check } from '../../kit/check.ts';
import { isCreatable, sentFields } from '../../kit/fields.ts';
import { memberFailure } from '../../kit/record/member-failure.ts';
import { readRecord } from '../../kit/record/record-reads.ts';

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
