import { describe, expect, it } from 'vitest';
import { FAMILIES } from '../../../lib/contract/families.ts';
import { requirements } from '../../../lib/contract/requirements.ts';
import type { Defect } from '../../../reference/defects/defect.ts';
import { type Line, lineId } from '../../../reference/defects/generated/line.ts';
import { DIMENSIONS } from '../../../reference/defects/held-out/mistake.ts';
import { dimensionOf, heldOutLines, MISTAKES, makeHeldOut } from '../../../reference/defects/held-out/space.ts';
import { isViolated } from '../../../selftest/defect-score.ts';
import { SPACES } from '../../../selftest/generated/spaces.ts';
import { STORIES } from '../../helpers/held-out/stories.ts';
import { talkTo } from '../../helpers/held-out/talk.ts';

const LINES = heldOutLines();
const AT_ONCE = 24;

/** True where the story of the mistake is answered otherwise by the second deployment than by a sound one. */
async function isSeen(line: Line, defect?: Defect): Promise<boolean> {
  const [sound, spoiled] = [talkTo(), talkTo(defect)];
  const story = STORIES[line.operator];
  if (story === undefined) throw new Error(`no story for ${line.operator}`);
  await Promise.all([story(sound, line.place), story(spoiled, line.place)]);
  return sound.answers.some((answer, index) => spoiled.answers[index] !== answer);
}

/** One line of each mistake and each of its levels, whatever the family; all with ERS_TEST_OPERATORS=all. */
function someLines(): readonly Line[] {
  if (process.env['ERS_TEST_OPERATORS'] === 'all') return LINES;
  const seen = new Set<string>();
  return LINES.filter(({ operator, place: { family: _family, ...parts } }) => {
    const fresh = Object.entries(parts).filter(([part, value]) => !seen.has(`${operator} ${part} ${value}`));
    for (const [part, value] of fresh) seen.add(`${operator} ${part} ${value}`);
    return fresh.length > 0;
  });
}

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

  it('are told by sequences that two sound deployments answer alike', async () => {
    for (const { id } of MISTAKES) {
      const line = LINES.findLast(({ operator }) => operator === id);
      expect(line !== undefined && (await isSeen(line)), id).toBe(false);
    }
  });

  it('each change an answer to a hand-made sequence of requests', async () => {
    const lines = [...someLines()];
    const same: string[] = [];
    const work = async () => {
      for (let line = lines.pop(); line !== undefined; line = lines.pop())
        if (!(await isSeen(line, makeHeldOut(line).defect))) same.push(lineId(line));
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    expect(same.sort()).toEqual([]);
  }, 600_000);
});
