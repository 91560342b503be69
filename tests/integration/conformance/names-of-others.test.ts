import { expect, it } from 'vitest';
import type { Deviation } from '../../../reference/deviation.ts';
import { quickRun } from '../../helpers/reference-run.ts';

/** A deployment on which somebody named groups as any program may. */
const OTHERS: Deviation = {
  install: ({ seams }) => {
    for (const [at, name] of ['Null', 'true'].entries()) seams.store.create('sgt', { name, value: 600 + at });
    return {};
  },
};

it('no create bears a short name that somebody else has, in whatever case: a target may take one for the other', async () => {
  const checks = ['record/name-alike', 'record/created-is-listed'];
  const { results, journal } = await quickRun({ deviations: [OTHERS] }, { depth: 'normal', families: ['sgt'], checks });
  const alike = results.filter(({ checkId }) => checkId === 'record/name-alike');
  const verdicts = Object.fromEntries(alike.map(({ variant, verdict }) => [variant, verdict]));
  expect(verdicts).toEqual({ number: 'pass', 'led by zeros': 'pass', truth: 'not-testable', null: 'not-testable' });
  expect(journal.filter(({ name }) => name === 'null' || name === 'true')).toEqual([]);
});
