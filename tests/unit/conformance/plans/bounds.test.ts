import { describe, expect, it } from 'vitest';
import { type Threshold, thresholdWords } from '../../../../conformance/kit/threshold.ts';
import { boundsOf, pinned } from '../../../../conformance/plans/bounds.ts';
import { clausesOf } from '../../../../conformance/plans/clauses.ts';
import { create, read, update } from '../../../../conformance/plans/make.ts';
import type { Step, StepOf } from '../../../../conformance/steps/step.ts';
import { FAMILIES } from '../../../../lib/contract/families.ts';
import { aDifference } from '../../../helpers/histories.ts';

const { sgt } = FAMILIES;
const known = (fields: object, former = {}) =>
  ({ family: 'sgt', id: '1', isLive: true, fields, former, last: {} }) as never;
const made = new Map([['a', known({ name: `cfm12345${'z'.repeat(70)}`, value: 7 }, { value: [9, 40_000] })]]);

type Write = StepOf<'create'> | StepOf<'update'>;
const sent = (steps: readonly Step[]) => Object.assign({}, ...steps.map((step) => (step as Write).set));

async function bounds(
  steps: readonly Step[],
  shows: (steps: readonly Step[]) => boolean,
  taken: readonly number[] = [],
) {
  const isTaken = async (_: string, number: number) => taken.includes(number);
  const found = await boundsOf(sgt, steps, made, async (some) => shows(some), isTaken);
  return [...found].map(([member, bound]) => `${member} ${bound && thresholdWords(bound)}`);
}

describe('from which size on what a sequence sends matters', () => {
  it('is told of texts, numbers and lists', async () => {
    const set = { description: 'l'.repeat(4096), value: 50_000, defaultSGACLs: [{}, {}, {}, {}] };
    const shows = (steps: readonly Step[]) => {
      const { description, value, defaultSGACLs } = sent(steps);
      return description.length > 255 && value > 32_767 && defaultSGACLs.length > 2;
    };
    expect(await bounds([create('a', set), read('a')], shows)).toEqual([
      'description at least 256',
      'value at least 32768',
      'defaultSGACLs at least 3',
    ]);
  });

  it('is told of the whole name', async () => {
    const shows = ([step]: readonly Step[]) => (step as { name: { fresh: string } }).name.fresh.length + 8 > 64;
    expect(await bounds([create('a', {}, { fresh: 'z'.repeat(70) })], shows)).toEqual(['name at least 65']);
  });

  it('is not told of a number that does not matter, and of one that others have next to it', async () => {
    const steps = [create('a', { value: 50_000 })];
    expect(await bounds(steps, () => true)).toEqual(['value undefined']);
    expect(await bounds(steps, (some) => sent(some).value > 10_000, [2, 3])).toEqual(['value at least 10001']);
    expect(await bounds(steps, (some) => sent(some).value > 10_000, [2, 3, 4, 5])).toEqual(['value undefined']);
  });

  it('stands in the clause', () => {
    const difference = aDifference({ kind: 'value', operation: 'update', subject: 'member description' });
    const steps = [create('a', { value: 9 }), update('a', { description: 'l'.repeat(300) }), read('a')];
    const told = (bound: Readonly<Record<string, Threshold | undefined>>) =>
      clausesOf(steps, difference, [], new Map(Object.entries(bound)));
    const words = ['description is at least 256 characters long'];
    expect(told({ description: { shows: 256, not: 255 }, value: undefined })).toEqual(words);
    expect(told({ value: { shows: 9, not: 65_519 } })).toEqual(['value is less than 65519']);
  });
});

describe('numbers that nobody asked for', () => {
  it('are those that the records were first given', () => {
    expect(pinned(sgt, [create('a', { description: 'x' }), create('b'), update('a')], made)).toEqual([
      create('a', { value: 40_000, description: 'x' }),
      create('b'),
      update('a'),
    ]);
  });

  it('leave those alone that somebody asked for', () => {
    const steps = [create('a', { value: 255 })];
    expect(pinned(sgt, steps, made)).toEqual(steps);
  });
});
