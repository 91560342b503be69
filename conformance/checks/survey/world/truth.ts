import { type Family, fieldsOf } from '../../../../lib/contract/types.ts';
import type { JsonObject } from '../../../../lib/wire/answer.ts';
import { isServerFilled } from '../../../kit/fields.ts';
import type { Surveyed, World } from './world.ts';

/** What a record must show: what was sent for it; where nothing was, what the first read showed. */
export function truthOf(world: Pick<World, 'context'>, { home, sent, record }: Surveyed): JsonObject {
  const family = world.context.table[home] as Family;
  const members = fieldsOf(family);
  const isSent = Object.keys(sent).length > 0;
  return Object.fromEntries(
    Object.entries(isSent ? sent : record).filter(
      ([member, value]) =>
        member !== 'id' &&
        value !== undefined &&
        (isSent ? member in members && !isServerFilled(family, member) : typeof value !== 'object'),
    ),
  );
}
