import type { Deviation } from '../deviation.ts';

export const DEFECTS: readonly Deviation[] = [];
