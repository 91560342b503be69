import { describe, expect, it } from 'vitest';
import { courseOf } from '../../../cli/output/load-progress.ts';
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
