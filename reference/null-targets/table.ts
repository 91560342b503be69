import type { Deviation } from '../deviation.ts';

export const NULL_TARGETS: readonly Deviation[] = [];
