import { describe, expect, it } from 'vitest';
import { FAMILIES } from '../../../lib/contract/families.ts';
import { requirements } from '../../../lib/contract/requirements.ts';
import { lineId } from '../../../reference/defects/generated/line.ts';
import { dimensionOf, heldOutLines, MISTAKES, makeHeldOut } from '../../../reference/defects/held-out/space.ts';
import { isViolated } from '../../../selftest/defect-score.ts';
import { SPACES } from '../../../selftest/generated/spaces.ts';

const DIMENSIONS = ['history', 'values', 'relations', 'queries', 'who', 'links'];
const LINES = heldOutLines();

describe('the held-out defects', () => {
  it('are thousands, each with an id of its own, of six dimensions', () => {
    expect(LINES.length).toBeGreaterThan(1000);
    expect(new Set(LINES.map(lineId)).size).toBe(LINES.length);
    expect([...new Set(LINES.map(dimensionOf))].sort()).toEqual([...DIMENSIONS].sort());
    for (const { id, places } of MISTAKES) expect(places(FAMILIES).length, id).toBeGreaterThan(0);
  });

  it('violate requirements that there are', () => {
    const known = requirements().map(({ id }) => id);
    const broken = LINES.filter((line) =>
      makeHeldOut(line).defect.violates.some((pattern) => !known.some((id) => isViolated([pattern], id))),
    );
    expect(broken.map((line) => `${lineId(line)}: ${makeHeldOut(line).defect.violates}`)).toEqual([]);
  });

  it('are drawn evenly by dimension', () => {
    const drawn = SPACES['held-out'].sample(LINES, 300, 1).map(dimensionOf);
    for (const dimension of DIMENSIONS)
      expect(drawn.filter((each) => each === dimension).length, dimension).toBeGreaterThan(20);
    expect(SPACES['held-out'].sample(LINES, 50, 2)).toEqual(SPACES['held-out'].sample(LINES, 50, 2));
  });
});
