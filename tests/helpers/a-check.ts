import type { Check } from '../../conformance/kit/check.ts';

/** A check of a test. */
export const aCheck = (
  id: Check['id'],
  run: Check['run'] = async () => undefined,
  more: Partial<Check> = {},
): Check => ({
  ...{ id, run, title: 'a check of the test', requirement: 'SVC-1', level: 'stated', needs: 'own-data' },
  appliesTo: () => true,
  ...more,
});
