/** Folder within a run folder of everything that no person opens. */
const RECORDS = 'records';

/** Files of a run, by their paths in its folder: at the top what a person opens, and all else in one folder. */
export const FILES = {
  header: 'run.json',
  report: 'report.json',
  html: 'index.html',
  junit: 'junit.xml',
  ctrf: 'ctrf.json',
  summary: 'summary.md',
  catalogue: `${RECORDS}/catalogue.json`,
  dialect: `${RECORDS}/dialect.json`,
  results: `${RECORDS}/results.ndjson`,
  exchanges: `${RECORDS}/exchanges.ndjson`,
  histories: `${RECORDS}/histories.ndjson`,
  journal: `${RECORDS}/journal.ndjson`,
  cells: `${RECORDS}/cells`,
  baseline: `${RECORDS}/baseline.json`,
  end: `${RECORDS}/end.json`,
  capacityHtml: `${RECORDS}/capacity.html`,
  capacityMarkdown: `${RECORDS}/capacity.md`,
  facts: 'facts.json',
  samples: 'samples.bin',
} as const;
