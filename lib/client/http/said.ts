import { titleOf } from '../../said.ts';
import { inert } from '../../text.ts';
import { redactor } from '../redaction/redact.ts';
import type { ErsClient, Exchange } from '../types.ts';

const LONGEST = 160;

/** What an answer says, for people: its own words, short, on one line and without secrets; empty where it has none. */
export function saidIn({ options }: ErsClient, exchange: Exchange): string {
  const text = titleOf(exchange);
  return inert(redactor(options.target.credentials).text(text.replace(/\s+/g, ' ').trim()), LONGEST);
}
