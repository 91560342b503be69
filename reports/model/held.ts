import { rate } from '../../lib/numbers.ts';
import type { CapacityAnswer } from '../../lib/records/load/capacity.ts';

const least = ({ atLeast }: Pick<CapacityAnswer, 'atLeast'>): string => (atLeast ? '≥ ' : '');

/** The highest rate that held, as a cell of a table. */
export const heldText = (of: Pick<CapacityAnswer, 'heldPerSecond' | 'atLeast'>): string =>
  of.heldPerSecond === null ? 'none' : `${least(of)}${rate(of.heldPerSecond)}`;

/** The held rate by the published one, as a cell of a table. */
export const headroomText = (of: Pick<CapacityAnswer, 'headroom' | 'atLeast'>): string =>
  of.headroom === null ? '—' : `${least(of)}${of.headroom.toFixed(2)}`;
