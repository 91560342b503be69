import { shown } from '../../conformance/kit/record/record-reads.ts';
import { memberOf } from '../../lib/contract/vendor.ts';
import { pageOf } from '../../lib/wire/list-walk.ts';
import { settled } from './settled.ts';
import { type Held, nameOf, raise, type World } from './world.ts';

/** Finds a record under its name where the family filters by one, and a renamed one under its old name no more. */
export async function checkFound(world: World, held: Held, old?: string): Promise<void> {
  const { context } = world;
  const member = nameOf(world);
  const field = context.family.filters.find((each) => memberOf(context.family.name, each) === member);
  const name = String(held.fields[member] ?? '');
  if (field === undefined || name === '') return;
  const ask = async (value: string) => {
    const page = pageOf(await context.send('list', { list: { filters: [{ field, operator: 'EQ', value }] } }));
    return page?.items.map(({ id }) => id);
  };
  const found = await settled(world, async () => {
    const [now, before] = await Promise.all([ask(name), old === undefined ? undefined : ask(old)]);
    if (now !== undefined && !now.includes(held.id))
      return {
        requirement: 'FOP-EQ',
        what: `${field}.EQ`,
        expected: `${held.id} under ${shown(name)}`,
        observed: shown(now),
      };
    if (before?.includes(held.id) !== true) return undefined;
    return {
      requirement: 'FOP-EQ',
      what: `${field}.EQ with an old name`,
      expected: `not ${held.id} under ${shown(old)}`,
      observed: shown(before),
    };
  });
  if (found !== undefined) raise(world, found);
}
