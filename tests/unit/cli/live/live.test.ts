import { afterEach, describe, expect, it } from 'vitest';
import { withLoad } from '../../../../cli/live/live.ts';
import { hasScreen } from '../../../../cli/session/browser.ts';
import { protectOutgoing } from '../../../../lib/outgoing.ts';
import type { LoadProgress } from '../../../../load/run/prepared-pool.ts';
import { liveParts, renderLivePage } from '../../../../reports/html/live/page.tsx';
import { aCell } from '../../../helpers/a-cell-report.ts';
import { A_LIVE_RUN } from '../../../helpers/a-live-run.ts';

const begun = { ...A_LIVE_RUN, cell: undefined, cells: [], told: [] };
const cell = { targetPerSecond: 250, connections: 30 } as Extract<LoadProgress, { kind: 'second' }>['cell'];
const progress = (second: number) => ({
  ...{ second, startedPerSecond: 250, dropped: 0, failed: 0 },
  ...{ inFlight: 1, p50Ms: 1, p99Ms: 2 },
});

afterEach(() => protectOutgoing((text) => text));

describe('what the live page knows of a load', () => {
  it('stays small over hours', () => {
    let run = withLoad(begun, { kind: 'cell-start', cell, index: 0, of: 1, attempt: 1 });
    for (let second = 1; second <= 5000; second += 1) {
      run = withLoad(run, { kind: 'second', cell, progress: progress(second) });
      run = withLoad(run, { kind: 'told', text: `line ${second}` });
    }
    const long = aCell({ verdict: 'violated', reasons: ['x'.repeat(100_000)] });
    for (let ended = 0; ended < 500; ended += 1)
      run = withLoad(run, { kind: 'cell-end', cell, index: 0, of: 1, report: long }, { name: 'a', seconds: 1 });
    expect(Buffer.byteLength(renderLivePage(liveParts(run), run))).toBeLessThan(100_000);
  });

  it('holds no login that a target echoes', () => {
    protectOutgoing((text) => text.replaceAll('hunter22', '(secret)'));
    const run = withLoad(begun, { kind: 'told', text: 'the target says hunter22' });
    expect(run.told).toEqual(['the target says (secret)']);
  });
});

it('a browser is opened where somebody sits before a screen, and nowhere else', () => {
  expect(hasScreen({ DISPLAY: ':0' }, true)).toBe(true);
  expect(hasScreen({ BROWSER: 'firefox' }, true)).toBe(true);
  expect(hasScreen({ DISPLAY: ':0', CI: 'true' }, true)).toBe(false);
  expect(hasScreen({ DISPLAY: ':0' }, false)).toBe(false);
  if (process.platform === 'linux') expect(hasScreen({}, true)).toBe(false);
});
