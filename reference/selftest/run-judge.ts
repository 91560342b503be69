import { judgeCell } from '../../lib/judge/cell/judge-cell.ts';
import { judge } from '../../lib/judge/judge.ts';
import type { Catalogue, RunEnd } from '../../lib/records/run.ts';
import { RECORD_VERSION } from '../../lib/records/run.ts';
import type { JudgedRun } from './run-subject.ts';

export interface JudgeDeps {
  readonly catalogue: Catalogue;
  /** Kind and code of a fault, as a run records it. */
  readonly faultOf: (fault: unknown) => RunEnd['faults'][number];
}

const MOMENT = '2026-01-01T00:00:00.000Z';

/** What the report of a run says, judged as the command line does: its exit code, and the cells that were exercised with a witness. */
export function judgedRun({ catalogue, faultOf }: JudgeDeps, { seed, mode, results, cleanup, faults }: JudgedRun) {
  const report = judge(
    {
      header: {
        ...{ recordVersion: RECORD_VERSION, runId: 'selftest', command: 'conformance', startedAt: MOMENT, seed, mode },
        tool: { name: 'ers-harness', version: '0' },
        target: { baseUrl: 'http://127.0.0.1', embedded: false, insecure: false },
        ...{ options: {}, environment: {}, specDigest: '' },
      },
      ...{ catalogue, dialect: {}, results, exchanges: [], journal: [], cells: [] },
      end: { finishedAt: MOMENT, durationMs: 0, faults: faults.map(faultOf), requests: {}, cleanup },
      damage: [],
    },
    judgeCell,
  );
  const coverage = report.conformance?.coverage;
  return {
    exit: report.exit.code,
    operations: coverage?.operations.exercised ?? 0,
    filters: coverage?.filterCells.exercised ?? 0,
  };
}
