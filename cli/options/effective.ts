import { dirname } from 'node:path';
import { type Command, Option as CommanderOption } from 'commander';
import * as z from 'zod';
import { suggestion } from '../../lib/did-you-mean.ts';
import { UsageError } from '../../lib/errors.ts';
import { type Option, option, optionsOf, text } from '../../lib/option.ts';
import { type ConfigFile, findConfig, readConfig } from './config/file.ts';
import type { CredentialsReference } from './config/keys.ts';
import { refuseFromAbove } from './config/trust.ts';

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

/** What flags say, then what the environment says. */
export const givenLayers = (schema: z.ZodObject, command: Command, env: NodeJS.ProcessEnv): readonly Layer[] => [
  flagLayer(schema, command),
  environmentLayer(schema, env),
];

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

export const ConfigSpec = z.object({
  config: option('--config <file>', 'configuration file, or none', text().optional(), {
    otherwise: 'ers-harness.yaml in this folder or above',
    env: 'ERS_CONFIG',
    once: true,
    help: 'all',
  }),
});

export interface EffectiveOptions<Schema extends z.ZodObject> extends Resolved<Schema> {
  readonly file: string | undefined;
  readonly target: string | undefined;
  /** The environment, with the login that the file refers to. */
  readonly environment: NodeJS.ProcessEnv;
}

function flagLayer(schema: z.ZodObject, command: Command): Layer {
  const values: Readonly<Record<string, unknown>> = command.opts();
  return new Map(
    optionsOf(schema).flatMap(({ name, given }): [string, GivenValue][] => {
      const attribute = new CommanderOption(given.flag).attributeName();
      return command.getOptionValueSource(attribute) === 'cli'
        ? [[name, { value: values[attribute], from: 'flag' }]]
        : [];
    }),
  );
}

/** A login of the environment wins; else that of the target, by reference. Throws `UsageError` for a variable that is not set. */
function withLogin(env: NodeJS.ProcessEnv, reference: CredentialsReference | undefined): NodeJS.ProcessEnv {
  const given = [env['ERS_USERNAME'], env['ERS_PASSWORD'], env['ERS_CREDENTIALS_FILE']].some((value) => value);
  if (reference === undefined || given) return env;
  if ('file' in reference) return { ...env, ERS_CREDENTIALS_FILE: reference.file };
  const variable = ({ env: name }: { readonly env: string }) => {
    const value = env[name];
    if (value !== undefined && value !== '') return value;
    throw new UsageError('no-credentials', `the configuration file takes the login from ${name}, which is not set`, {
      hint: `set ${name}, or ERS_USERNAME and ERS_PASSWORD`,
    });
  };
  return { ...env, ERS_USERNAME: variable(reference.username), ERS_PASSWORD: variable(reference.password) };
}

function targetOf(config: ConfigFile | undefined, named: unknown) {
  if (typeof named !== 'string') return undefined;
  const found = config?.targets.get(named);
  if (found !== undefined) return found;
  const names = [...(config?.targets.keys() ?? [])];
  throw new UsageError('no-target', `no target is called ${named}`, {
    hint:
      suggestion(named, names) ??
      (names.length > 0 ? `targets: ${names.join(', ')}` : 'name it under "targets:" of ers-harness.yaml'),
  });
}

/** Flag, then environment, then configuration file (the section of the command, the target, the rest), then default. */
export function effectiveOptions<Schema extends z.ZodObject>(
  command: Command,
  schema: Schema,
  env: NodeJS.ProcessEnv,
): EffectiveOptions<Schema> {
  const own = givenLayers(schema, command, env);
  const { config: asFile } = resolveOptions(ConfigSpec, givenLayers(ConfigSpec, command, env)).options;
  const path = findConfig(process.cwd(), asFile);
  const config = path === undefined ? undefined : readConfig(path);
  const once = new Set(optionsOf(schema).flatMap(({ name, given }) => (given.once === true ? [name] : [])));
  const lasting = (layer: Layer | undefined): Layer => new Map([...(layer ?? [])].filter(([name]) => !once.has(name)));
  const section = config?.sections.get(command.name());
  const isServer = command.name() === 'serve';
  const asked = own.find((layer) => layer.has('target'))?.get('target')?.value;
  // A command that goes back to the target of a run takes nothing of another target, unless that one is named outright; a server has none.
  const named = asked ?? (isServer || once.has('base-url') ? undefined : config?.target);
  const target = targetOf(config, named);
  const file = (isServer ? [section] : [section, target?.options, config?.shared]).map(lasting);
  const resolved = resolveOptions(schema, [...own, ...file]);
  if (!isServer && path !== undefined && asFile === undefined && dirname(path) !== process.cwd())
    refuseFromAbove(path, resolved.effective);
  // The login belongs to the target of the file: it is not sent to a deployment that a flag or a variable names.
  const elsewhere = asked === undefined && own.some((layer) => layer.has('base-url'));
  return {
    ...resolved,
    file: path,
    target: typeof named === 'string' ? named : undefined,
    environment: withLogin(env, elsewhere ? undefined : target?.credentials),
  };
}
