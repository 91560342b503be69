import { describe, expect, it } from 'vitest';
import { requirements } from '../../../lib/contract/requirements.ts';
import { DEFECTS } from '../../../reference/defects/table.ts';
import { isViolated } from '../../../reference/selftest/defect-score.ts';
import { VARIATIONS } from '../../../reference/variations/table.ts';
import { serve } from './ask.ts';
import { tour } from './tour.ts';

const clean = serve().then(async (served) => {
  const lines = await tour(served);
  await served.close();
  return lines;
});

/** True if a deployment answers somewhere on the tour otherwise than one without deviations; it ends there. */
async function isOther(options: Parameters<typeof serve>[0]): Promise<boolean> {
  const [plain, served] = [await clean, await serve(options)];
  const different = new Error('different');
  const unlike = (line: string, at: number) => {
    if (line !== plain[at]) throw different;
  };
  try {
    return (await tour(served, unlike)).length !== plain.length;
  } catch (fault) {
    if (fault !== different) throw fault;
    return true;
  } finally {
    await served.close();
  }
}

describe('a reference deployment with a deviation', () => {
  it('without any behaves the same twice', async () => {
    expect(await isOther({})).toBe(false);
  });

  it.each(VARIATIONS.map(({ id, title }) => [id, title]))('%s behaves otherwise: %s', async (id) => {
    expect(await isOther({ variations: [id ?? ''] })).toBe(true);
  });
});

it('the tables of deviations name requirements that the catalogue has', () => {
  const known = requirements().map(({ id }) => id);
  for (const { id, violates } of DEFECTS)
    for (const name of violates)
      expect(
        known.some((one) => isViolated([name], one)),
        `${id} ${name}`,
      ).toBe(true);
});
