import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import {
  above0,
  choice,
  list,
  onOff,
  option,
  recordedOptions,
  tenths,
  text,
  time,
  whole,
} from '../../../lib/option.ts';

const said = (schema: z.ZodType, value: unknown): unknown => {
  const parsed = schema.safeParse(value);
  return parsed.success ? parsed.data : parsed.error.issues[0]?.message;
};

describe('values of options', () => {
  it('are read from text, and taken as they are in their own unit', () => {
    expect([said(time('ms'), '2s'), said(time('ms'), 2000), said(time('s'), '1.5m')]).toEqual([2000, 2000, 90]);
    expect([said(time('s'), '20'), said(whole(0), '7'), said(tenths(1, 5000), '62.5')]).toEqual([20, 7, 62.5]);
    expect([said(onOff(), 'true'), said(onOff(), '0'), said(onOff(), true)]).toEqual([true, false, true]);
    expect(said(list(text()), 'a, b')).toEqual(['a', 'b']);
    expect(said(list(text()), ['a', 'b,c'])).toEqual(['a', 'b', 'c']);
    expect(said(list(text(), { commas: false }), 'a,b')).toEqual(['a,b']);
  });

  it.each([
    [whole(1, 64), '65', 'expected a whole number from 1 to 64'],
    [whole(1), '1.5', 'expected a whole number from 1'],
    [whole(1), '', 'expected a whole number from 1'],
    [above0(100), '0', 'expected a number above 0, up to 100'],
    [tenths(1, 5000), '2.55', 'expected a number from 1 to 5000 with at most one decimal, such as 62.5'],
    [time('s', { high: 60 }), '2m', 'expected a time such as 20s, 5m or 1h, at most 1m'],
    [time('s', { whole: true }), '1500ms', 'expected a time such as 20s, 5m or 1h in whole seconds'],
    [time('s'), '0', 'expected a time such as 20s, 5m or 1h'],
    [time('s'), 'soon', 'expected a time such as 20s, 5m or 1h'],
    [choice(['quick', 'full']), 'slow', 'expected one of quick, full'],
    [onOff(), 'maybe', 'expected true or false'],
  ])('refuse what lies out of bounds, and say what is expected (%#)', (schema, value, message) => {
    expect(said(schema, value)).toBe(message);
  });
});

const schema = z.object({
  waitMs: option('--wait <time>', 'how long', time('ms').default(30_000)),
  keepAlive: option('--no-keep-alive', 'close', onOff().default(true)),
  outputs: option('--k6-out <output>', 'where to', list(text()).optional()),
  internal: z.string().optional(),
});

it('a schema of options is recorded by name, times with their unit, and no login of a URL', () => {
  const values = schema.parse({ waitMs: '5m', outputs: 'influxdb=http://user:secret@host/db' });
  const outputs = { 'k6-out': ['influxdb=http://…@host/db'] };
  expect(recordedOptions(schema, values)).toEqual({ wait: '5m', 'keep-alive': true, ...outputs });
});
