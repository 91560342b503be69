import * as z from 'zod';
import { DURATION, durationMs, durationText } from './numbers.ts';

/** Reads text as it is typed; a value that is no text is one already, in the unit of the option. */
const fromText = (read: (text: string) => unknown) => (value: unknown) =>
  typeof value === 'string' ? read(value.trim()) : value;

const numberOf = (pattern: RegExp) => fromText((text) => (pattern.test(text) ? Number(text) : text));

export function whole(low: number, high: number = Number.MAX_SAFE_INTEGER) {
  const error = `expected a whole number from ${low}${high === Number.MAX_SAFE_INTEGER ? '' : ` to ${high}`}`;
  return z.preprocess(numberOf(/^-?\d+$/), z.int({ error }).min(low, { error }).max(high, { error }));
}

/** A number above zero, up to `high`. */
export function above0(high: number = Number.MAX_VALUE) {
  const error = `expected a number above 0${high === Number.MAX_VALUE ? '' : `, up to ${high}`}`;
  return z.preprocess(numberOf(/^-?\d*\.?\d+$/), z.number({ error }).positive({ error }).max(high, { error }));
}

export function tenths(low: number, high: number) {
  const error = `expected a number from ${low} to ${high} with at most one decimal, such as 62.5`;
  const exact = (value: number) => Math.abs(value * 10 - Math.round(value * 10)) < 1e-6;
  const bounded = z.number({ error }).min(low, { error }).max(high, { error });
  return z.preprocess(numberOf(/^-?\d+(\.\d+)?$/), bounded.refine(exact, { error }));
}

const UNIT = { s: 1000, ms: 1 } as const;

const TIMES = new WeakMap<z.ZodType, 's' | 'ms'>();

/** A time such as 500ms, 20s, 5m or 1h, in `unit`; a bare number in text is seconds. `none` takes 0 too; `whole` wants whole numbers. */
export function time(unit: 's' | 'ms', bounds: { high?: number; none?: true; whole?: true } = {}) {
  const { high = Number.MAX_SAFE_INTEGER } = bounds;
  const most = high === Number.MAX_SAFE_INTEGER ? '' : `, at most ${durationText(high * UNIT[unit])}`;
  const error = `expected a time such as ${bounds.none ? '0, ' : ''}20s, 5m or 1h${bounds.whole && unit === 's' ? ' in whole seconds' : ''}${most}`;
  const read = (text: string) => {
    const ms = durationMs(text);
    // No clock of a run waits for a part of a millisecond.
    return ms === undefined ? text : Math.ceil(ms) / UNIT[unit];
  };
  const low = (value: number) => value > 0 || (bounds.none === true && value === 0);
  const exact = (value: number) => bounds.whole !== true || Number.isInteger(value);
  const value = z
    .number({ error })
    .max(high, { error })
    .refine((given) => low(given) && exact(given), { error })
    .meta({ type: ['string', 'number'], pattern: DURATION.source });
  TIMES.set(value, unit);
  return z.preprocess(fromText(read), value);
}

export const choice = <const Name extends string>(names: readonly Name[]) =>
  z.enum(names, { error: `expected one of ${names.join(', ')}` });

export const text = () => z.string({ error: 'expected a text' }).min(1, { error: 'expected a text' });

/** Several values; one text may hold them joined by commas, unless `commas` is false. */
export function list<Item extends z.ZodType>(item: Item, { commas = true }: { commas?: boolean } = {}) {
  const parts = (value: unknown): unknown[] =>
    typeof value === 'string' && commas
      ? value
          .split(',')
          .map((part) => part.trim())
          .filter((part) => part !== '')
      : [value];
  return z.preprocess((value) => (Array.isArray(value) ? value : [value]).flatMap(parts), z.array(item));
}

const SWITCH: Readonly<Record<string, boolean>> = {
  true: true,
  '1': true,
  yes: true,
  false: false,
  '0': false,
  no: false,
};

export const onOff = () =>
  z.preprocess(
    fromText((value) => SWITCH[value.toLowerCase()] ?? value),
    z.boolean({ error: 'expected true or false' }),
  );

/** A value as text, as a configuration file would give it: times with their unit, lists joined by commas. */
export function shownValue(unit: 's' | 'ms' | undefined, value: unknown): string {
  if (unit !== undefined && typeof value === 'number') return value === 0 ? '0' : durationText(value * UNIT[unit]);
  return Array.isArray(value) ? value.join(',') : String(value);
}

/** Unit of a time; undefined for every other value. */
export const unitOf = (inner: z.ZodType): 's' | 'ms' | undefined => TIMES.get(inner);
