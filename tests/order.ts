import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Files that take long, the longest first: they begin before the others, so that no worker is left with one of them at the end. Those
 * that compute take turns with those that wait for a load or a timer. A file that is missing here is only run later than it could be.
 */
const LONGEST = [
  ...['e2e/capacity.test.ts', 'integration/explore/explore.test.ts', 'e2e/as-printed.test.ts'],
  'e2e/hostile.test.ts',
  ...['mutants/selftest.test.ts', 'e2e/load-first-contact.test.ts', 'e2e/referee.test.ts'],
  ...['integration/conformance/refused-operations.test.ts'],
  ...['e2e/crash.test.ts', 'integration/conformance/sound-limits.test.ts'],
  ...['e2e/report-export.test.ts', 'integration/conformance/others.test.ts', 'e2e/sweep.test.ts'],
  'integration/conformance/reference.test.ts',
  ...['integration/conformance/few-records.test.ts', 'integration/load/cluster.test.ts'],
  ...['property/conformance/model-defects.test.ts', 'integration/client/safety/ownership.test.ts'],
  ...['integration/conformance/one-fault.test.ts', 'e2e/json-documents.test.ts'],
  ...['property/stats/compare-load.test.ts', 'integration/conformance/first-contact.test.ts'],
  ...['browser/reports/axe.test.ts', 'mutants/lesser-deployments.test.ts'],
  ...['integration/load/k6/cell.test.ts', 'integration/conformance/list-ways.test.ts'],
  'integration/conformance/moments.test.ts',
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
