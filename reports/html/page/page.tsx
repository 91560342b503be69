import type { Child } from 'hono/jsx';
import { fingerprintWords, leftAsFound, residueKinds } from '../../../lib/judge/left-as-found.ts';
import { present } from '../../../lib/present.ts';
import { statementText } from '../../../lib/records/answer.ts';
import type { ExchangeRecord } from '../../../lib/records/conformance.ts';
import { FILES } from '../../../lib/records/folder/files.ts';
import type { Report } from '../../../lib/records/report.ts';

import { leftOf } from '../../../lib/records/run.ts';
import { count, inert } from '../../../lib/text.ts';

import { reproduceCommand } from '../../model/command-line.ts';
import { Findings } from '../conformance/findings.tsx';
import { Causes, Coverage, NotTested, Pairs } from '../conformance/gaps.tsx';
import { BaselineTable, DialectTable, FamilyTable, ResultsTable } from '../conformance/tables.tsx';
import { Capacity } from '../load/capacity.tsx';
import { Load } from '../load/load.tsx';
import { Banner, RunFacts } from './banner.tsx';
import { Lines, Section, Sprite, Table } from './parts.tsx';
import { pageText } from './shell.tsx';

/** The page's only script: filters the table of all results, and opens what a link points into. The page reads without it. */
const SCRIPT = `
(function(){
var root=document.documentElement;root.classList.add('js');
var text=document.getElementById('f-text'),verdict=document.getElementById('f-verdict'),family=document.getElementById('f-family'),shown=document.getElementById('f-count');
var rows=[].slice.call(document.querySelectorAll('#all-results tbody tr'));
function apply(){
 var words=text.value.toLowerCase().split(/\\s+/).filter(Boolean),n=0;
 rows.forEach(function(row){
  var open=!verdict.value||verdict.value.split(' ').indexOf(row.dataset.v)>=0;
  open=open&&(!family.value||row.dataset.f===family.value);
  if(open&&words.length){var all=row.textContent.toLowerCase();open=words.every(function(w){return all.indexOf(w)>=0})}
  row.hidden=!open;if(open)n++;
 });
 shown.textContent=n+' of '+rows.length+' results shown';
}
function fromHash(){
 var hash=decodeURIComponent(location.hash.slice(1)),at=hash.match(/^results=([a-z -]*)(?:@([\\w-]*))?$/);
 if(at&&text){verdict.value=at[1]||'';family.value=at[2]||'';apply();var all=document.getElementById('all-results');all.open=true;all.scrollIntoView();return}
 var there=hash&&document.getElementById(hash);
 for(var up=there;up;up=up.parentElement)if(up.tagName==='DETAILS')up.open=true;
 if(there)there.scrollIntoView();
}
if(text){[text,verdict,family].forEach(function(f){f.addEventListener('input',apply)});apply()}
addEventListener('hashchange',fromHash);if(location.hash)fromHash();
addEventListener('beforeprint',function(){[].forEach.call(document.querySelectorAll('details.finding'),function(d){d.open=true})});
})();
`;

const OF_CHECKS: readonly string[] = [
  'Passed means really tested: a filter check must have seen a match and a non-match, and a negative check needs a positive control.',
  'The level of a requirement caps its verdict: a stated requirement can fail, an implied one can only warn, gaps and advice are only recorded.',
];

const OF_LOAD: readonly string[] = [
  'Load is an open model: arrivals keep their rate whether or not earlier ones were answered. Response time counts from the intended start; an arrival that never got a connection ranks above every served one.',
  'Percentiles are never averaged. Invalid means that the generator or the run was at fault; it says nothing about the target.',
  'A success status of apply or clear proves that the service accepted the request. Read-back proves that it lists the endpoint accordingly. Neither proves that the network enforces it on the switch or the access point.',
];

const DECLARED = 'Sessions and nodes of a deployment size are declared by the operator and not verified.';

function Method({ report }: { report: Report }) {
  const { target } = report.run;
  const isChecked = report.conformance !== null;
  const isLoaded = report.load !== null || report.capacity !== undefined;
  const files = present(isChecked && FILES.results, FILES.exchanges, isLoaded && `${FILES.cells}/`);
  const lines = [
    ...(isChecked ? OF_CHECKS : []),
    ...(isLoaded ? OF_LOAD : []),
    ...(isLoaded && !target.embedded ? [DECLARED] : []),
  ];
  return (
    <Section id="method" title="Method, and what it does not prove">
      <Lines lines={lines} />
      <h3>Run it again</h3>
      <pre>{reproduceCommand(report)}</pre>
      <p class="small soft">
        Credentials come from ERS_USERNAME and ERS_PASSWORD, or the file that ERS_CREDENTIALS_FILE names. Every figure
        of this page is made from the records {report.redaction === undefined ? 'beside it' : 'of the run'} (
        {files.join(', ')}): make it again with <code>npx ers-harness report render</code> and{' '}
        {report.redaction === undefined ? 'this' : 'its'} folder; the target is not touched.
      </p>
    </Section>
  );
}

