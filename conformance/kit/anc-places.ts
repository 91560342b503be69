import type { EndpointPool } from '../../lib/client/types.ts';

/** Endpoints that stay applied while sequences are tried: more than a page of the usual size. */
export const STANDING = 24;
/** Endpoints that sequences write to: their numbers are below this one. */
export const OF_ROWS = 8;
/** Pools with fewer endpoints are left to other checks. */
export const LEAST_POOL = 4 * STANDING;

/** Endpoints among which those of the rows are chosen, behind the standing ones; the end of the pool is left to other checks. */
const MOST_CHOICES = 64;

/** Place of the first endpoint that stays applied. */
export const firstStanding = (pool: EndpointPool): number => Math.floor(pool.size / 2);

/** Places in the pool of the endpoints that sequences write to: first those whose address has letters, and so two written forms. */
export function placesOf(pool: EndpointPool): readonly number[] {
  const from = firstStanding(pool) + STANDING;
  const count = Math.min(MOST_CHOICES, pool.size - STANDING / 2 - from);
  const all = Array.from({ length: count }, (_, at) => from + at);
  const hasLetters = (at: number) => /[a-f]/i.test(pool.at(at).macAddress);
  return [...all.filter(hasLetters), ...all.filter((at) => !hasLetters(at))].slice(0, OF_ROWS);
}

/** Endpoints at the end of the pool that other checks have. */
const LEFT_ALONE = STANDING / 2;
const given = new WeakMap<EndpointPool, number>();

/** Place of an endpoint that no request of the run has named; undefined if there is none left. */
export function freshPlace(pool: EndpointPool): number | undefined {
  let place = given.get(pool) ?? pool.size - LEFT_ALONE;
  do place -= 1;
  while (placesOf(pool).includes(place));
  given.set(pool, place);
  return place >= firstStanding(pool) + STANDING ? place : undefined;
}
