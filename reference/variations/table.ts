import type { Deviation } from '../deviation.ts';

export const VARIATIONS: readonly Deviation[] = [];