type Left = Pick<Report['cleanup']['residue'][number], 'family' | 'id' | 'name' | 'command'> & {
  why?: string | undefined;
};

/** More rows than this would hide the results behind them. */
const SHOWN_OPEN = 5;

function LeftTable({ caption, left }: { caption: string; left: readonly Left[] }) {
  if (left.length === 0) return null;
  const why = left.some((record) => record.why !== undefined);
  return (
    <details class="card" open={left.length <= SHOWN_OPEN}>
      <summary>
        {caption} ({count(leftOf(left))})
      </summary>
      <Table
        rows={left.slice(0, 500)}
        tone={() => 'bad'}
        columns={[
          ['Family', ({ family }) => family, 'row'],
          ['Id', ({ id }) => <code>{id}</code>],
          ['Name', ({ name }) => name ?? ''],
          ...(why ? [['Reason', (record: Left) => record.why ?? ''] as const] : []),
          ['Command', ({ command }) => <code>{command}</code>],
        ]}
      />
    </details>
  );
}

function Cleanup({ report }: { report: Report }) {
  const { created, removed, residue, leftAlone, fingerprint, source } = report.cleanup;
  const kinds = residueKinds(residue);
  const { proven, words } = leftAsFound(report.cleanup);
  return (
    <Section
      id="cleanup"
      title={[
        'Left as found: ',
        <span class={residue.length > 0 ? 't-bad' : proven ? 't-good' : 't-open'}>{words}</span>,
      ]}
    >
      <p class="proof">
        <span>created {count(created)}</span>
        <span>removed {count(removed)}</span>
        {kinds.length === 0 && <span>left 0</span>}
        {kinds.map(({ label, number }) => (
          <span>
            {label} {count(number)}
          </span>
        ))}
        <span>foreign records: {fingerprintWords({ fingerprint, residue })}</span>
        {source === 'journal' && <span>counted from the journal</span>}
      </p>
      {kinds.map(({ label, records }) => (
        <LeftTable caption={`${label}, with the command for it`} left={records} />
      ))}
      <LeftTable caption="May be of the run, left alone; the command reads them" left={leftAlone ?? []} />
    </Section>
  );
}

type Part = (given: { report: Report; exchanges: readonly ExchangeRecord[] }) => Child;

/** The parts of the page in their order, with their words in the menu; a part of which this run has nothing is null. */
const PARTS: readonly (readonly [anchor: string, words: string, Part])[] = [
  ['load', 'Load', Load],
  ['capacity', 'Capacity', Capacity],
  ['causes', 'Causes', Causes],
  ['baseline', 'Expected failures', BaselineTable],
  ['families', 'Results', FamilyTable],
  ['pairs', 'Pairs of conditions', Pairs],
  ['findings', 'Findings', Findings],
  ['not-testable', 'Not tested', NotTested],
  ['coverage', 'Coverage', Coverage],
  ['dialect', 'Dialect', DialectTable],
  ['results', 'All results', ResultsTable],
  ['cleanup', 'Cleanup', Cleanup],
  ['method', 'Method', Method],
  ['run', 'The run', RunFacts],
];

/** Longest body or value that the page shows; the records hold more. */
const BODY_LIMIT = 4_000;

/** `index.html`: one file, without network, readable without JavaScript. */
export function renderHtml(judged: Report, recorded: readonly ExchangeRecord[]): string {
  const named = new Set(
    judged.conformance?.results.flatMap(({ evidence, retry }) => [...evidence, ...(retry?.evidence ?? [])]),
  );
  const report = inert(judged, BODY_LIMIT);
  const exchanges = inert(
    recorded.filter(({ id }) => named.has(id)),
    BODY_LIMIT,
  );
  const { run, answer, exit } = report;
  const parts = PARTS.map(([anchor, words, part]) => ({ anchor, words, shown: part({ report, exchanges }) }));
  const there = parts.filter(({ shown }) => shown !== null);
  return pageText({
    title: `${statementText(answer.sentence)} · ${run.runId}`,
    script: SCRIPT,
    top: (
      <>
        <Sprite />
        <Banner report={report} />
        <nav class="page" aria-label="Parts of the report">
          <Lines class="in" lines={there.map(({ anchor, words }) => <a href={`#${anchor}`}>{words}</a>)} />
        </nav>
      </>
    ),
    footer: `${run.tool.name} ${run.tool.version} · run ${run.runId} · exit ${exit.code} · this page loads nothing and sends nothing`,
    children: there.map(({ shown }) => shown),
  });
}
