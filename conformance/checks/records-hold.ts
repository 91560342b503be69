import type { Check } from '../kit/check.ts';

/** What records have to do, written once each, before a check can blame what it sees on anything else. */
export const RECORDS_HOLD: readonly Check['id'][] = [
  'record/create',
  'record/read',
  'record/update',
  'record/delete',
  'record/create-fields',
  'record/update-fields',
];
