import { openEvidence } from '../../conformance/engine/evidence/evidence.ts';
import {
  type ConformanceDeps,
  type ConformanceOptions,
  type ConformanceRun,
  runConformance,
} from '../../conformance/engine/run.ts';
import { createClient } from '../../lib/client/http/create-client.ts';
import type { ClientOptions, EndpointPool } from '../../lib/client/types.ts';
import { type Clock, systemClock } from '../../lib/clock.ts';
import { FAMILIES } from '../../lib/contract/families.ts';
import { defined } from '../../lib/defined.ts';
import type { ConformanceResult, ExchangeRecord, JournalEntry } from '../../lib/records/conformance.ts';
import type { HistoryRecord } from '../../lib/records/histories.ts';

export interface RecordedRun extends ConformanceRun {
  readonly written: readonly ConformanceResult[];
  /** Those of them that failed. */
  readonly failed: readonly ConformanceResult[];
  readonly exchanges: readonly ExchangeRecord[];
  readonly journal: readonly JournalEntry[];
  readonly histories: readonly HistoryRecord[];
  readonly requests: Readonly<Record<string, number>>;
}

export interface RunAgainst {
  readonly baseUrl: string;
  readonly credentials?: ClientOptions['target']['credentials'];
  readonly pool?: EndpointPool;
  readonly policies?: readonly string[];
  readonly catalog?: ConformanceDeps['catalog'];
  readonly signal?: AbortSignal;
  readonly onJournal?: (entry: JournalEntry) => void;
  readonly onResult?: (result: ConformanceResult) => void;
  readonly onPhase?: (doing: string) => void;
  readonly onExchange?: (exchange: ExchangeRecord) => void;
}

/** Results that accuse the target, in few words. */
export const accused = (results: readonly ConformanceResult[]) =>
  results
    .filter(({ verdict }) => ['fail', 'warn', 'error'].includes(verdict))
    .map(({ checkId, family, observed, reason }) => [checkId, family, observed ?? reason]);

/** The wait for writes that take effect late: no deployment of these tests has any after so long. */
const LATE_MS = 5000;
function hastyClock(): Clock {
  let skippedMs = 0;
  return {
    ...systemClock,
    monotonicMs: () => systemClock.monotonicMs() + skippedMs,
    async sleep(ms, signal) {
      if (ms > LATE_MS) skippedMs += ms;
      await systemClock.sleep(ms > LATE_MS ? 0 : ms, signal);
    },
  };
}

/** Runs the conformance checks against a target, with everything that would go to disk kept in memory. */
export async function runAgainst(against: RunAgainst, options: ConformanceOptions): Promise<RecordedRun> {
  const written: ConformanceResult[] = [];
  const exchanges: ExchangeRecord[] = [];
  const journal: JournalEntry[] = [];
  const histories: HistoryRecord[] = [];
  const clock = hastyClock();
  const evidence = openEvidence((record) => exchanges.push(record));
  const client = createClient(
    {
      target: { baseUrl: against.baseUrl, credentials: against.credentials ?? null, timeoutMs: 5000, connections: 10 },
      mode: options.mode,
      runId: '20260101-000000-test',
      table: options.table ?? FAMILIES,
      onExchange: (sent) => {
        evidence.capture(sent);
        against.onExchange?.(sent.record());
      },
      onJournal: (entry) => {
        journal.push(entry);
        against.onJournal?.(entry);
      },
      ...defined({ pool: against.pool, policies: against.policies, signal: against.signal }),
    },
    { clock },
  );
  try {
    const run = await runConformance(options, {
      client,
      clock,
      evidence,
      writer: {
        result: (result) => written.push(result),
        dialect: () => undefined,
        history: (history) => histories.push(history),
      },
      ...defined({
        catalog: against.catalog,
        signal: against.signal,
        onResult: against.onResult,
        onPhase: against.onPhase,
      }),
    });
    const failed = written.filter(({ verdict }) => verdict === 'fail');
    return { ...run, written, failed, exchanges, journal, histories, requests: client.requests() };
  } finally {
    await client.close();
  }
}
