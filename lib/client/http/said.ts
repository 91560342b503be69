import { wordsOf } from '../../said.ts';
import { inert } from '../../text.ts';
import { type Redactor, redactor } from '../redaction/redact.ts';
import type { ErsClient } from '../types.ts';

const LONGEST = 160;

type Said = Parameters<typeof wordsOf>[0];

/** What an answer says, for people: its own words, short, on one line and without secrets; empty if it has none. */
export const said = (redact: Redactor, answer: Said): string => inert(redact.text(wordsOf(answer)), LONGEST);

export const saidIn = ({ options }: ErsClient, exchange: Said): string =>
  said(redactor(options.target.credentials), exchange);
