import type { ProfileName } from '../../lib/contract/anc.ts';
import { defined } from '../../lib/defined.ts';
import { searchSentence } from '../../lib/judge/answer/search.ts';
import { judge } from '../../lib/judge/judge.ts';
import type { RunRecords } from '../../lib/records/folder/reader.ts';
import type { CellFacts, CellReport } from '../../lib/records/load/load.ts';
import type { Report } from '../../lib/records/report.ts';
import { aCell, aCellRecord, aLatency, someFacts } from './a-cell-report.ts';
import { aHeader, aRun, given } from './a-run.ts';

/** What the made target does with a rate: it holds up to its capacity; the generator can offer so much and no more. */
interface ATarget {
  readonly capacityPerSecond: number;
  readonly generatorPerSecond?: number;
  readonly serviceMs?: number;
}

function stepFacts(profile: string, number: number, rate: number, poolAllowsPerSecond?: number): CellFacts {
  const step = { number, purpose: 'search' as const, ...defined({ poolAllowsPerSecond }) };
  const facts = someFacts({ profile, step });
  return {
    ...facts,
    id: `step-${String(number).padStart(3, '0')}-${facts.id}`,
    startedAt: new Date(Date.UTC(2026, 0, 31, 2, 1, number)).toISOString(),
    plan: { ...facts.plan, targetPerSecond: rate, connections: 100, durationSeconds: 6, warmupSeconds: 1 },
  };
}

/** A judged step against that target; connections hold it back too. */
function judged(
  facts: CellFacts,
  { capacityPerSecond, generatorPerSecond = Infinity, serviceMs = 4 }: ATarget,
): CellReport {
  const { targetPerSecond: rate, connections } = facts.plan;
  const most = Math.min(capacityPerSecond, (connections * 1000) / serviceMs);
  const verdict = rate > generatorPerSecond ? 'invalid' : rate > most ? 'violated' : 'met';
  const cell = aCell({ facts, profile: facts.profile, verdict });
  if (verdict === 'met') {
    const near = 1 + 8 * (rate / most) ** 4;
    const responseTime = aLatency({ p50Ms: serviceMs * near, p99Ms: serviceMs * near * 4 });
    const serviceTime = aLatency({ meanServedMs: serviceMs, p50Ms: serviceMs });
    return { ...cell, achievedPerSecond: rate, serviceTime, responseTime };
  }
  const id = verdict === 'invalid' ? 'lag' : 'no-drops';
  const rule = { id, text: 'every arrival got a connection', measured: '174 dropped', limit: '0', holds: false };
  const queueMs = (connections * 1000) / most;
  return {
    ...{ ...cell, achievedPerSecond: most, inFlightMean: connections, dropped: 174 },
    ...{ reasons: [`${id} of ${rate}`], rules: [{ ...rule, effect: verdict }] },
    serviceTime: aLatency({ meanServedMs: queueMs, p50Ms: queueMs }),
    responseTime: aLatency({ p50Ms: queueMs, p99Ms: null, unserved: 312 }),
  };
}

/** Rates of the steps of each search. */
export interface ASearch extends ATarget {
  readonly profile: ProfileName;
  readonly rates: readonly number[];
  readonly poolAllowsPerSecond?: number;
}

/** Three searches: one that ends at the target, one at the generator, one at the highest rate allowed below the published one. */
export const SEARCHES: readonly ASearch[] = [
  { ...{ profile: '60k', capacityPerSecond: 1000, serviceMs: 40 }, rates: [250, 500, 1000, 2000, 1050, 1000, 1050] },
  { profile: '200k', capacityPerSecond: 9000, generatorPerSecond: 700, rates: [250, 500, 1000, 707, 500, 707] },
  { profile: '500k', capacityPerSecond: 180, rates: [250, 174, 182, 174, 182] },
];

export function aCapacityReport(searches: readonly ASearch[] = SEARCHES, more: Partial<RunRecords> = {}): Report {
  let number = 0;
  const steps = searches.flatMap(({ profile, rates, poolAllowsPerSecond }) =>
    rates.map((rate) => {
      number += 1;
      return stepFacts(profile, number, rate, poolAllowsPerSecond);
    }),
  );
  const profiles = searches.map(({ profile }) => profile);
  const header = aHeader({ command: 'capacity', options: given({ profiles, operations: ['apply-by-mac'] }) });
  const of = (name: string): ATarget => searches.find(({ profile }) => profile === name) ?? { capacityPerSecond: 0 };
  const run = aRun({ header, results: [], exchanges: [], cells: steps.map((facts) => aCellRecord(facts)), ...more });
  return judge(run, (facts) => judged(facts, of(facts.profile)));
}

/** A search of one profile with everything that can be measured: recovery, and what limits it. */
export function aMeasuredCapacity(): Report {
  const report = aCapacityReport(SEARCHES.slice(0, 1));
  const { capacity } = report;
  const [answer] = capacity?.answers ?? [];
  const [step] = capacity?.steps ?? [];
  if (capacity === undefined || answer === undefined || step === undefined) throw new Error('no search');
  const measured = {
    ...answer,
    confirmation: {
      ...{ ratePerSecond: 1000, seconds: 600, stalls: 0, unseenShare: 0.025, steppedDown: 0 },
      outcome: 'held' as const,
    },
    limiter: { kind: 'throughput' as const, stalls: 0, medianMs: null, longestMs: null },
    recovery: {
      ...{ cell: step.id, overPerSecond: 1200, overSeconds: 30, afterPerSecond: 700, limitMs: 140 },
      ...{ seconds: 4, watchedSeconds: 60, unserved: 0.16, valid: true },
    },
  };
  const said = searchSentence(measured, capacity.steps, false);
  return { ...report, capacity: { ...capacity, answers: [{ ...measured, said }] } };
}
