import { describe, expect, it } from 'vitest';
import { environmentLayer, type Layer, resolveOptions } from '../../../../cli/options/resolve.ts';
import { LoadSpec } from '../../../../load/plan/spec.ts';

const layer = (values: Record<string, unknown>, from: string): Layer =>
  new Map(Object.entries(values).map(([name, value]) => [name, { value, from }]));

describe('effective options', () => {
  it('come from the flag, then the environment, then the default', () => {
    const env = environmentLayer(LoadSpec, { ERS_DEPTH: 'full', ERS_TIMEOUT: '5s', ERS_SEED: '' });
    const { options, effective } = resolveOptions(LoadSpec, [layer({ depth: 'normal' }, 'flag'), env]);
    expect([options.depth, options.timeoutMs, options.seed]).toEqual(['normal', 5000, 1]);
    const from = (name: string) => effective.find(({ option }) => option.name === name)?.from;
    expect([from('depth'), from('timeout'), from('seed')]).toEqual(['flag', 'environment ERS_TIMEOUT', 'default']);
  });

  it('are refused together, each with the place it came from', () => {
    const env = environmentLayer(LoadSpec, { ERS_DEPTH: 'slow', ERS_TIMEOUT: 'soon' });
    expect(() => resolveOptions(LoadSpec, [env])).toThrow(
      /depth \(environment ERS_DEPTH\): expected one of .*timeout \(environment ERS_TIMEOUT\): expected a time/,
    );
  });
});
