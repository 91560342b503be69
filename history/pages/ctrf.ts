import { ctrfText, type Status } from '../../reports/render/ctrf.ts';
import type { History } from '../file/read.ts';
import { checkIds, checkState, type Night, nightsOf, type Selection } from '../model/nights.ts';
import type { State } from '../model/schema.ts';
import { flakesOf, looksOf } from '../model/strips.ts';

const LONGEST = 300;

const STATUS: Readonly<Record<State, Status>> = {
  pass: 'passed',
  fail: 'failed',
  flaky: 'failed',
  expected: 'skipped',
  open: 'other',
  none: 'skipped',
};

const share = (part: number, of: number) => (of === 0 ? 0 : Math.round((part / of) * 10_000) / 10_000);
const total = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0);
const mean = (values: readonly number[]) => share(total(values), values.length);

/** A check in the newest counted night that ran checks, with what all nights say of it. */
function testOf(nights: readonly Night[], newest: Night, checkId: string, flakyRate: number) {
  const looks = looksOf(nights, checkId);
  const count = (...states: readonly State[]) => looks.filter(({ state }) => states.includes(state)).length;
  const state = checkState(newest, checkId);
  return {
    name: checkId,
    status: STATUS[state],
    rawStatus: state,
    // A line of the history holds the length of the run, not that of each check.
    duration: 0,
    type: 'conformance',
    ...(state === 'flaky' ? { flaky: true } : {}),
    insights: {
      passRate: { current: share(count('pass'), looks.length) },
      failRate: { current: share(count('fail', 'expected', 'flaky'), looks.length) },
      flakyRate: { current: flakyRate },
      executedInRuns: looks.length,
    },
  };
}

/** `history --ctrf`: the newest night in the Common Test Report Format, with `insights` over all nights. */
export function renderHistoryCtrf({ lines }: History, selection: Selection): string {
  const { nights, target } = nightsOf(lines, selection);
  const counted = nights.filter(({ counts }) => counts);
  const newest = counted.findLast(({ line }) => line.families.length > 0) ?? counted.at(-1);
  const flakes = new Map(flakesOf(nights).map(({ checkId, rate }) => [checkId, share(rate, 1)]));
  const tests =
    newest === undefined
      ? []
      : checkIds([newest]).map((checkId) => testOf(nights, newest, checkId, flakes.get(checkId) ?? 0));
  const start = newest === undefined ? 0 : Date.parse(newest.line.at);
  const seconds = counted.map(({ line }) => line.seconds).sort((a, b) => a - b);
  const inMs = (value: number) => ({ current: Math.round(value * 1000) });
  const insights = {
    passRate: { current: share(counted.filter(({ line }) => line.exit === 0).length, counted.length) },
    failRate: { current: share(counted.filter(({ line }) => line.exit !== 0).length, counted.length) },
    flakyRate: { current: mean(tests.map((test) => test.insights.flakyRate.current)) },
    averageRunDuration: inMs(mean(seconds)),
    p95RunDuration: inMs(seconds[Math.max(0, Math.ceil(seconds.length * 0.95) - 1)] ?? 0),
    runsAnalyzed: counted.length,
  };
  const { at: timestamp, tool: version, run = null, seconds: lasted = 0 } = newest?.line ?? {};
  const stop = start + Math.round(lasted * 1000);
  return ctrfText({ timestamp, version, start, stop, extra: { target, run }, tests, insights }, LONGEST);
}
