import type { Defect } from '../deviation.ts';
import { BODY_DEFECTS } from './bodies.ts';
import { LIST_DEFECTS, PAGING_DEFECTS } from './lists.ts';
import { RECORD_DEFECTS } from './records.ts';
import { SPECIAL_DEFECTS } from './special.ts';

export const DEFECTS: readonly Defect[] = [
  ...RECORD_DEFECTS,
  ...BODY_DEFECTS,
  ...LIST_DEFECTS,
  ...PAGING_DEFECTS,
  ...SPECIAL_DEFECTS,
].sort((a, b) => a.id.localeCompare(b.id));
