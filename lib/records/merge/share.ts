/** One of `of` equal shares of a cell's arrivals: those whose number in the schedule, divided by `of`, leaves `index` (0-based). */
export interface Share {
  readonly index: number;
  readonly of: number;
}

/** All arrivals of a cell. */
export const WHOLE: Share = { index: 0, of: 1 };

/** The share that the arrival of this number belongs to, of so many. */
export function shareOf(seq: number, of: number): Share {
  return { index: seq % of, of };
}

/** Number among all arrivals of the cell, from that among the arrivals of the share. */
export function wholeNumber({ index, of }: Share, local: number): number {
  return index + local * of;
}

/** Number among the arrivals of the share, from that among all; a fraction for an arrival of another share. */
export function localNumber({ index, of }: Share, seq: number): number {
  return (seq - index) / of;
}

/** Start of the schedule of the cell, from the first arrival of the share; microseconds. */
export function scheduleStartUs({ index }: Share, firstUs: number, periodUs: number): number {
  return firstUs - index * periodUs;
}
