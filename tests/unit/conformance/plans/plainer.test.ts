import { describe, expect, it } from 'vitest';
import { plainest } from '../../../../conformance/plans/random/plainer.ts';
import { PLAIN, type Step } from '../../../../conformance/steps/step.ts';

const create = (as: string, description: string): Step => ({
  ...{ step: 'create', as, name: { fresh: '%' }, set: { description, value: 9 }, form: 'xml' },
  carried: { ...PLAIN, csrf: true },
});
const list: Step = {
  step: 'look',
  look: {
    ...{ window: 'list', on: 'own', about: '#7', carried: { ...PLAIN, extra: true } },
    query: {
      criteria: [
        { field: 'name', operator: 'EQ', part: 'whole', of: '#3' },
        { field: 'value', operator: 'GT', part: 'zero' },
      ],
      ...{ join: 'or', sort: { field: 'name', descending: true }, size: 3, paging: 'number' },
    },
  },
  twice: true,
};
const STEPS: readonly Step[] = [
  { step: 'together', steps: [create('record 1', 'a'), create('record 2', 'b')] },
  { step: 'delete', who: '#4', carried: PLAIN },
  list,
];

describe('a sequence that is made plain', () => {
  it('keeps what the difference needs and nothing else', async () => {
    const shows = async (steps: readonly Step[]) => {
      const text = JSON.stringify(steps);
      return text.includes('"description":"b"') && text.includes('"sort"');
    };
    expect(await plainest(STEPS, shows)).toEqual([
      { step: 'create', as: 'record 2', name: { fresh: '' }, set: { description: 'b' }, form: 'json', carried: PLAIN },
      {
        step: 'look',
        look: {
          ...{ window: 'list', on: 'own', about: '#0', carried: PLAIN },
          query: { criteria: [], sort: { field: 'name', descending: true }, paging: 'link' },
        },
      },
    ]);
  });

  it('stays as it is if it needs all of it', async () => {
    const whole = JSON.stringify(STEPS);
    expect(await plainest(STEPS, async (steps) => JSON.stringify(steps) === whole)).toEqual(STEPS);
  });
});
