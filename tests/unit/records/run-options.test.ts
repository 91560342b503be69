import { describe, expect, it } from 'vitest';
import { COMMAND_SPECS, ConformanceCommandSpec, READ_FROM_RECORDS } from '../../../cli/options/specs.ts';
import { optionsOf, recordedOptions } from '../../../lib/option.ts';
import { runOptions } from '../../../lib/records/run-options.ts';

describe('the options that are read from the record of a run', () => {
  it('are recorded by some command under that name', () => {
    const recorded = new Set(Object.values(COMMAND_SPECS).flatMap((spec) => optionsOf(spec).map(({ name }) => name)));
    expect(READ_FROM_RECORDS.filter((name) => !recorded.has(name))).toEqual([]);
  });

  it('are read as they were given', () => {
    const given = { allowInconclusive: '7', strict: 'true', depth: 'deep', families: 'sgt,node', checks: 'list/' };
    const options = recordedOptions(ConformanceCommandSpec, ConformanceCommandSpec.parse(given));
    expect(runOptions({ options })).toMatchObject({
      'allow-inconclusive': 7,
      strict: true,
      depth: 'deep',
      family: ['sgt', 'node'],
      check: ['list/'],
    });
  });

  it('are absent if the record is not well-formed, one by one', () => {
    const options = { 'allow-inconclusive': 'many', strict: 'yes', depth: 3, family: [1], title: ['x'], policy: 'Q' };
    expect(Object.entries(runOptions({ options })).filter(([, value]) => value !== undefined)).toEqual([
      ['policy', 'Q'],
    ]);
  });
});
