import { ACCESS_ASSUMPTIONS } from './access.ts';
import type { Assumption } from './assumption.ts';
import { LIST_ASSUMPTIONS } from './lists.ts';
import { RECORD_ASSUMPTIONS } from './records.ts';
import { SPECIAL_ASSUMPTIONS } from './special.ts';

/** Every choice the embedded deployment makes where the specification is silent, in the order of their numbers. */
export const ASSUMPTIONS: readonly Assumption[] = [
  ...ACCESS_ASSUMPTIONS,
  ...LIST_ASSUMPTIONS,
  ...RECORD_ASSUMPTIONS,
  ...SPECIAL_ASSUMPTIONS,
].sort((a, b) => (a.id < b.id ? -1 : 1));
