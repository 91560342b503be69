/** What is known of a constant schedule after the run; microseconds of one clock. */
export interface ObservedSchedule {
  /** Intended start of the first arrival, or a little before it. */
  readonly originUs: number;
  readonly periodUs: number;
  /** Started iterations. */
  readonly started: number;
  /** Moments at which arrivals were dropped, in any order. */
  readonly dropsUs: readonly number[];
}

/** Place in the schedule of every arrival. */
export interface Ticks {
  /** Of the dropped ones, ascending. */
  readonly dropped: Uint32Array;
  /** Of the started ones, by their number. */
  readonly started: Uint32Array;
}

/**
 * Finds out which arrivals of the schedule were dropped. The numbers of the iterations have no gap where one was
 * dropped, so a started one stands at its number plus the drops before it.
 * A drop happens at or after its intended start, so its moment gives the latest place it can have; where a late
 * generator dropped several at once, they are the last ones up to that place.
 */
export function reconstructTicks({ originUs, periodUs, started, dropsUs }: ObservedSchedule): Ticks {
  const total = started + dropsUs.length;
  const moments = Float64Array.from(dropsUs).sort();
  const dropped = new Uint32Array(moments.length);
  const places = new Float64Array(moments.length);
  let next = total;
  for (let index = moments.length - 1; index >= 0; index -= 1) {
    next = Math.min(Math.floor(((moments[index] ?? 0) - originUs) / periodUs), next - 1);
    places[index] = next;
  }
  let least = 0;
  for (let index = 0; index < places.length; index += 1) {
    dropped[index] = Math.max(places[index] ?? 0, least);
    least = (dropped[index] ?? 0) + 1;
  }
  const ticks = new Uint32Array(started);
  let drop = 0;
  for (let seq = 0, tick = 0; seq < started; tick += 1) {
    if (drop < dropped.length && dropped[drop] === tick) drop += 1;
    else ticks[seq++] = tick;
  }
  return { dropped, started: ticks };
}
