import * as z from 'zod';
import { DURATION, durationMs, durationText } from './text.ts';

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

/** Unit of each time. */
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

export const text = () =>
  z.string({ error: 'expected a text' }).min(1, { error: 'nothing is given: is a variable not set?' });

/** Several values; one text may hold them joined by commas, unless `commas` is false. */
export function list<Item extends z.ZodType>(item: Item, { commas = true }: { commas?: boolean } = {}) {
  const parts = (value: unknown): unknown[] =>
    typeof value === 'string' && commas && value.trim() !== ''
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
function shownValue(unit: 's' | 'ms' | undefined, value: unknown): string {
  if (unit !== undefined && typeof value === 'number') return value === 0 ? '0' : durationText(value * UNIT[unit]);
  return Array.isArray(value) ? value.join(',') : String(value);
}

/** How an option is given to a command, and what `--help` and the docs say about it. */
interface Given {
  /** Flag as it is typed: `--rate <n>`, or `--no-retry` for what is on by default. Its name is the key in the configuration file. */
  readonly flag: string;
  readonly text: string;
  readonly env?: string;
  /** Default in words, where it depends on something else. */
  readonly otherwise?: string;
  /** The value is a path; a configuration file gives it relative to its own folder. */
  readonly path?: true;
  /** Holds for one call only, so it has no place in a configuration file. */
  readonly once?: true;
  /** Where it is explained if not in `--help`: by `--help-all` alone, on the page of options alone, or nowhere. */
  readonly help?: 'all' | 'docs' | 'none';
}

const GIVEN = z.registry<Given>();

/** Adds an option to a schema, which holds its bounds and default: its flag, what `--help` says of it, and the rest of `Given`. */
export function option<Schema extends z.ZodType>(
  flag: string,
  text: string,
  schema: Schema,
  more: Omit<Given, 'flag' | 'text'> = {},
): Schema {
  GIVEN.add(schema, { flag, text, ...more });
  return schema;
}

export const flag = (name: string, text: string, more: Omit<Given, 'flag' | 'text'> = {}) =>
  option(name, text, onOff().default(false), more);

export interface Option {
  readonly key: string;
  /** Key in the configuration file: the flag without its dashes, and without `no-`. */
  readonly name: string;
  readonly given: Given;
  readonly schema: z.ZodType;
  readonly default: unknown;
  readonly list: boolean;
  readonly onOff: boolean;
  readonly time: boolean;
  /** A value as text, as it would be typed. */
  readonly shown: (value: unknown) => string;
}

function innermost(schema: z.ZodType): { readonly inner: z.ZodType; readonly default: unknown } {
  if (schema instanceof z.ZodDefault)
    return { inner: innermost(schema.unwrap() as z.ZodType).inner, default: schema.def.defaultValue };
  if (schema instanceof z.ZodOptional) return innermost(schema.unwrap() as z.ZodType);
  if (schema instanceof z.ZodPipe) return innermost(schema.out as z.ZodType);
  return { inner: schema, default: undefined };
}

/** The options of a schema, in its order; members that are no options are left out. */
export const optionsOf = (schema: z.ZodObject): readonly Option[] =>
  Object.entries(schema.shape).flatMap(([key, member]): Option[] => {
    const given = GIVEN.get(member as z.ZodType);
    if (given === undefined) return [];
    const { inner, default: value } = innermost(member as z.ZodType);
    const name = /^--(?:no-)?([\w-]+)/.exec(given.flag)?.[1] ?? key;
    return [
      {
        ...{ key, name, given, schema: member as z.ZodType, default: value },
        list: inner instanceof z.ZodArray,
        onOff: inner instanceof z.ZodBoolean,
        time: TIMES.has(inner),
        shown: (shown: unknown) => shownValue(TIMES.get(inner), shown),
      },
    ];
  });

/** User names and passwords of URLs within a value, which no record may hold. */
const USER_INFO = /\/\/[^/@\s]+@/g;

/** Effective values by name, as records keep them; options without a value are left out. */
export function recordedOptions(
  schema: z.ZodObject,
  values: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const clean = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(clean);
    return typeof value === 'string' ? value.replaceAll(USER_INFO, '//…@') : value;
  };
  return Object.fromEntries(
    optionsOf(schema).flatMap(({ key, name, time, shown }) => {
      const value = values[key];
      return value === undefined ? [] : [[name, time ? shown(value) : clean(value)]];
    }),
  );
}

/** The options of a schema as a record holds them, without defaults: one that is missing or malformed is absent. */
export function readOptions<Schema extends z.ZodObject>(
  schema: Schema,
  recorded: Readonly<Record<string, unknown>>,
): Partial<z.output<Schema>> {
  const read = optionsOf(schema).flatMap(({ key, name, schema: member }) => {
    const value = recorded[name] === undefined ? undefined : member.safeParse(recorded[name]).data;
    return value === undefined ? [] : [[key, value]];
  });
  return Object.fromEntries(read) as Partial<z.output<Schema>>;
}
