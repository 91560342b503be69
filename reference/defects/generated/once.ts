import type { FamilyTable } from '../../../lib/contract/types.ts';
import type { Place } from './line.ts';
import type { Hit, Watch } from './watch.ts';

export const grows = (table: FamilyTable, family: string): boolean =>
  table[family]?.ops.some((op) => op === 'create' || op === 'apply') === true || table[family]?.viewOf !== undefined;

/** One decision for a whole list request. */
export function onceFor(place: Place, watch: Watch, hit: Hit): () => boolean {
  return () => {
    const moment = watch.now();
    if (moment?.family !== place.family) return false;
    const known = moment.decided.get('list');
    const isHit = known ?? hit({ key: moment.query });
    moment.decided.set('list', isHit);
    return isHit;
  };
}
