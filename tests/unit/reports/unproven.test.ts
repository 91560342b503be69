import { describe, expect, it } from 'vitest';
import type { ConformanceResult } from '../../../lib/records/conformance.ts';
import { judgedRun } from '../../helpers/a-report.ts';
import { aHeader, fullResults, given } from '../../helpers/a-run.ts';

const open: Partial<ConformanceResult> = { verdict: 'inconclusive', reason: 'no match was seen', covers: [] };

/** A run with some results open, and so many of them accepted by its operator. */
function run(places: readonly number[], allowInconclusive: number) {
  const results = fullResults().map(
    (result, index): ConformanceResult => (places.includes(index) ? { ...result, ...open } : result),
  );
  return judgedRun({ header: aHeader({ options: given({ allowInconclusive }) }), results });
}

describe('stated results that are not decided', () => {
  it('take exit 0 from the run unless the operator accepts as many', () => {
    expect(run([8], 0)).toMatchObject({ verdict: 'inconclusive', exit: { code: 4 }, conformance: { openStated: 1 } });
    expect(run([8], 1)).toMatchObject({ verdict: 'proven', exit: { code: 0 }, conformance: { openStated: 1 } });
  });

  it('say how many they are', () => {
    expect(
      run([8], 0)
        .exit.reasons.map(({ text }) => text)
        .join(),
    ).toContain('1 result that must hold is unclear');
  });
});
