import { defineConfig } from 'vitest/config';
import { LongestFirst } from './tests/order.ts';

/** One project per kind of test, so that each can be run alone and in its own pool. */
const project = (name: string, extra: object = {}) => ({
  extends: true as const,
  test: { name, include: [`tests/${name}/**/*.test.{ts,tsx}`], ...extra },
});

/** Files of a worker share their modules: loading them anew for each file took half of the time. */
const SHARED = { isolate: false };

export default defineConfig({
  test: {
    testTimeout: 20_000,
    // Of the tests that say they may run side by side: while one waits, another works.
    maxConcurrency: 3,
    hookTimeout: 30_000,
    sequence: { sequencer: LongestFirst },
    projects: [
      project('unit', SHARED),
      project('property', { ...SHARED, testTimeout: 120_000 }),
      project('golden', SHARED),
      project('integration', { ...SHARED, testTimeout: 60_000, hookTimeout: 60_000 }),
      project('mutants', { ...SHARED, testTimeout: 300_000, hookTimeout: 60_000 }),
      project('e2e', { ...SHARED, testTimeout: 300_000, hookTimeout: 120_000, include: ['tests/e2e/*.test.ts'] }),
      // These judge rates and times: nothing may run beside them.
      project('e2e/measured', { testTimeout: 300_000, hookTimeout: 120_000, fileParallelism: false }),
      // Not in `npm test`: these install packages from a registry.
      project('package', { testTimeout: 300_000, hookTimeout: 300_000, fileParallelism: false }),
      project('ci', { testTimeout: 300_000, hookTimeout: 300_000, fileParallelism: false }),
      // Not in `npm test`: it measures times, and wants parts that nobody has at hand.
      project('cluster', { testTimeout: 600_000, hookTimeout: 300_000, fileParallelism: false }),
      project('browser', { ...SHARED, testTimeout: 120_000, hookTimeout: 120_000 }),
    ],
    coverage: {
      provider: 'v8',
      include: ['lib/**', 'reference/**', 'conformance/**', 'load/**', 'reports/**', 'selftest/**'],
      reporter: ['text-summary', 'json-summary'],
    },
  },
});
