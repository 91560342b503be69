import { defined } from '../../defined.ts';
import type { ExchangeRecord } from '../../records/conformance.ts';
import { head } from '../../text.ts';
import type { Redactor } from '../redaction/redact.ts';
import type { Recordable } from '../types.ts';
import type { WireAnswer, WireRequest } from './transport.ts';

/** Characters of a body that a record keeps: 64 KiB. */
const RECORD_BODY_LIMIT = 64 * 1024;
/** Read beyond the limit, so that no secret is cut in two by it and so escapes. */
const MARGIN = 8 * 1024;

function shortened(text: string, redact: Redactor): string {
  if (text.length <= RECORD_BODY_LIMIT) return redact.text(text);
  const held = redact.text(head(text, RECORD_BODY_LIMIT + MARGIN));
  // The end of what was looked at may hold the first half of a secret: it never reaches the record.
  return held.slice(0, Math.min(RECORD_BODY_LIMIT, Math.max(0, held.length - MARGIN)));
}

export interface Captured {
  readonly id: string;
  readonly at: Date;
  readonly family: string;
  readonly operation: string;
  readonly request: WireRequest;
  readonly answer: WireAnswer | null;
  readonly durationMs: number;
  readonly fault?: string;
}

const LEAST_BYTES = 2048;

/** Hands on what was made. By itself: a function in `recordable` would keep the whole answer that stands there. */
const given =
  <T>(value: T) =>
  () =>
    value;

/** The exchange with its record, made when it is asked for, or at once where an answer is too long to be kept for that. */
export function recordable(captured: Captured, redact: Redactor): Recordable {
  const { id, answer } = captured;
  const { method, path, body = '' } = captured.request;
  const headers = (answer?.headers ?? []).reduce((sum, [name, value]) => sum + name.length + value.length, 0);
  const bytes =
    LEAST_BYTES + headers + path.length + body.length + Math.min(answer?.body.length ?? 0, RECORD_BODY_LIMIT);
  const isLong = answer !== null && answer.body.length > RECORD_BODY_LIMIT;
  const record = isLong ? given(exchangeRecord(captured, redact)) : () => exchangeRecord(captured, redact);
  return { id, method, bytes, record };
}

/** The record of an exchange: redacted as it is made, so that nothing secret is ever in one. */
function exchangeRecord(captured: Captured, redact: Redactor): ExchangeRecord {
  const { request, answer } = captured;
  const headers = (pairs: readonly (readonly [string, string])[]) =>
    pairs.map(([name, value]): [string, string] => [redact.text(name), redact.header(name, value)]);
  return {
    id: captured.id,
    at: captured.at.toISOString(),
    family: captured.family,
    operation: captured.operation,
    method: request.method,
    path: redact.text(request.path),
    requestHeaders: headers(Object.entries(request.headers)),
    ...defined({ requestBody: request.body === undefined ? undefined : shortened(request.body, redact) }),
    status: answer?.status ?? 0,
    responseHeaders: headers(answer?.headers ?? []),
    responseBody: answer === null ? '' : shortened(answer.body, redact),
    bytes: answer?.bytes ?? 0,
    durationMs: captured.durationMs,
    ...defined({ fault: captured.fault === undefined ? undefined : redact.text(captured.fault) }),
  };
}
