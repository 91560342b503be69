import { dirname } from 'node:path';
import { type Command, Option as CommanderOption } from 'commander';
import * as z from 'zod';
import { suggestion } from '../../lib/did-you-mean.ts';
import { UsageError } from '../../lib/errors.ts';
import { option, optionsOf, text } from '../../lib/option.ts';
import { type ConfigFile, findConfig, readConfig } from './config/file.ts';
import type { CredentialsReference } from './config/keys.ts';
import { refuseFromAbove } from './config/trust.ts';
import { environmentLayer, type GivenValue, type Layer, type Resolved, resolveOptions } from './resolve.ts';

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

export function flagLayer(schema: z.ZodObject, command: Command): Layer {
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
  const own = [flagLayer(schema, command), environmentLayer(schema, env)];
  const { config: asFile } = resolveOptions(ConfigSpec, [
    flagLayer(ConfigSpec, command),
    environmentLayer(ConfigSpec, env),
  ]).options;
  const path = findConfig(process.cwd(), asFile);
  const config = path === undefined ? undefined : readConfig(path);
  const once = new Set(optionsOf(schema).flatMap(({ name, given }) => (given.once === true ? [name] : [])));
  const lasting = (layer: Layer | undefined): Layer => new Map([...(layer ?? [])].filter(([name]) => !once.has(name)));
  const name = command.name();
  if (name === 'serve') {
    return {
      ...resolveOptions(schema, [...own, lasting(config?.sections.get(name))]),
      file: path,
      target: undefined,
      environment: env,
    };
  }
  const asked = own.find((layer) => layer.has('target'))?.get('target')?.value;
  // A command that goes back to the target of a run takes nothing of another target, unless that one is named outright.
  const named = asked ?? (once.has('base-url') ? undefined : config?.target);
  const target = targetOf(config, named);
  const file = [config?.sections.get(name), target?.options, config?.shared].map(lasting);
  const resolved = resolveOptions(schema, [...own, ...file]);
  if (path !== undefined && asFile === undefined && dirname(path) !== process.cwd())
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
