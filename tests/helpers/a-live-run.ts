import type { LiveRun } from '../../reports/model/live.ts';

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
    {
      ...{ name: '60k apply-by-mac', verdict: 'met', word: 'passed', achievedPerSecond: 250, p50Ms: 3.1, p99Ms: 9 },
      ...{ dropped: 0, failed: 0, reason: '' },
    },
    {
      ...{ name: '60k apply-by-ip', verdict: 'violated', word: 'failed' },
      ...{ achievedPerSecond: 201.4, p50Ms: 30, p99Ms: null },
      ...{ dropped: 40, failed: 12, reason: '12 of 2 500 transactions failed: 503' },
    },
  ],
  told: ['the target takes 40 connections: the load uses 40'],
};
