import { existsSync } from 'node:fs';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import type { ParsedNode, YAMLMap } from 'yaml';
import { suggestion } from '../../../lib/did-you-mean.ts';
import { UsageError } from '../../../lib/errors.ts';
import type { Option } from '../../../lib/option.ts';
import { type Member, YamlFile } from '../../../lib/yaml-file.ts';
import type { GivenValue, Layer } from '../resolve.ts';
import { CredentialsReference, SECTIONS, SHARED } from './keys.ts';
import { checkTrust, searchedFolders } from './trust.ts';

export const CONFIG_NAME = 'ers-harness.yaml';
/** Value of --config by which no file is read. */
const NO_CONFIG = 'none';
/** A configuration file as read: every value checked, with the line it stands on. */
export interface ConfigFile {
  readonly path: string;
  /** Target that is used unless another is named. */
  readonly target: string | undefined;
  readonly targets: ReadonlyMap<string, { readonly options: Layer; readonly credentials?: CredentialsReference }>;
  readonly shared: Layer;
  readonly sections: ReadonlyMap<string, Layer>;
}

/**
 * The file named, else the nearest one from the folder upwards, as far as `searchedFolders` goes. Throws `UsageError` for a named file that
 * is not there, and for one that was found and is not the user's own.
 */
export function findConfig(folder: string, named: string | undefined): string | undefined {
  if (named === NO_CONFIG) return undefined;
  if (named !== undefined) {
    if (existsSync(named)) return resolve(named);
    throw new UsageError('no-config', `the configuration file ${named} does not exist`, {
      hint: `check the path given with --config, or remove it: ${CONFIG_NAME} is looked for from the working folder up to the home or the repository`,
    });
  }
  const path = searchedFolders(folder)
    .map((at) => join(at, CONFIG_NAME))
    .find((at) => existsSync(at));
  if (path !== undefined) checkTrust(path);
  return path;
}

/** Numbers are text as if typed: 20 is 20 seconds where a time is wanted. */
function asTyped(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(asTyped);
  return typeof value === 'number' ? String(value) : value;
}

/** A path in the file is relative to its folder; a range of addresses is no path. */
function placed(option: Option, value: unknown, folder: string): unknown {
  if (Array.isArray(value)) return value.map((each) => placed(option, each, folder));
  const isPath = option.given.path === true && typeof value === 'string';
  if (!isPath || isAbsolute(value) || value.includes('+')) return value;
  return join(folder, value);
}

function unknownKey(reader: YamlFile, at: ParsedNode, key: string, known: readonly string[]): UsageError {
  return reader.fault(at, `there is no option ${key}`, suggestion(key, known) ?? `one of ${known.join(', ')}`);
}

/** One value as an option takes it; every command that has the option must accept it. */
function givenValue(
  reader: YamlFile,
  { key, at, value }: Member,
  uses: readonly { readonly command?: string; readonly option: Option }[],
  folder: string,
): GivenValue {
  const typed = asTyped(reader.plain(value));
  if (typed === null || typed === undefined)
    throw reader.fault(at, `${key}: has no value`, 'write one, or remove the line');
  for (const { command, option } of uses) {
    const parsed = option.schema.safeParse(typed);
    if (parsed.success) continue;
    const message = parsed.error.issues[0]?.message ?? 'malformed';
    const hint = command === undefined || uses.length === 1 ? undefined : `or put it under "${command}:" and its like`;
    throw reader.fault(
      at,
      `${key}: ${message}${uses.length > 1 && command !== undefined ? ` (for ${command})` : ''}`,
      hint,
    );
  }
  const [first] = uses;
  return {
    value: first === undefined ? typed : placed(first.option, typed, folder),
    from: reader.where(at),
    inFile: true,
  };
}

function credentialsOf(
  reader: YamlFile,
  at: ParsedNode,
  value: ParsedNode | null,
  folder: string,
): CredentialsReference {
  const parsed = CredentialsReference.safeParse(reader.plain(value));
  if (!parsed.success) {
    throw reader.fault(
      at,
      'credentials: name where the login comes from, never the login itself',
      'write "file: PATH", or "username: { env: NAME }" and "password: { env: NAME }"',
    );
  }
  return 'file' in parsed.data ? { file: resolve(folder, parsed.data.file) } : parsed.data;
}

/** Reads and checks a whole file, also what another command would use. Throws `UsageError` that names the line. */
export function readConfig(path: string): ConfigFile {
  const reader = new YamlFile(path);
  const folder = dirname(path);
  const shared = new Map<string, GivenValue>();
  const sections = new Map<string, Layer>();
  const targets = new Map<string, { options: Layer; credentials?: CredentialsReference }>();
  let target: string | undefined;
  let targetAt: ParsedNode | undefined;
  const known = ['target', 'targets', ...SECTIONS.keys(), ...SHARED.keys()];
  for (const member of reader.root === null ? [] : reader.members(reader.root)) {
    const { key, at, value } = member;
    const options = SECTIONS.get(key);
    const uses = SHARED.get(key);
    if (key === 'target') {
      target = String(reader.plain(value));
      targetAt = at;
    } else if (key === 'targets') {
      for (const named of reader.members(reader.map(key, at, value))) {
        targets.set(named.key, targetOf(reader, reader.map(named.key, named.at, named.value), folder));
      }
    } else if (options !== undefined) {
      sections.set(key, sectionOf(reader, reader.map(key, at, value), options, folder));
    } else if (uses !== undefined) {
      shared.set(key, givenValue(reader, member, uses, folder));
    } else throw unknownKey(reader, at, key, known);
  }
  if (target !== undefined && !targets.has(target)) {
    const names = [...targets.keys()];
    throw reader.fault(
      targetAt,
      `there is no target ${target}`,
      suggestion(target, names) ?? `targets: ${names.join(', ')}`,
    );
  }
  return { path, target, targets, shared, sections };
}

function sectionOf(reader: YamlFile, map: YAMLMap.Parsed, options: readonly Option[], folder: string): Layer {
  return new Map(
    reader.members(map).map((member): [string, GivenValue] => {
      const option = options.find(({ name }) => name === member.key);
      if (option === undefined)
        throw unknownKey(
          reader,
          member.at,
          member.key,
          options.map(({ name }) => name),
        );
      return [member.key, givenValue(reader, member, [{ option }], folder)];
    }),
  );
}

function targetOf(reader: YamlFile, map: YAMLMap.Parsed, folder: string) {
  const options = new Map<string, GivenValue>();
  let credentials: CredentialsReference | undefined;
  for (const member of reader.members(map)) {
    const uses = SHARED.get(member.key);
    if (member.key === 'credentials') credentials = credentialsOf(reader, member.at, member.value, folder);
    else if (uses === undefined) throw unknownKey(reader, member.at, member.key, ['credentials', ...SHARED.keys()]);
    else options.set(member.key, givenValue(reader, member, uses, folder));
  }
  return credentials === undefined ? { options } : { options, credentials };
}
