import { expect, it } from 'vitest';
import { failureLines } from '../../../../cli/output/failures.ts';
import type { ExchangeRecord } from '../../../../lib/records/conformance.ts';
import { aMixedReport, aMixedRun } from '../../../helpers/a-report.ts';
import { anExchange } from '../../../helpers/a-run.ts';

const plain = { red: String, green: String, gray: String } as unknown as Parameters<typeof failureLines>[2];
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
  ['a refused read of what the run made', { method: 'POST', status: 201 }, GONE, [false, true]],
  ['a refused create', {}, { method: 'POST', status: 400 }, [true, false]],
] as const)('%s is a command, if it shows the failure by itself', (_what, before, last, expected) => {
  expect(again(before, last)).toEqual(expected);
});
