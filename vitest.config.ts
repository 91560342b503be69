import { defineConfig } from 'vitest/config';
import { LongestFirst } from './tests/order.ts';

const project = (name: string, extra: object = {}) => ({
  extends: true as const,
  test: { name, include: [`tests/${name}/**/*.test.{ts,tsx}`], ...extra },
});

/** Kinds of tests that bear company. */
const TOGETHER = ['unit', 'property', 'golden', 'integration', 'mutants', 'browser'];

export default defineConfig({
  test: {
    globalSetup: 'tests/temporary-folder.ts',
    // Of the tests that say they may run side by side: while one waits, another works.
    maxConcurrency: 3,
    sequence: { sequencer: LongestFirst },
    projects: [
      // Files of a worker share their modules: loading them anew for each file, or each kind, took a fifth of the time.
      project('together', {
        isolate: false,
        testTimeout: 300_000,
        hookTimeout: 120_000,
        include: [...TOGETHER.map((kind) => `tests/${kind}/**/*.test.{ts,tsx}`), 'tests/e2e/*.test.ts'],
      }),
      // These judge rates and times: nothing may run beside them.
      project('e2e/measured', { isolate: false, testTimeout: 300_000, hookTimeout: 120_000, fileParallelism: false }),
      // Not in `npm test`: these install packages from a registry.
      project('package', { testTimeout: 300_000, hookTimeout: 300_000, fileParallelism: false }),
      project('ci', { testTimeout: 300_000, hookTimeout: 300_000, fileParallelism: false }),
      // Not in `npm test`: it wants parts that nobody has at hand.
      project('cluster', { globalSetup: [], testTimeout: 600_000, hookTimeout: 300_000, fileParallelism: false }),
    ],
    coverage: {
      provider: 'v8',
      include: ['lib/**', 'reference/**', 'conformance/**', 'load/**', 'reports/**'],
      reporter: ['text-summary', 'json-summary'],
    },
  },
});
