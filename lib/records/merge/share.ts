/** One of `of` equal shares of a cell's arrivals: those whose number in the schedule, divided by `of`, leaves `index` (0-based). */
export interface Share {
  readonly index: number;
  readonly of: number;
}

export const WHOLE: Share = { index: 0, of: 1 };

/** The share that the arrival of this number belongs to, of so many. */
export const shareOf = (seq: number, of: number): Share => ({ index: seq % of, of });

/** Number among all arrivals of the cell, from that among the arrivals of the share. */
export const wholeNumber = ({ index, of }: Share, local: number): number => index + local * of;

/** Number among the arrivals of the share, from that among all; a fraction for an arrival of another share. */
export const localNumber = ({ index, of }: Share, seq: number): number => (seq - index) / of;

/** Start of the schedule of the cell, from the first arrival of the share; microseconds. */
export const scheduleStartUs = ({ index }: Share, firstUs: number, periodUs: number): number =>
  firstUs - index * periodUs;
