import { rate } from '../../lib/numbers.ts';
import type { CapacityAnswer } from '../../lib/records/load/capacity.ts';

const least = ({ atLeast }: Pick<CapacityAnswer, 'atLeast'>): string => (atLeast ? '≥ ' : '');

/** The highest rate that held, as a cell of a table. What steps of seconds alone suggest is said to be so. */
export const heldText = (of: Pick<CapacityAnswer, 'heldPerSecond' | 'atLeast' | 'verdict'>): string =>
  of.heldPerSecond === null
    ? 'none'
    : `${of.verdict === 'invalid' ? 'short steps: ' : least(of)}${rate(of.heldPerSecond)}`;

/** The held rate by the published one, as a cell of a table; none of a rate that was not shown to hold. */
export const headroomText = (of: Pick<CapacityAnswer, 'headroom' | 'atLeast' | 'verdict'>): string =>
  of.headroom === null || of.verdict === 'invalid' ? '—' : `${least(of)}${of.headroom.toFixed(2)}`;
