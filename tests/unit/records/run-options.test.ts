import { describe, expect, it } from 'vitest';
import { COMMAND_SPECS, ConformanceCommandSpec, LoadCommandSpec } from '../../../cli/options/specs.ts';
import { NEWEST_SET } from '../../../lib/contract/requirement-sets.ts';
import { optionsOf, readOptions, recordedOptions } from '../../../lib/option.ts';
import { PLAN_OPTIONS, RunOptions, runOptions } from '../../../lib/records/run-options.ts';

const RECORDED = Object.values(COMMAND_SPECS).flatMap((spec) => optionsOf(spec));

describe('the options that are read from the record of a run', () => {
  it('have one schema for the command that writes them and for the reader', () => {
    const taken = new Set(RECORDED.map(({ schema }) => schema));
    expect(optionsOf(RunOptions).filter(({ schema }) => !taken.has(schema))).toEqual([]);
  });

  it('are read by whoever knows the schema, as the command had them, with their units', () => {
    const given = { rampSeconds: '90s', lagLimitMs: '15ms', profiles: '60k' };
    const asked = LoadCommandSpec.parse(given);
    const written = JSON.parse(JSON.stringify(recordedOptions(LoadCommandSpec, asked)));
    expect(written).toMatchObject({ ramp: '90s', profile: ['60k'] });
    expect(readOptions(LoadCommandSpec, written)).toEqual(asked);
  });

  it('are read as they were given', () => {
    const given = { allowInconclusive: '7', strict: 'true', depth: 'deep', families: 'sgt,node', checks: 'list/' };
    const options = recordedOptions(ConformanceCommandSpec, ConformanceCommandSpec.parse(given));
    expect(runOptions({ options })).toEqual({
      ...{ allowInconclusive: 7, allowResidue: 0, strict: true, depth: 'deep' },
      ...{ families: ['sgt', 'node'], checks: ['list/'], requirements: NEWEST_SET },
      ...{ insecure: false, allowHttp: false },
    });
  });

  it('are absent if the record is not well-formed, one by one, and without a default', () => {
    const options = { 'allow-inconclusive': 'many', strict: 'maybe', depth: 3, family: [1], policy: 'Q' };
    expect(runOptions({ options })).toEqual({ policies: ['Q'] });
    expect(runOptions({ options: {} })).toEqual({});
  });
});

it('the options that make a run another plan are recorded by some command under that name', () => {
  const names = RECORDED.map(({ name }) => name);
  expect(PLAN_OPTIONS.filter((name) => !names.includes(name))).toEqual([]);
});
