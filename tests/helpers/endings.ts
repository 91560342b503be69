import { judge } from '../../lib/judge/judge.ts';
import type { RunRecords } from '../../lib/records/folder/reader.ts';
import type { CellFacts, CellReport } from '../../lib/records/load/load.ts';
import type { Report } from '../../lib/records/report.ts';
import { entry, failing, judged } from './a-baseline.ts';
import { aCell, aCellRecord, aLatency, someFacts } from './a-cell-report.ts';
import { judgedRun } from './a-report.ts';
import { aHeader, anEnd, aResult, aRun, fullResults, given } from './a-run.ts';

/** Figures that only invalid cells have: nothing may be built on them. */
export const INVALID_FIGURES = { perSecond: 211.7, p99Ms: 777.7 } as const;

const OPERATIONS = ['apply-by-mac', 'clear-by-mac', 'apply-by-ip'] as const;

function cellWith(facts: CellFacts, verdict: CellReport['verdict']): CellReport {
  const { id, profile, operation, attempt, plan } = facts;
  const cell = aCell({ facts, id, profile, operation, attempt, verdict, achievedPerSecond: plan.targetPerSecond });
  if (verdict === 'met') return cell;
  const lag = { id: 'lag', text: 'the generator starts arrivals on time', measured: '208.812 ms', limit: '10 ms' };
  const drops = { id: 'no-drops', text: 'every arrival got a connection', measured: '174 dropped', limit: '0' };
  const rule = { ...(verdict === 'invalid' ? lag : drops), holds: false, effect: verdict };
  const { perSecond, p99Ms } = INVALID_FIGURES;
  return {
    ...cell,
    dropped: 174,
    reasons: [`${rule.text}: ${rule.measured}, allowed is ${rule.limit}`],
    rules: [rule],
    achievedPerSecond: verdict === 'invalid' ? perSecond : 0.6 * plan.targetPerSecond,
    responseTime: aLatency({ p99Ms: verdict === 'invalid' ? p99Ms : null }),
  };
}

type Verdicts = Readonly<Record<string, CellReport['verdict']>>;
const MET: Verdicts = { 'apply-by-mac': 'met', 'clear-by-mac': 'met', 'apply-by-ip': 'met' };

/** A load of three operations, each with a verdict; none is a cell that was not run. */
function aLoad(verdicts: Verdicts, more: Partial<RunRecords> = {}): Report {
  const refusal = 'applying by the IP address 10.0.0.7 was answered 400 "Session lookup failure"';
  const cells = OPERATIONS.map((operation) => {
    const lacks = verdicts[operation] === undefined ? { notRun: refusal } : {};
    return aCellRecord({ ...someFacts({ operation }), id: `60k-${operation}-1`, operation, ...lacks });
  });
  const header = aHeader({ command: 'load', options: given({ profiles: ['60k'], operations: [...OPERATIONS] }) });
  return judge(aRun({ header, results: [], exchanges: [], cells, ...more }), (facts) =>
    cellWith(facts, verdicts[facts.operation] ?? 'met'),
  );
}

type Step = readonly [
  rate: number,
  verdict: CellReport['verdict'],
  purpose?: NonNullable<CellFacts['step']>['purpose'],
];

function aSearch(steps: readonly Step[], more: Partial<RunRecords> = {}): Report {
  const verdicts = new Map<string, CellReport['verdict']>();
  const cells = steps.map(([rate, verdict, purpose = 'search'], at) => {
    const base = someFacts();
    const id = `step-${String(at + 1).padStart(3, '0')}-60k-apply-by-mac-1`;
    verdicts.set(id, verdict);
    return aCellRecord({
      ...base,
      id,
      step: { number: at + 1, purpose },
      startedAt: new Date(Date.UTC(2026, 0, 31, 2, 1, at)).toISOString(),
      plan: { ...base.plan, targetPerSecond: rate, durationSeconds: purpose === 'confirm' ? 61 : 6, warmupSeconds: 1 },
    });
  });
  const header = aHeader({ command: 'capacity', options: given({ profiles: ['60k'], operations: ['apply-by-mac'] }) });
  return judge(aRun({ header, results: [], exchanges: [], cells, ...more }), (facts) =>
    cellWith(facts, verdicts.get(facts.id) ?? 'met'),
  );
}

const FOUND: readonly Step[] = [
  ...[250, 376, 376].map((rate) => [rate, 'met'] as const),
  ...[387, 387].map((rate) => [rate, 'violated'] as const),
];
const RECOVERY: readonly Step[] = [
  [376, 'invalid', 'recovery'],
  [188, 'met', 'recovery'],
];

const late = aResult({
  ...{ checkId: 'list/next', requirement: 'LST-NEXT', verdict: 'blocked' },
  reason: 'the deadline of the run had passed',
});
const residue = [{ family: 'alpha', id: '7', name: 'cfm-1', command: 'curl -X DELETE https://x/alpha/7' }];
const cleanup = { created: 8, removed: 7, residue };
const passes = { ...failing, verdict: 'pass' as const };

/** A report for every way in which a run ends. */
export const ENDINGS: Readonly<Record<string, () => Report>> = {
  met: () => aLoad(MET),
  'too slow': () => aLoad({ ...MET, 'clear-by-mac': 'violated' }),
  refused: () => aLoad({ 'apply-by-mac': 'met', 'clear-by-mac': 'met' }),
  invalid: () => aLoad({ ...MET, 'clear-by-mac': 'invalid' }),
  interrupted: () => aSearch(FOUND, { end: anEnd({ signal: 'SIGINT' }) }),
  'interrupted at the first step': () => aSearch(FOUND.slice(0, 1), { end: anEnd({ signal: 'SIGINT' }) }),
  'a load, interrupted': () => aLoad({ ...MET, 'clear-by-mac': 'invalid' }, { end: anEnd({ signal: 'SIGTERM' }) }),
  'out of time': () => judgedRun({ results: [...fullResults(), late] }),
  'not confirmed': () => aSearch([...FOUND, [376, 'invalid', 'confirm'], ...RECOVERY]),
  confirmed: () => aSearch([...FOUND, [376, 'met', 'confirm'], ...RECOVERY]),
  'confirmed lower': () => aSearch([...FOUND, [376, 'violated', 'confirm'], [300, 'met', 'confirm']]),
  'steps alone': () => aSearch(FOUND),
  'below the published rate': () =>
    aSearch([...[250, 125, 125, 250].map((rate): Step => [rate, rate < 250 ? 'met' : 'violated'])]),
  'the generator was the limit': () =>
    aSearch([...[250, 250, 500, 500].map((rate): Step => [rate, rate > 250 ? 'invalid' : 'met'])]),
  'nothing measured validly': () => aSearch([[250, 'invalid']]),
  'nothing new': () => judged([entry()]),
  'new failures': () => judged([entry()], [failing, { ...failing, checkId: 'list/other', requirement: 'OP-alpha-L' }]),
  mended: () => judged([entry()], [passes]),
  failed: () => judgedRun({ results: [...fullResults(), failing] }),
  'left something behind': () => judgedRun({ end: anEnd({ cleanup }) }),
  crashed: () =>
    judge(aRun({ end: anEnd({ faults: [{ kind: 'harness', code: 'unexpected', message: 'it broke' }] }) }), (facts) =>
      aCell({ facts }),
    ),
  killed: () => judgedRun({ end: null }),
  'a search, killed': () => aSearch(FOUND, { end: null }),
  unreachable: () =>
    judgedRun({
      results: [],
      end: anEnd({ faults: [{ kind: 'target', code: 'unreachable', message: 'nobody answers at https://x' }] }),
    }),
};
