import { expect, it } from 'vitest';
import { listChecks } from '../../../conformance/checks/list/checks.ts';
import { DEFECTS } from '../../../reference/defects/table.ts';
import { isViolated } from '../../../reference/selftest/defect-score.ts';
import { LIST_VARIATIONS, VARIATIONS } from '../../../reference/variations/table.ts';
import { accused } from '../../helpers/conformance-run.ts';
import { quickRun } from '../../helpers/reference-run.ts';
import { oneIn, TAKES_ALL } from '../../helpers/sample.ts';

/** The pairs find these: signs in operands, and pages that overlap. */
const OF_PAIRS = ['M37', 'M38', 'M43'];
const LIST_DEFECTS = DEFECTS.filter(({ id }) => id >= 'M27' && id <= 'M49' && !OF_PAIRS.includes(id));

it.concurrent.each(oneIn(12, LIST_DEFECTS))(
  'list checks find $id ($title) for its own requirement, and accuse nothing else',
  async ({ id, violates }) => {
    const families = [TAKES_ALL ? 'sgt' : 'portaltheme'];
    const { results } = await quickRun({ defects: [id] }, { families, visibilityMs: 3000 }, listChecks);
    const wrong = results.filter(({ verdict }) => verdict === 'fail' || verdict === 'warn');
    const broken = [...new Set(wrong.map(({ requirement }) => requirement))];
    const right = broken.filter((each) => isViolated(violates, each));
    expect(results.filter(({ verdict }) => verdict === 'error')).toEqual([]);
    expect(results.some(({ verdict, requirement }) => verdict === 'fail' && right.includes(requirement))).toBe(true);
    expect(broken.filter((each) => !right.includes(each))).toEqual([]);
  },
);

/** Every eighth form that is about lists: the oracle meets each. All of them with ERS_TEST_DEFECTS=all, as in the selftest. */
const FORMS = TAKES_ALL ? VARIATIONS : oneIn(8, LIST_VARIATIONS);

const ASKED = TAKES_ALL ? ({ families: ['sgt'], depth: 'normal' } as const) : { families: ['portaltheme'] };

it.concurrent.each(FORMS)('list checks on the embedded deployment accuse nobody for $id ($title)', async ({ id }) => {
  const { results } = await quickRun({ variations: [id] }, { seed: 2, visibilityMs: 3000, ...ASKED }, listChecks);
  expect(accused(results)).toEqual([]);
});
