import type { Report } from '../../lib/records/report.ts';

/** `report.json`: the judged report, indented. */
export function renderJson(report: Report): string {
  return `${JSON.stringify(report, null, 2)}\n`;
}
