import type { CellReport } from '../../lib/records/load/load.ts';
import type { EndedCell, LiveRun } from '../../reports/model/live.ts';
import { aCell } from './a-cell-report.ts';

function ended(
  operation: string,
  word: string,
  own: Partial<CellReport>,
  [p50Ms, p99Ms]: readonly (number | null)[],
): EndedCell {
  const cell = aCell();
  const serviceTime = { ...cell.serviceTime, p50Ms: p50Ms ?? null, p99Ms: p99Ms ?? null };
  const reason = own.verdict === 'met' ? '' : '12 of 2 500 transactions failed: 503';
  return { name: `60k ${operation}`, word, reason, report: { ...cell, dropped: 0, failed: 0, ...own, serviceTime } };
}

/** A run that is in the middle of everything at once: checks, a cell, cells that ended, and what was learned. */
export const A_LIVE_RUN: LiveRun = {
  ...{ command: 'verify', runId: '20261126-020000-abcd', target: 'https://policy.example.com:9060' },
  ...{ doing: 'phase 2 of 4: 60k clear-by-mac', left: 'about 2 min 5 s left in all' },
  checks: {
    ...{ done: 1200, planned: 1814, share: 0.61 },
    counts: { pass: 1100, fail: 12, warn: 3, info: 80, blocked: 4, 'not-testable': 1 },
    inWork: [
      { family: 'sgt', check: 'survey/filters', sequences: '12 of 150 sequences' },
      { family: 'hotspotportal', check: 'list/complete' },
    ],
    causes: [
      {
        id: 'FOP-EQ records: filter name',
        title: 'GET /ers/config/sgt?filter=name.EQ.<b>x</b> shows records that do not match',
        families: ['sgt', 'sxpvpns'],
        results: ['a', 'b', 'c'],
      },
    ],
  },
  cell: {
    ...{ name: '60k clear-by-mac', targetPerSecond: 250, connections: 40, seconds: 17 },
    course: [1, 2, 3, 4].map((second) => ({
      ...{ second, startedPerSecond: 250 - second, dropped: second, failed: 0 },
      ...{ inFlight: 3, p50Ms: 4.2, p99Ms: second === 1 ? null : 20 + second },
    })),
  },
  cells: [
    ended('apply-by-mac', 'passed', { verdict: 'met', achievedPerSecond: 250 }, [3.1, 9]),
    ended('apply-by-ip', 'failed', { verdict: 'violated', achievedPerSecond: 201.4, dropped: 40, failed: 12 }, [
      30,
      null,
    ]),
  ],
  told: ['the target takes 40 connections: the load uses 40'],
};
