import { describe, expect, it } from 'vitest';
import { clausesOf } from '../../../../conformance/plans/clauses.ts';
import { create, read, update } from '../../../../conformance/plans/make.ts';
import { proven } from '../../../../conformance/plans/narrowed.ts';
import type { Step } from '../../../../conformance/steps/step.ts';
import { aDifference } from '../../../helpers/histories.ts';

const difference = aDifference({ kind: 'value', operation: 'update', subject: 'record' });
const wordsOf = (steps: readonly Step[]) => clausesOf(steps, difference, []);
const has = (steps: readonly Step[], text: string) => JSON.stringify(steps).includes(text);

const STEPS: readonly Step[] = [create('a'), create('b'), update('a', { description: 'x|y', value: 9 }), read('a')];

/** Clauses that are proven, if the sequence shows what `shows` says; tried before are all but those that hold `fresh`. */
async function told(shows: (steps: readonly Step[], turn: number) => boolean, fresh = 'nothing') {
  let turn = 0;
  const isShown = async (steps: readonly Step[]) => {
    turn += 1;
    return shows(steps, turn);
  };
  const steps = await proven(STEPS, isShown, wordsOf, (some) => !has(some, fresh));
  return { clauses: steps && wordsOf(steps), turns: turn };
}

describe('the conditions of a difference', () => {
  it('stand if both sides come again', async () => {
    const { clauses, turns } = await told(
      (steps) => has(steps, '|') && has(steps, '"value":9') && has(steps, '"as":"b"'),
    );
    expect(clauses).toEqual(['there is another record', 'description holds "|"', 'value is 9']);
    expect(turns).toBeLessThanOrEqual(10);
  });

  it.each([3, 4, 5, 7])('are none if it shows each %i. time', async (times) => {
    expect((await told((_, turn) => turn % times === 0)).clauses).toBeUndefined();
  });

  it('are none if the whole sequence does not show it again', async () => {
    expect((await told(() => false)).clauses).toBeUndefined();
  });

  it('go if it shows without one that was not tried', async () => {
    const shows = (steps: readonly Step[]) => has(steps, '|');
    expect((await told(shows, '|')).clauses).toEqual(['description holds "|"']);
    expect((await told(shows)).clauses).toBeUndefined();
  });
});
