import { counted } from '../../../lib/numbers.ts';
import type { ExchangeRecord } from '../../../lib/records/conformance.ts';
import { curlOf } from '../../model/curl.ts';

const headerLines = (headers: ExchangeRecord['requestHeaders']): string =>
  headers.map(([name, value]) => `${name}: ${value}`).join('\n');

/** One request and its answer, with a command that repeats it. */
export function ExchangeBlock({ exchange, step, of }: { exchange: ExchangeRecord; step: number; of: number }) {
  const { method, path, status, durationMs, bytes, fault, requestBody, responseBody } = exchange;
  const answer = status === 0 ? (fault ?? 'no answer') : String(status);
  return (
    <div class="ex">
      <p class="small">
        Step {step} of {of}: <code>{`${method} ${path}`}</code> → <b>{answer}</b>, {durationMs.toFixed(1)} ms,{' '}
        {counted(bytes, 'byte')}, {exchange.at}
      </p>
      <details>
        <summary>
          Request and answer of step {step}, <code>{exchange.id}</code>
        </summary>
        <h3>Request</h3>
        <pre>{`${method} ${path}\n${headerLines(exchange.requestHeaders)}${requestBody === undefined ? '' : `\n\n${requestBody}`}`}</pre>
        <h3>Answer</h3>
        <pre>{`${answer}\n${headerLines(exchange.responseHeaders)}\n\n${responseBody}`}</pre>
      </details>
      <h3>Repeat it (ERS_USERNAME and ERS_PASSWORD hold the login, ERS_BASE the base URL)</h3>
      <pre>{curlOf(exchange)}</pre>
    </div>
  );
}
