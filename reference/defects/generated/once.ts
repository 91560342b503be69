import type { FamilyTable } from '../../../lib/contract/types.ts';
import type { Place } from './line.ts';
import type { Moment } from './moment.ts';
import type { Hit, Watch } from './watch.ts';

/** True for a family whose records, or those it is a view of, are made by requests. */
export const grows = (table: FamilyTable, family: string): boolean =>
  table[family]?.ops.some((op) => op === 'create' || op === 'apply') === true || table[family]?.viewOf !== undefined;

/** One decision for a whole request, about one thing. */
export function decided({ decided: known }: Moment, about: string, decide: () => boolean): boolean {
  const isHit = known.get(about) ?? decide();
  known.set(about, isHit);
  return isHit;
}

/** One decision for a whole list request. */
export function onceFor(place: Place, watch: Watch, hit: Hit): () => boolean {
  return () => {
    const moment = watch.now();
    return moment?.family === place.family && decided(moment, 'list', () => hit({ key: moment.query }));
  };
}
