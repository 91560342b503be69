import { shellQuoted } from '../../lib/curl.ts';
import { defined } from '../../lib/defined.ts';
import { groupBy } from '../../lib/group-by.ts';
import { causeSentence } from '../../lib/judge/answer/conformance.ts';
import { isExpected } from '../../lib/judge/conformance/baseline/known.ts';
import type { Cause } from '../../lib/records/answer.ts';
import { type ExchangeRecord, observedText, resultKey } from '../../lib/records/conformance.ts';
import type { Report, ResultReport } from '../../lib/records/report.ts';
import type { Catalogue } from '../../lib/records/run.ts';
import type { Verdict } from '../../lib/records/vocabulary.ts';
import { runPrefix } from '../../lib/run-name.ts';
import { oneLine, withoutIds } from '../../lib/text.ts';
import { curlOf } from './command-line.ts';

type Shared = Pick<Cause, 'id' | 'title'>;

/** Results that a reader has to look at, with the requirement they are about. */
export interface Finding {
  readonly anchor: string;
  readonly result: ResultReport;
  readonly requirement: Catalogue['requirements'][number] | undefined;
  /** What results of several checks share: their probable cause, or the check that they rest on. `result` is the example. */
  readonly shared: Shared | undefined;
  /** Further results that share it, or of the same check with the same verdict. */
  readonly alike: readonly ResultReport[];
}

const WORST_FIRST: readonly Verdict[] = ['fail', 'error', 'inconclusive', 'blocked', 'warn'];

function sharedBy(result: ResultReport, causes: ReadonlyMap<string, Cause>): Shared | undefined {
  if (result.verdict === 'fail') return causes.get(resultKey(result));
  const [first] = result.verdict === 'blocked' ? (result.blockedBy?.split('|') ?? []) : [];
  return first === undefined ? undefined : { id: first, title: `waits for ${first} to hold` };
}

function groupOf(result: ResultReport, shared: Shared | undefined): string {
  const { verdict, checkId, expected, observed, onlyIf, reason, requirement, known, flaky } = result;
  if (shared !== undefined) return JSON.stringify([verdict, shared.id, known?.outcome]);
  if (verdict === 'inconclusive' || verdict === 'blocked') return JSON.stringify([verdict, checkId, known?.outcome]);
  return JSON.stringify([verdict, checkId, requirement, expected, observed, onlyIf, reason, known, flaky]);
}

/** Everything that is neither proven good nor merely recorded, worst first, what was expected last; each cause once. */
export function findingsOf(
  { results, causes }: { readonly results: readonly ResultReport[]; readonly causes: readonly Cause[] },
  catalogue: Catalogue,
): readonly Finding[] {
  const requirements = new Map(catalogue.requirements.map((requirement) => [requirement.id, requirement]));
  const causeOf = new Map(causes.flatMap((cause) => cause.results.map((key) => [key, cause] as const)));
  const open = results
    .filter(({ verdict }) => WORST_FIRST.includes(verdict))
    .map((result) => ({ result, shared: sharedBy(result, causeOf) }));
  const place = (result: ResultReport) =>
    WORST_FIRST.indexOf(result.verdict) + (isExpected(result) ? WORST_FIRST.length : 0);
  const ordered = [...groupBy(open, ({ result, shared }) => groupOf(result, shared)).values()].flatMap((group) => {
    // A failure that passed when it was tried again is the poorer example.
    const [first, ...alike] = [...group].sort(
      (a, b) => Number(a.result.flaky ?? false) - Number(b.result.flaky ?? false),
    );
    return first === undefined ? [] : [{ ...first, alike: alike.map(({ result }) => result) }];
  });
  return ordered
    .sort(
      (a, b) =>
        place(a.result) - place(b.result) ||
        (b.shared === undefined ? 0 : b.alike.length) - (a.shared === undefined ? 0 : a.alike.length) ||
        a.result.requirement.localeCompare(b.result.requirement, 'en'),
    )
    .map(({ result, shared, alike }, index) => ({
      anchor: `finding-${index + 1}`,
      ...{ result, shared, alike },
      requirement: requirements.get(result.requirement),
    }));
}

function requestText({ method, path, requestHeaders, requestBody }: ExchangeRecord): string {
  const headers = requestHeaders.filter(([name]) => /^(accept|content-type|ers-media-type|x-csrf-token)$/i.test(name));
  const all = [`${method} ${path}`, ...headers.map((header) => header.join(': ')), requestBody];
  return oneLine(all.filter((part) => part !== undefined).join(', '));
}

const answerText = ({ status, fault = 'nothing', responseBody }: ExchangeRecord) =>
  oneLine(`${status === 0 ? fault : status} ${responseBody}`);

/** True for a request that shows its failure by itself. `sent`: all that it rests on; what the run wrote for it, and `named`, is gone afterwards. */
function standsAlone(
  { method, path, status, operation }: ExchangeRecord,
  sent: readonly ExchangeRecord[],
  named: boolean,
): boolean {
  // Taken this time, it would put a policy on an endpoint.
  if (operation === 'apply') return false;
  const hasWritten = sent.some((one) => one.method !== 'GET' && one.status >= 200 && one.status < 300);
  const isRefused = status === 0 || status >= 400;
  return isRefused ? !hasWritten || withoutIds(path) === path : method === 'GET' && !hasWritten && !named;
}

/** The new failures of a run, one for each cause, the largest first. What a baseline expects is not among them. */
export function failuresShown(report: Report, exchanges: readonly ExchangeRecord[]) {
  const { conformance, run } = report;
  const byId = new Map(exchanges.map((exchange) => [exchange.id, exchange]));
  const { baseUrl, insecure, embedded } = run.target;
  const { ca } = run.options;
  const prefix = runPrefix(run.runId);
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
      const isNamed = [exchange?.path, expected, observed].some((text) => text?.includes(prefix));
      return {
        sentence: causeSentence(cause, conformance?.results ?? []),
        name: cause.id,
        check: resultKey(result ?? { checkId: cause.checks[0] ?? '', family: cause.families[0] ?? '' }),
        ...defined({
          expected: expected && oneLine(expected),
          observed: observed && oneLine(observed),
          sent: exchange && requestText(exchange),
          answered: exchange && answerText(exchange),
          curl: exchange && !embedded && standsAlone(exchange, sent, isNamed) ? curlOf(exchange, place) : undefined,
        }),
      };
    });
}
