import { judgeCell } from '../lib/judge/cell/judge-cell.ts';
import { judge } from '../lib/judge/judge.ts';
import type { Catalogue, RunEnd } from '../lib/records/run.ts';
import { RECORD_VERSION } from '../lib/records/run.ts';
import type { JudgedRun } from './run-subject.ts';

export interface ExitDeps {
  readonly catalogue: Catalogue;
  /** Kind and code of a fault, as a run records it. */
  readonly faultOf: (fault: unknown) => RunEnd['faults'][number];
}

const MOMENT = '2026-01-01T00:00:00.000Z';

/** Makes the judge of a run's exit code: the one that reports and the command line use, on records that never see a disk. */
export function exitJudge({ catalogue, faultOf }: ExitDeps): (run: JudgedRun) => number {
  return ({ seed, results, cleanup, faults }) => {
    const report = judge(
      {
        header: {
          recordVersion: RECORD_VERSION,
          runId: 'selftest',
          command: 'conformance',
          tool: { name: 'ers-harness', version: '0' },
          startedAt: MOMENT,
          seed,
          mode: 'full',
          target: { baseUrl: 'http://127.0.0.1', embedded: false, insecure: false },
          options: {},
          environment: {},
          specDigest: '',
        },
        catalogue,
        dialect: {},
        results,
        exchanges: [],
        journal: [],
        cells: [],
        end: { finishedAt: MOMENT, durationMs: 0, faults: faults.map(faultOf), requests: {}, cleanup },
        damage: [],
      },
      judgeCell,
    );
    return report.exit.code;
  };
}
