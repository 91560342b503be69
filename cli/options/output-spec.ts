import * as z from 'zod';
import { option } from '../../lib/option.ts';
import { choice, onOff, text } from '../../lib/option-values.ts';
import { RunOptions } from '../../lib/records/run-options.ts';

/** Of every command that prints a table: the same for another program. */
export const JsonSpec = z.object({
  json: option(
    { flag: '--json', text: 'print one JSON document, by docs/output.schema.json', once: true },
    onOff().default(false),
  ),
});
export type JsonSpec = z.output<typeof JsonSpec>;

/** Where a command writes, and how. */
export const OutputSpec = z.object({
  out: option(
    { flag: '--out <dir>', text: 'folder of the run', otherwise: 'runs/<run-id>', once: true },
    text().optional(),
  ),
  quiet: option(
    { flag: '--quiet', text: 'no progress, only errors and the result', env: 'ERS_QUIET', help: 'all' },
    onOff().default(false),
  ),
  color: option({ flag: '--no-color', text: 'no color', help: 'all' }, onOff().default(true)),
  json: option({ flag: '--json', text: 'print the result as one JSON document to stdout' }, onOff().default(false)),
  debug: option({ flag: '--debug', text: 'show the stack of a fault', help: 'all' }, onOff().default(false)),
});
export type OutputSpec = z.output<typeof OutputSpec>;

/** A look at a run that goes on. */
export const LiveSpec = z.object({
  live: option(
    {
      flag: '--live',
      text: 'serve a page of the run while it goes on',
      once: true,
    },
    onOff().default(false),
  ),
});

/** Reports that can be given to others. */
export const RedactSpec = z.object({
  title: RunOptions.shape.title,
  author: RunOptions.shape.author,
  redact: option(
    {
      flag: '--redact <what>',
      text: 'share: also write reports to <run>/share with pseudonyms for MAC addresses, IP addresses and host names',
      help: 'all',
    },
    choice(['share']).optional(),
  ),
});
export type RedactSpec = z.output<typeof RedactSpec>;

/** Switches the history off. */
export const NO_HISTORY = 'none';

/** Where the line of a finished run goes. */
export const HistorySpec = z.object({
  history: option(
    {
      flag: '--history <file>',
      text: 'history file to which the finished run adds one line; none turns it off',
      otherwise: 'history.ndjson beside the run folder, so runs/history.ndjson',
      env: 'ERS_HISTORY',
      help: 'all',
    },
    text().optional(),
  ),
});
export type HistorySpec = z.output<typeof HistorySpec>;
