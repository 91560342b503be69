import type { Check } from '../check.ts';
import { createStores } from './create.ts';

/** Checks of single records, in the order they depend on each other. */
export const recordChecks: readonly Check[] = [createStores];
