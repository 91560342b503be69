import type { Check } from './check.ts';
import { listChecks } from './list/checks.ts';
import { recordChecks } from './record/checks.ts';

/** Every check, in the order they run within a family. Ids are permanent. */
export const checks: readonly Check[] = [...recordChecks, ...listChecks];

/** The check with an id; undefined where there is none. */
export function checkById(id: string): Check | undefined {
  return checks.find((check) => check.id === id);
}
