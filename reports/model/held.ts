import type { CapacityAnswer } from '../../lib/records/load/capacity.ts';
import { rate } from '../../lib/text.ts';

/** The highest rate that held, and the lowest that did not; infinite if the target was not the limit. */
export function limitRange(of: Pick<CapacityAnswer, 'heldPerSecond' | 'failedPerSecond' | 'limit'>) {
  const high = of.limit === 'target' ? of.failedPerSecond : null;
  return [of.heldPerSecond ?? 0, high ?? Number.POSITIVE_INFINITY] as const;
}

const LIMITS = {
  target: 'the target',
  generator: 'the generator, so the target may do more',
  end: 'the highest rate that was allowed, so the target may do more',
} as const satisfies Readonly<Record<CapacityAnswer['limit'], string>>;

/** What limited a search; of one that was cut before anything did, that is not known. */
export const limitWords = ({ limit }: Pick<CapacityAnswer, 'limit'>, cut: boolean): string =>
  limit === 'end' && cut ? 'not known: the run was interrupted' : LIMITS[limit];

const least = ({ atLeast }: Pick<CapacityAnswer, 'atLeast'>): string => (atLeast ? '≥ ' : '');

/** The highest rate that held, as a cell of a table. What steps of seconds alone suggest is said to be so. */
export const heldText = (of: Pick<CapacityAnswer, 'heldPerSecond' | 'atLeast' | 'verdict'>): string =>
  of.heldPerSecond === null
    ? 'none'
    : `${of.verdict === 'invalid' ? 'short steps: ' : least(of)}${rate(of.heldPerSecond)}`;

/** The held rate by the published one, as a cell of a table; none of a rate that was not shown to hold. */
export const headroomText = (of: Pick<CapacityAnswer, 'headroom' | 'atLeast' | 'verdict'>): string =>
  of.headroom === null || of.verdict === 'invalid' ? '—' : `${least(of)}${of.headroom.toFixed(2)}`;

/** The range in which the limit of the target lies: `394.0 to 413.0/s`. */
export function limitText(answer: CapacityAnswer): string {
  const [low, high] = limitRange(answer);
  return Number.isFinite(high) ? `${rate(low)} to ${rate(high)}/s` : `at least ${rate(low)}/s`;
}
