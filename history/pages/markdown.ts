import { inert } from '../../lib/text.ts';
import type { HistoryReport } from '../model/schema.ts';
import { answerOf } from './answer.ts';
import { type Entry, toldOf } from './lines.ts';

const LONGEST = 200;
const MOST = 20;

/** Text that stays text in Markdown, on one line. */
const plain = (text: string) =>
  text.replace(/\s+/g, ' ').replace(/[\\`*_{}[\]<>#|~!]/g, (character) => `\\${character}`);

function listed(title: string, entries: readonly Entry[]): string[] {
  const lines = entries.map((entry) => entry.join(''));
  if (lines.length === 0) return [];
  const more = lines.length > MOST ? [`- and ${lines.length - MOST} more`] : [];
  return ['', `## ${title}`, '', ...lines.slice(0, MOST).map((line) => `- ${plain(line)}`), ...more];
}

/** `history.md`. */
export function renderHistoryMarkdown(given: HistoryReport): string {
  const report = inert(given, LONGEST);
  const { word, lines } = answerOf(report);
  return `${[
    `# ${plain(word)}`,
    '',
    `History of ${plain(report.target)}.`,
    '',
    ...lines.map((line) => `- ${plain(line)}`),
    ...toldOf(report).flatMap(([title, entries]) => listed(title, entries)),
  ].join('\n')}\n`;
}
