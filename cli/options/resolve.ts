import type * as z from 'zod';
import { UsageError } from '../../lib/errors.ts';
import { type Option, optionsOf } from '../../lib/option.ts';

/** A value as somebody gave it, with the place it came from in words. */
export interface GivenValue {
  readonly value: unknown;
  readonly from: string;
  readonly inFile?: true;
}

export type Layer = ReadonlyMap<string, GivenValue>;

export interface Effective {
  readonly option: Option;
  readonly value: unknown;
  /** `flag`, `environment ERS_POLICY`, a line of the configuration file, or `default`. */
  readonly from: string;
  readonly inFile: boolean;
}

export interface Resolved<Schema extends z.ZodObject> {
  readonly options: z.output<Schema>;
  readonly effective: readonly Effective[];
}

/** What the environment sets; an empty variable sets nothing. */
export function environmentLayer(schema: z.ZodObject, env: Readonly<Record<string, string | undefined>>): Layer {
  return new Map(
    optionsOf(schema).flatMap(({ name, given }): [string, GivenValue][] => {
      const value = given.env === undefined ? undefined : env[given.env];
      return value === undefined || value === '' ? [] : [[name, { value, from: `environment ${given.env}` }]];
    }),
  );
}

/** The first layer that gives an option counts; then its default. Throws one `UsageError` that names every value out of bounds. */
export function resolveOptions<Schema extends z.ZodObject>(schema: Schema, layers: readonly Layer[]): Resolved<Schema> {
  const options = optionsOf(schema);
  const found = new Map(
    options.flatMap(({ key, name }): [string, GivenValue][] => {
      const first = layers.find((layer) => layer.has(name))?.get(name);
      return first === undefined ? [] : [[key, first]];
    }),
  );
  const parsed = schema.safeParse(Object.fromEntries([...found].map(([key, { value }]) => [key, value])));
  if (!parsed.success) {
    const faults = parsed.error.issues.map(({ path, message }) => {
      const key = String(path[0]);
      const name = options.find((one) => one.key === key)?.name ?? key;
      const from = found.get(key)?.from;
      return from === undefined ? `--${name} is missing` : `${name} (${from}): ${message}`;
    });
    throw new UsageError('bad-option', faults.join('; '), {
      hint: '`ers-harness config` shows where values come from',
    });
  }
  const values: Readonly<Record<string, unknown>> = parsed.data;
  return {
    options: parsed.data,
    effective: options.map((option) => ({
      option,
      value: values[option.key],
      from: found.get(option.key)?.from ?? 'default',
      inFile: found.get(option.key)?.inFile === true,
    })),
  };
}
