import * as z from 'zod';
import { shownValue, unitOf } from './option-values.ts';

/** How an option is given to a command, and what `--help` and the docs say about it. */
export interface Given<Flag extends string = string> {
  /** Flag as it is typed: `--rate <n>`, or `--no-keep-alive` for an option that is on by default. Its name is the key in the configuration file. */
  readonly flag: Flag;
  readonly text: string;
  /** Environment variable that sets it. */
  readonly env?: string;
  /** Default in words, where it depends on something else. */
  readonly otherwise?: string;
  /** The value is a path; a configuration file gives it relative to its own folder. */
  readonly path?: true;
  /** Holds for one call only, so it has no place in a configuration file. */
  readonly once?: true;
  /** `--help` does not show it. */
  readonly hidden?: true;
}

const GIVEN = z.registry<Given>();

declare const FLAG: unique symbol;

/** A schema that says in its type which flag it is given by. */
interface Flagged<Flag extends string> {
  readonly [FLAG]: Flag;
}

/** Adds an option to a schema: the schema holds its bounds and default, `given` its flag and description. */
export function option<Schema extends z.ZodType, const Flag extends string>(
  given: Given<Flag>,
  schema: Schema,
): Schema & Flagged<Flag> {
  GIVEN.add(schema, given);
  return schema as Schema & Flagged<Flag>;
}

/** Name of a flag without its dashes, without `no-` and without its value. */
type NameOfFlag<Flag extends string> = Flag extends `${infer Word} <${string}`
  ? NameOfFlag<Word>
  : Flag extends `--no-${infer Name}`
    ? Name
    : Flag extends `--${infer Name}`
      ? Name
      : never;

/** Names under which the options of a schema are recorded. */
export type RecordedName<Spec extends z.ZodObject> =
  Spec extends z.ZodObject<infer Shape>
    ? { [Key in keyof Shape]: Shape[Key] extends Flagged<infer Flag> ? NameOfFlag<Flag> : never }[keyof Shape]
    : never;

/** One option of a schema. */
export interface Option {
  /** Member of the schema. */
  readonly key: string;
  /** Key in the configuration file: the flag without its dashes, and without `no-`. */
  readonly name: string;
  readonly given: Given;
  readonly schema: z.ZodType;
  /** Default of the schema; undefined where it has none. */
  readonly default: unknown;
  /** Takes several values. */
  readonly list: boolean;
  /** Is on or off, and takes no value. */
  readonly onOff: boolean;
  /** Is a time; records keep it with its unit. */
  readonly time: boolean;
  /** A value as text, as it would be typed. */
  readonly shown: (value: unknown) => string;
}

function innermost(schema: z.ZodType): { readonly inner: z.ZodType; readonly default: unknown } {
  if (schema instanceof z.ZodDefault) {
    return { inner: innermost(schema.unwrap() as z.ZodType).inner, default: schema.def.defaultValue };
  }
  if (schema instanceof z.ZodOptional) return innermost(schema.unwrap() as z.ZodType);
  if (schema instanceof z.ZodPipe) return innermost(schema.out as z.ZodType);
  return { inner: schema, default: undefined };
}

/** The options of a schema, in its order; members that are no options are left out. */
export function optionsOf(schema: z.ZodObject): readonly Option[] {
  return Object.entries(schema.shape).flatMap(([key, member]): Option[] => {
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
}

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
