import { describe, expect, it } from 'vitest';
import { courseOf } from '../../../cli/output/load-progress.ts';
import { leftWords, restOf } from '../../../cli/output/progress.ts';
import { conformancePlan } from '../../../cli/stages/conformance.ts';
import type { AncOperationName } from '../../../lib/contract/anc.ts';
import { loadPhases, phasesText } from '../../../load/plan/phases.ts';
import { aPlan } from '../../helpers/a-load-context.ts';

const phases = [
  { name: 'search', seconds: 100, requests: 10_000 },
  { name: 'confirm', seconds: 300, requests: 90_000 },
];

describe('where a run is', () => {
  let ms = 0;
  const course = () => {
    ms = 0;
    return courseOf(phases, () => ms, 100);
  };

  it('is told by phase, with what is left of the whole', () => {
    const made = course();
    expect([made.where(), made.left()]).toEqual(['phase 1 of 2: search', 'about 8 min left in all']);
    ms = 100_000;
    made.enter(1);
    expect([made.where(), made.left()]).toEqual(['phase 2 of 2: confirm', 'about 7 min left in all']);
  });

  it('follows the pace of what is done, and no pace before a tenth is done', () => {
    const made = course();
    ms = 40_000;
    expect(made.left()).toBe('about 8 min left in all');
    ms = 200_000;
    made.enter(1);
    expect(made.left()).toBe('about 13 min left in all');
  });

  it('is not said in a phase that takes longer than planned, unless what is left of that was measured', () => {
    const made = course();
    ms = 110_000;
    expect([made.left(), made.left(null), made.left(20)]).toEqual(['', '', 'about 8 min left in all']);
  });

  it('is known of what is measured as soon as its later half goes at the pace of the whole', () => {
    ms = 0;
    const rest = restOf(() => ms);
    const told = [0, 10, 400, 800, 1200, 1600, 2000].map((done, at) => {
      ms = (at + 1) * 5000;
      return leftWords(rest(done, 4000 - done));
    });
    // A slow start says nothing of the rest.
    expect(told).toEqual(['', '', '', '', '', '', 'about 25 s left']);
  });
});

describe('what a plan takes', () => {
  it('is one screen of a plan of checks, with what is not run and about how many requests the rest takes', () => {
    const lines = conformancePlan({ mode: 'read-only', seed: 1 }).describe(false).split('\n');
    expect(lines.length).toBeLessThan(25);
    expect(lines.slice(-2)).toEqual([
      expect.stringMatching(/^\d+ results not run: --mode full asks for them$/),
      expect.stringMatching(
        /^[\d\s]+ results, about [\d\s]+ requests: \d+ min at 100 a second; --json lists each result$/,
      ),
    ]);
  });

  it('is one line, with what each phase takes, and clears what no cell clears', () => {
    expect(phasesText(phases)).toBe(
      'about 7 min and 100\u202f000 requests: search 1 min 40 s (10\u202f000), confirm 5 min (90\u202f000)',
    );
    const namesOf = (...operations: AncOperationName[]) => loadPhases(aPlan({ operations })).map(({ name }) => name);
    expect(namesOf('apply-by-mac', 'clear-by-mac')).toEqual(['60k apply-by-mac', '60k clear-by-mac']);
    expect(namesOf('apply-by-mac')).toEqual(['60k apply-by-mac', 'clear']);
  });
});
