import { defineConfig } from 'vitest/config';

/** One project per kind of test, so that each can be run alone and in its own pool. */
const project = (name: string, extra: object = {}) => ({
  extends: true as const,
  test: { name, include: [`tests/${name}/**/*.test.{ts,tsx}`], ...extra },
});

export default defineConfig({
  test: {
    testTimeout: 20_000,
    hookTimeout: 30_000,
    projects: [
      project('unit'),
      project('property', { testTimeout: 120_000 }),
      project('golden'),
      project('integration', { testTimeout: 60_000, hookTimeout: 60_000 }),
      project('mutants', { testTimeout: 300_000, hookTimeout: 60_000 }),
      project('e2e', { testTimeout: 300_000, hookTimeout: 120_000, fileParallelism: false }),
      project('browser', { testTimeout: 120_000, hookTimeout: 120_000, fileParallelism: false }),
    ],
    coverage: {
      provider: 'v8',
      include: ['lib/**', 'reference/**', 'conformance/**', 'load/**', 'reports/**', 'selftest/**'],
      reporter: ['text-summary', 'json-summary'],
    },
  },
});
