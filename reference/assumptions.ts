import { ACCESS_ASSUMPTIONS } from './assumptions/access.ts';
import type { Assumption } from './assumptions/assumption.ts';
import { LIST_ASSUMPTIONS } from './assumptions/lists.ts';
import { RECORD_ASSUMPTIONS } from './assumptions/records.ts';
import { SPECIAL_ASSUMPTIONS } from './assumptions/special.ts';

/** Every choice the embedded deployment makes where the specification is silent, in the order of their numbers. */
export const ASSUMPTIONS: readonly Assumption[] = [
  ...ACCESS_ASSUMPTIONS,
  ...LIST_ASSUMPTIONS,
  ...RECORD_ASSUMPTIONS,
  ...SPECIAL_ASSUMPTIONS,
].sort((a, b) => (a.id < b.id ? -1 : 1));
