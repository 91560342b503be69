import { existsSync } from 'node:fs';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import type { ParsedNode, YAMLMap } from 'yaml';
import { defined } from '../../../lib/defined.ts';
import { suggestion } from '../../../lib/did-you-mean.ts';
import { UsageError } from '../../../lib/errors.ts';
import type { Option } from '../../../lib/option.ts';
import { type Member, YamlFile } from '../../../lib/yaml-file.ts';
import type { GivenValue, Layer } from '../effective.ts';
import { CredentialsReference, SECTIONS, SHARED, type Uses } from './keys.ts';
import { checkTrust, searchedFolders } from './trust.ts';

export const CONFIG_NAME = 'ers-harness.yaml';
const NO_CONFIG = 'none';
/** The file named, else the nearest one in `searchedFolders`. Throws `UsageError` if it is not there, or not the user's own. */
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

/** One value as an option takes it; every command that has the option must accept it. */
function givenValue(
  reader: YamlFile,
  { key, at, value }: Member,
  uses: NonNullable<ReturnType<Uses['get']>>,
  folder: string,
): GivenValue {
  const typed = asTyped(reader.plain(value));
  if (typed === null || typed === undefined)
    throw reader.fault(at, `${key}: has no value`, 'write one, or remove the line');
  const refused = uses.flatMap(({ command, option }) => {
    const { error } = option.schema.safeParse(typed);
    return error === undefined ? [] : [{ command, message: error.issues[0]?.message ?? 'malformed' }];
  });
  const [fault] = refused;
  if (fault !== undefined) {
    const { command, message } = fault;
    const other = uses.find((use) => refused.every((one) => one.command !== use.command));
    if (other === undefined)
      throw reader.fault(at, `${key}: ${message}`, `\`ers-harness ${command} --help\` shows what it takes`);
    throw reader.fault(at, `${key}: ${message} (for ${command})`, `or put it under "${other.command}:"`);
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

/** Members that are options; `others` are keys that may stand beside them. */
function layerOf(
  reader: YamlFile,
  members: readonly Member[],
  uses: Uses,
  { folder, others = [] }: { readonly folder: string; readonly others?: readonly string[] },
): Layer {
  const known = [...others, ...uses.keys()];
  return new Map(
    members
      .filter(({ key }) => !others.includes(key))
      .map((member): [string, GivenValue] => {
        const { key, at } = member;
        const own = uses.get(key);
        if (own !== undefined) return [key, givenValue(reader, member, own, folder)];
        throw reader.fault(at, `there is no option ${key}`, suggestion(key, known) ?? `one of ${known.join(', ')}`);
      }),
  );
}

function targetOf(reader: YamlFile, map: YAMLMap.Parsed, folder: string) {
  const members = reader.members(map);
  const login = members.find(({ key }) => key === 'credentials');
  return {
    options: layerOf(reader, members, SHARED, { folder, others: ['credentials'] }),
    ...defined({ credentials: login && credentialsOf(reader, login.at, login.value, folder) }),
  };
}

/** Reads and checks a whole file, also what another command would use. Throws `UsageError` that names the line. */
export function readConfig(path: string) {
  const reader = new YamlFile(path);
  const folder = dirname(path);
  const members = reader.root === null ? [] : reader.members(reader.root);
  const mapOf = ({ key, at, value }: Member) => reader.map(key, at, value);
  const others = ['target', 'targets', ...SECTIONS.keys()];
  const shared = layerOf(reader, members, SHARED, { folder, others });
  const sections = new Map<string, Layer>();
  const targets = new Map<string, ReturnType<typeof targetOf>>();
  for (const member of members) {
    const uses = SECTIONS.get(member.key);
    if (uses !== undefined) sections.set(member.key, layerOf(reader, reader.members(mapOf(member)), uses, { folder }));
    if (member.key !== 'targets') continue;
    for (const named of reader.members(mapOf(member))) targets.set(named.key, targetOf(reader, mapOf(named), folder));
  }
  const named = members.find(({ key }) => key === 'target');
  const target = named && String(reader.plain(named.value));
  if (target !== undefined && !targets.has(target)) {
    const names = [...targets.keys()];
    throw reader.fault(
      named?.at,
      `there is no target ${target}`,
      suggestion(target, names) ?? `targets: ${names.join(', ')}`,
    );
  }
  return { path, target, targets, shared, sections };
}

/** A configuration file as read: every value checked, with the line it stands on. */
export type ConfigFile = ReturnType<typeof readConfig>;
