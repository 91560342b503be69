import * as z from 'zod';
import { onOff, shownValue, unitOf } from './option-values.ts';

/** How an option is given to a command, and what `--help` and the docs say about it. */
export interface Given {
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
        time: unitOf(inner) !== undefined,
        shown: (shown: unknown) => shownValue(unitOf(inner), shown),
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
