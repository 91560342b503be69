import type { Exchange } from '../../../lib/client/types.ts';
import { hasOp } from '../../../lib/contract/types.ts';
import { recordOf } from '../../../lib/wire/answer.ts';
import type { CheckContext, Fixture, SharedScope } from '../../kit/check.ts';
import { creatable, nameMember } from '../../kit/fields.ts';
import { createdId } from '../../kit/record/fixture.ts';
import { binding, nameOf, type Story } from './story.ts';

/** A record of another family under the name of the story's own; undefined where none can be made. */
async function elsewhere(context: CheckContext, scope: SharedScope, name: string): Promise<Fixture | undefined> {
  const other = creatable(context.table).find((each) => {
    const family = context.table[each];
    return (
      each !== context.family.name && family !== undefined && nameMember(family) === 'name' && hasOp(family, 'read')
    );
  });
  return other === undefined ? undefined : scope.fixture({ name }, other).catch(() => undefined);
}

/** Makes the neighbors of a story: two of the family, one of another under the name that the story begins with. */
export async function openStory(context: CheckContext, scope: SharedScope): Promise<Story> {
  const { family } = context;
  const member = nameOf(family);
  const base = String(scope.payload()[member]);
  const owns = [
    await scope.fixture({ [member]: `${base}m` }),
    await scope.fixture({ [member]: `${base}y` }),
    await elsewhere(context, scope, `${base}a`),
  ].filter((own) => own !== undefined);
  const neighbors = [];
  for (const own of owns) {
    const record = recordOf(await scope.send('read', { id: own.id }, own.family)) ?? {};
    const shape = context.table[own.family] ?? family;
    const held = Object.keys(binding(shape, own.sent)).map((each) => [each, record[each]]);
    neighbors.push({ own, shown: Object.fromEntries(held) });
  }
  return {
    ...{ context, scope, family, base, neighbors, records: [] },
    findId: async (created: Exchange, name: string) =>
      (await createdId({ ...context, ...scope }, family.name, created, name))?.id,
  };
}
