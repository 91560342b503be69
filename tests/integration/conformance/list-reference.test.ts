import { expect, it } from 'vitest';
import { listChecks } from '../../../conformance/checks/list/checks.ts';
import { LIST_VARIATIONS, VARIATIONS } from '../../../reference/variations/table.ts';
import { accused } from '../../helpers/conformance-run.ts';
import { runOnReference } from '../../helpers/reference-run.ts';
import { oneIn, TAKES_ALL } from '../../helpers/sample.ts';

/** Every fourth form that is about lists; all of them with ERS_TEST_DEFECTS=all, as in the selftest. */
const FORMS = TAKES_ALL ? VARIATIONS : oneIn(4, LIST_VARIATIONS);

const ASKED = TAKES_ALL
  ? ({ families: ['sgt'], depth: 'normal' } as const)
  : ({ families: ['portaltheme'], depth: 'quick' } as const);

it.concurrent.each(FORMS)('list checks on the embedded deployment accuse nobody for $id ($title)', async ({ id }) => {
  const options = { mode: 'own-data', seed: 2, ...ASKED } as const;
  const { results } = await runOnReference({ sessions: 100, variations: [id] }, options, listChecks);
  expect(accused(results)).toEqual([]);
});
