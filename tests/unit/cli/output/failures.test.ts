import { describe, expect, it } from 'vitest';
import { failureLines } from '../../../../cli/output/failures.ts';
import { leftFindings } from '../../../../cli/output/finding.ts';
import { asTyped, programName } from '../../../../cli/output/output.ts';
import type { ExchangeRecord } from '../../../../lib/records/conformance.ts';
import { runPrefix } from '../../../../lib/run-name.ts';
import { aMixedReport, aMixedRun } from '../../../helpers/a-report.ts';
import { anExchange } from '../../../helpers/a-run.ts';

const plain = { red: String, green: String, gray: String } as unknown as Parameters<typeof failureLines>[2];
const NAMED = `${runPrefix(aMixedRun().header.runId)}alpha`;
const GONE = { status: 500, path: '/ers/config/sgt/6f2b7a52-44a3-4a8e-9d0e-2e1e6a1f7a11' };

/** How a run whose failure rests on two exchanges shows how to see it again. */
function again(...two: [Partial<ExchangeRecord>, Partial<ExchangeRecord>]) {
  const exchanges = two.map((one, at) => anExchange({ id: `x${at + 1}`, operation: 'list', status: 200, ...one }));
  const report = aMixedReport(aMixedRun({ exchanges }));
  const { embedded: _, ...target } = report.run.target;
  const deployed = { ...report, run: { ...report.run, target: { ...target, embedded: false } } };
  const lines = failureLines(deployed, exchanges, plain);
  return [lines.some((line) => line.includes('curl -')), lines.some((line) => line.includes('report export'))];
}

it.each([
  ['a list of what is there', {}, {}, [true, false]],
  ['a refused list', {}, { status: 500 }, [true, false]],
  ['a list of what the run made', { method: 'POST', status: 201 }, {}, [false, true]],
  ['a list by the name of what the run made', {}, { path: `/ers/config/sgt?filter=name.EQ.${NAMED}` }, [false, true]],
  ['a refused read of what the run made', { method: 'POST', status: 201 }, GONE, [false, true]],
  ['a refused create', {}, { method: 'POST', status: 400 }, [true, false]],
] as const)('%s is a command, if it shows the failure by itself', (_what, before, last, expected) => {
  expect(again(before, last)).toEqual(expected);
});

it('says what a clean-up left, with exit 5, also what it left alone; nothing only if there is neither', () => {
  const one = { family: 'sgt', id: '7', command: 'curl' };
  const told = (...given: Parameters<typeof leftFindings>) =>
    leftFindings(...given).map(({ subject, found, exit }) => [subject, found, exit]);
  expect(told({ created: 1, removed: 1, residue: [] })).toEqual([['left on the target', 'nothing', 0]]);
  expect(told({ created: 1, removed: 0, residue: [one], leftAlone: [{ ...one, why: 'why' }] })).toEqual([
    ['left on the target', 'sgt 7', 5],
    ['may be of the run, left alone', 'sgt 7: why', 5],
  ]);
});

describe('the name of the program in a command that is printed', () => {
  it.each([
    ['/usr/local/bin/ers-harness', {}, 'ers-harness'],
    ['/root/.npm/_npx/1/node_modules/.bin/ers-harness', { npm_command: 'exec' }, 'npx ers-harness'],
    ['/work/a/node_modules/.bin/ers-harness', {}, 'npx ers-harness'],
    [`${process.cwd()}/dist/ers-harness.js`, { npm_command: 'exec' }, 'node dist/ers-harness.js'],
  ])('is how it was started: %s', (file, env, name) => {
    expect(programName(env, ['node', file])).toBe(name);
  });

  it('stands in place of the plain one, in commands alone', () => {
    const name = programName();
    expect(asTyped('next: ers-harness verify')).toBe(`next: ${name} verify`);
    expect(asTyped('`ers-harness config` shows ers-harness.yaml')).toBe(`\`${name} config\` shows ers-harness.yaml`);
    expect(asTyped('ers-harness verify')).toBe('ers-harness verify');
  });
});
