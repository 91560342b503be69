import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { requirementsOf } from '../cli/commands/explain.ts';
import { configJsonSchema } from '../cli/options/config/keys.ts';
import { outputJsonSchemaText } from '../cli/output/json-documents.ts';
import { checks } from '../conformance/catalog.ts';
import { FAMILIES } from '../lib/contract/families.ts';
import { requirements } from '../lib/contract/requirements.ts';
import { EXIT_MEANINGS } from '../lib/exit-codes.ts';
import { familiesJsonSchema } from '../lib/families/file.ts';
import { packageRoot } from '../lib/package-root.ts';
import { reportJsonSchemaText } from '../lib/records/report.ts';
import { FACTS, PERSONAS } from '../reference/personas/personas.ts';
import { PUBLISHED_SCORE } from '../reference/selftest/published.ts';
import { historyJsonSchemaText } from '../reports/history/model/schema.ts';
import { llmsText } from './docs-pages.ts';
import { defectsKilled, personasBlocks, selftestBlocks } from './docs-selftest.ts';
import { exitTable, familyTable, fillMarkers, optionsBlocks, requirementsBlocks } from './docs-tables.ts';
import { errorCodes } from './error-codes.ts';

/** Every page that is generated, or filled in: path from the package root → text. */
export function generatedPages(): ReadonlyMap<string, string> {
  const killed = (requirement: string) => defectsKilled(PUBLISHED_SCORE, requirement);
  const decided = new Map(checks.map((check) => [check.id, requirementsOf(check)]));
  const filled: Readonly<Record<string, Readonly<Record<string, string>>>> = {
    'README.md': { families: familyTable(FAMILIES), 'exit-codes': exitTable(EXIT_MEANINGS) },
    'docs/tables/requirements.md': requirementsBlocks(requirements(), decided, killed),
    'docs/tables/selftest.md': selftestBlocks(PUBLISHED_SCORE),
    'docs/tables/personas.md': personasBlocks(FACTS, PERSONAS, FAMILIES),
    'docs/tables/options.md': optionsBlocks(),
  };
  const fill = (path: string, blocks: Readonly<Record<string, string>>) =>
    fillMarkers(readFileSync(join(packageRoot(), path), 'utf8'), blocks);
  return new Map([
    ...Object.entries(filled).map(([path, blocks]) => [path, fill(path, blocks)] as const),
    ['docs/ers-harness.schema.json', `${JSON.stringify(configJsonSchema(), null, 2)}\n`],
    ['llms.txt', llmsText(EXIT_MEANINGS)],
    ['docs/families.schema.json', `${JSON.stringify(familiesJsonSchema(), null, 2)}\n`],
    ['cli/output/error-codes.json', `${JSON.stringify(errorCodes(), null, 2)}\n`],
    ['docs/output.schema.json', outputJsonSchemaText()],
    ['docs/report.schema.json', reportJsonSchemaText()],
    ['docs/history.schema.json', historyJsonSchemaText()],
  ]);
}

if (process.argv[1]?.endsWith('docs.ts')) {
  for (const [path, text] of generatedPages()) writeFileSync(join(packageRoot(), path), text);
}
