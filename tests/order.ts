import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Files that take long, the longest first: they begin before the others, so that no worker is left with one of them at the
 * end. A file that is missing here is only run later than it could be.
 */
const LONGEST = [
  'e2e/referee.test.ts',
  'mutants/selftest.test.ts',
  'integration/conformance/list-reference.test.ts',
  'integration/conformance/baseline-week.test.ts',
  'mutants/safety.test.ts',
  'e2e/capacity.test.ts',
  'e2e/background.test.ts',
  'integration/conformance/refused-operations.test.ts',
  'e2e/defects.test.ts',
  'integration/load/truth.test.ts',
  'e2e/crash.test.ts',
  'mutants/lesser-deployments.test.ts',
  'e2e/sweep.test.ts',
  'integration/load/k6/cell.test.ts',
  'e2e/secrets.test.ts',
  'e2e/hostile.test.ts',
  'e2e/evidence.test.ts',
  'e2e/segments.test.ts',
  'mutants/conformance/list-defects.test.ts',
  'mutants/generated.test.ts',
];

/** Starts the files that take longest first. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification) => {
      const at = LONGEST.indexOf(relative(import.meta.dirname, moduleId));
      return at === -1 ? LONGEST.length : at;
    };
    return (await super.sort(files)).sort((one, other) => place(one) - place(other));
  }
}
