import { shellQuoted } from '../../lib/curl.ts';
import { defined } from '../../lib/defined.ts';
import { causeSentence } from '../../lib/judge/conformance/failure-reasons.ts';
import { type ExchangeRecord, observedText, resultKey } from '../../lib/records/conformance.ts';
import type { Report } from '../../lib/records/report.ts';
import { oneLine, withoutIds } from '../../lib/text.ts';
import { curlOf } from './command-line.ts';

function requestText({ method, path, requestHeaders, requestBody }: ExchangeRecord): string {
  const headers = requestHeaders.filter(([name]) => /^(accept|content-type|ers-media-type|x-csrf-token)$/i.test(name));
  const all = [`${method} ${path}`, ...headers.map((header) => header.join(': ')), requestBody];
  return oneLine(all.filter((part) => part !== undefined).join(', '));
}

const answerText = ({ status, fault = 'nothing', responseBody }: ExchangeRecord) =>
  oneLine(`${status === 0 ? fault : status} ${responseBody}`);

/** True for a request that shows its failure by itself. `sent`: all that it rests on; what the run wrote for it is gone afterwards. */
function standsAlone({ method, path, status, operation }: ExchangeRecord, sent: readonly ExchangeRecord[]): boolean {
  // Taken this time, it would put a policy on an endpoint.
  if (operation === 'apply') return false;
  const hasWritten = sent.some((one) => one.method !== 'GET' && one.status >= 200 && one.status < 300);
  const isRefused = status === 0 || status >= 400;
  return isRefused ? !hasWritten || withoutIds(path) === path : method === 'GET' && !hasWritten;
}

/** The new failures of a run, one for each cause, the largest first. What a baseline expects is not among them. */
export function failuresShown(report: Report, exchanges: readonly ExchangeRecord[]) {
  const { conformance, run } = report;
  const byId = new Map(exchanges.map((exchange) => [exchange.id, exchange]));
  const { baseUrl, insecure, embedded } = run.target;
  const { ca } = run.options;
  const flags = [...(insecure ? ['-k'] : []), ...(typeof ca === 'string' ? [`--cacert ${shellQuoted(ca)}`] : [])];
  const place = { base: shellQuoted(baseUrl.replace(/\/+$/, '')), flags };
  return (conformance?.causes ?? [])
    .filter(({ expected }) => !expected)
    .map((cause) => {
      const result = conformance?.results.find((one) => resultKey(one) === cause.example?.result);
      const exchange = byId.get(cause.example?.exchange ?? '');
      const { expected, evidence = [] } = result ?? {};
      const observed = result && observedText(result);
      const sent = evidence.flatMap((id) => byId.get(id) ?? []);
      return {
        sentence: causeSentence(cause, conformance?.results ?? []),
        name: cause.id,
        check: resultKey(result ?? { checkId: cause.checks[0] ?? '', family: cause.families[0] ?? '' }),
        ...defined({
          expected: expected && oneLine(expected),
          observed: observed && oneLine(observed),
          sent: exchange && requestText(exchange),
          answered: exchange && answerText(exchange),
          curl: exchange && !embedded && standsAlone(exchange, sent) ? curlOf(exchange, place) : undefined,
        }),
      };
    });
}
