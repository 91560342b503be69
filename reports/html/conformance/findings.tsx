import { isExpected, knownMark, knownWords } from '../../../lib/judge/conformance/baseline/known.ts';
import { secondTryWords } from '../../../lib/judge/conformance/unproven.ts';
import { present } from '../../../lib/present.ts';
import {
  type ConformanceResult,
  type ExchangeRecord,
  observedText,
  witnessWords,
} from '../../../lib/records/conformance.ts';
import type { Report, ResultReport } from '../../../lib/records/report.ts';
import { counted, some } from '../../../lib/text.ts';
import { curlOf } from '../../model/command-line.ts';
import { type Finding, findingsOf } from '../../model/findings.ts';
import { Mark, Section } from '../page/parts.tsx';

/** Findings shown in full; the rest stand in the table of all results and in report.json. */
const SHOWN = 100;
/** Exchanges shown of one finding: its first ones and its last. */
const CHAIN = 8;

type Exchanges = ReadonlyMap<string, ExchangeRecord>;

function Difference({ difference }: { difference: NonNullable<ConformanceResult['difference']> }) {
  const list = (words: string, items: readonly string[]) => (
    <div>
      <h3>
        {words} ({items.length})
      </h3>
      <pre>{items.length === 0 ? 'none' : items.slice(0, 50).join('\n')}</pre>
    </div>
  );
  return (
    <div class="two">
      {list('Missing', difference.missing)}
      {list('Extra', difference.extra)}
    </div>
  );
}

const headerLines = (headers: ExchangeRecord['requestHeaders']): string =>
  headers.map(([name, value]) => `${name}: ${value}`).join('\n');

function ExchangeBlock({ exchange, step, of }: { exchange: ExchangeRecord; step: number; of: number }) {
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

function Chain({ evidence, exchanges }: { evidence: readonly string[]; exchanges: Exchanges }) {
  const found = evidence.flatMap((id) => exchanges.get(id) ?? []);
  if (found.length === 0) return <p class="small soft">No exchange was recorded for this result.</p>;
  const shown = found.length <= CHAIN ? found : [...found.slice(0, CHAIN - 1), ...found.slice(-1)];
  return (
    <>
      {shown.map((exchange) => (
        <ExchangeBlock exchange={exchange} step={found.indexOf(exchange) + 1} of={found.length} />
      ))}
      {shown.length < found.length && (
        <p class="small soft">{found.length - shown.length} steps between them are in records/exchanges.ndjson.</p>
      )}
    </>
  );
}

function Witness({ result }: { result: ConformanceResult }) {
  const [seen, { blockedBy }] = [witnessWords(result), result];
  const all = present(seen !== '' && `seen: ${seen}`, blockedBy && `blocked by ${blockedBy}`);
  return all.length === 0 ? null : <p class="small soft">{all.join(' · ')}</p>;
}

/** What trying the failure again showed, with its exchanges if they are others: a failure that comes again is shown once. */
function SecondTry({ result, exchanges }: { result: ResultReport; exchanges: Exchanges }) {
  const words = secondTryWords(result);
  if (words === undefined) return null;
  return (
    <>
      <p class={result.flaky === true ? 'stamp' : 'small'}>{words}</p>
      {result.flaky && result.retry && <Chain evidence={result.retry.evidence} exchanges={exchanges} />}
    </>
  );
}

const placeOf = ({ checkId, family, variant }: ResultReport, withCheck: boolean): string =>
  present(withCheck && checkId, family, variant).join(' ');

/** What a finding is called: what its results share with how far it reaches, or its check. */
function Heading({ finding: { result, shared, alike } }: { finding: Finding }) {
  const { title, checkId, family, variant } = result;
  const families = new Set([result, ...alike].map((one) => one.family)).size;
  return (
    <>
      <Mark verdict={result.verdict} /> <b>{shared?.title ?? title}</b>{' '}
      <span class="where">
        {shared === undefined
          ? `${checkId} · ${family}${variant === undefined ? '' : ` · ${variant}`}${alike.length === 0 ? '' : ` · and ${alike.length} alike`}`
          : `${counted(alike.length + 1, 'result')} in ${counted(families, 'family', 'families')} · ${shared.id}`}
        {result.flaky === true ? ' · flaky' : ''}
        {result.known === undefined ? '' : ` · ${knownMark(result.known)}`}
      </span>
    </>
  );
}

function FindingBlock({ finding, exchanges, open }: { finding: Finding; exchanges: Exchanges; open: boolean }) {
  const { result, requirement, alike, anchor } = finding;
  const { title, expected, reason, difference } = result;
  const observed = observedText(result);
  const { shared } = finding;
  const also = [...new Set(alike.map((other) => placeOf(other, shared !== undefined)))];
  return (
    <details class="card finding" id={anchor} open={open}>
      <summary>
        <Heading finding={finding} />
      </summary>
      {result.known && <p class="stamp">{knownWords(result.known)}</p>}
      {shared && (
        <p>
          {alike.length === 0 ? 'Found by ' : 'First example: '}
          {title}, <code>{placeOf(result, true)}</code>
        </p>
      )}
      <div class="req">
        <p>
          <b>{result.requirement}</b>{' '}
          <span class="soft">
            ({result.level}
            {requirement === undefined ? '' : `, section “${requirement.section}”`})
          </span>
        </p>
        <p>{requirement?.text ?? 'not in the catalogue of this run'}</p>
      </div>
      <div class="two">
        <div>
          <h3>Expected</h3>
          <pre>{expected ?? requirement?.text ?? title}</pre>
        </div>
        <div>
          <h3>Observed</h3>
          <pre>{observed ?? reason ?? 'nothing that decides it'}</pre>
        </div>
      </div>
      {observed !== undefined && reason && <p class="small">{reason}</p>}
      {difference && <Difference difference={difference} />}
      <Witness result={result} />
      {also.length > 0 && <p class="small">The same in: {some(also, 60)}</p>}
      <Chain evidence={result.evidence} exchanges={exchanges} />
      <SecondTry result={result} exchanges={exchanges} />
    </details>
  );
}

export function Findings({ report, exchanges }: { report: Report; exchanges: readonly ExchangeRecord[] }) {
  if (report.conformance === null) return null;
  const findings = findingsOf(report.conformance, report.catalogue);
  const byId = new Map(exchanges.map((exchange) => [exchange.id, exchange]));
  return (
    <Section
      id="findings"
      title={`Findings (${findings.length})`}
      lead={
        findings.length === 0
          ? 'No result failed, warned or stayed undecided.'
          : 'Worst first. Each cause appears once, with its first example. The table below has all results.'
      }
    >
      {findings.slice(0, SHOWN).map((finding, index) => (
        <FindingBlock
          finding={finding}
          exchanges={byId}
          open={index < 3 && finding.result.verdict === 'fail' && !isExpected(finding.result)}
        />
      ))}
      {findings.length > SHOWN && <p>{findings.length - SHOWN} more are in the table of all results.</p>}
    </Section>
  );
}
