// Writes the committed example of a history: npx tsx tools/history-example.ts
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { historyReport } from '../history/model/history-report.ts';
import { renderHistoryMarkdown } from '../history/pages/markdown.ts';
import { renderHistoryHtml } from '../history/pages/page.tsx';
import { packageRoot } from '../lib/package-root.ts';
import { EXAMPLE_YEAR, simulatedHistory } from './simulated-history.ts';

/** Pages of the simulated year, by name. */
export function examplePages(): ReadonlyMap<string, string> {
  const report = historyReport({ lines: simulatedHistory(365, EXAMPLE_YEAR), skipped: [] }, {});
  return new Map([
    ['history.html', renderHistoryHtml(report)],
    ['history.md', renderHistoryMarkdown(report)],
  ]);
}

if (process.argv[1]?.endsWith('history-example.ts')) {
  const folder = join(packageRoot(), 'reports', 'examples');
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of examplePages()) writeFileSync(join(folder, name), text);
}
