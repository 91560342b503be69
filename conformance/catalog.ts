import { ancChecks } from './anc.ts';
import { ancListChecks } from './anc-lists.ts';
import { bodyChecks } from './body.ts';
import { bodyUpdateChecks } from './body-update.ts';
import { bulkChecks } from './bulk.ts';
import type { Check } from './check.ts';
import { gapChecks } from './gaps.ts';
import { headerChecks } from './headers.ts';
import { listChecks } from './list/checks.ts';
import { negativeChecks } from './negative.ts';
import { nodeChecks } from './node.ts';
import { pathChecks } from './paths.ts';
import { recordChecks } from './record/checks.ts';
import { lastChecks, schemaChecks } from './schema-checks.ts';
import { versionChecks } from './version.ts';
import { viewChecks } from './view.ts';
import { viewListChecks } from './view-lists.ts';
import { xmlChecks } from './xml.ts';

/** Every check, in the order they run within a family. Ids are permanent. */
export const checks: readonly Check[] = [
  ...versionChecks,
  ...recordChecks,
  ...nodeChecks,
  ...viewChecks,
  ...viewListChecks,
  ...bodyChecks,
  ...bodyUpdateChecks,
  ...xmlChecks,
  ...headerChecks,
  ...pathChecks,
  ...negativeChecks,
  ...schemaChecks,
  ...ancChecks,
  ...ancListChecks,
  ...bulkChecks,
  ...listChecks,
  ...gapChecks,
  ...lastChecks,
];

/** The check with an id; undefined where there is none. */
export function checkById(id: string): Check | undefined {
  return checks.find((check) => check.id === id);
}
