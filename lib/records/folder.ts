/** Names of the files in a run folder. */
export const FILES = {
  header: 'run.json',
  catalogue: 'catalogue.json',
  dialect: 'dialect.json',
  results: 'results.ndjson',
  exchanges: 'exchanges.ndjson',
  journal: 'journal.ndjson',
  cells: 'cells',
  facts: 'facts.json',
  samples: 'samples.bin',
  baseline: 'baseline.json',
  end: 'end.json',
  report: 'report.json',
  html: 'index.html',
  junit: 'junit.xml',
  ctrf: 'ctrf.json',
  summary: 'summary.md',
} as const;
