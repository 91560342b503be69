import { memberOf } from '../../contract/vendor.ts';
import { isTooDeep } from './json-depth.ts';

type Members = Readonly<Record<string, unknown>>;

function parsed(text: string): unknown {
  try {
    return text === '' || isTooDeep(text) ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Body as JSON; undefined where it is none, or nests so deep that no answer of the API is. */
export const jsonOf: (body: string) => unknown = parsed;

function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The resource inside its root key, or the object itself. */
export function resourceOf(value: unknown): Members | undefined {
  if (!isObject(value)) return undefined;
  const held = Object.values(value);
  return held.length === 1 && isObject(held[0]) ? held[0] : value;
}

const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

/** Text of XML without its escapes. */
function unescaped(text: string): string {
  return text.replace(/&(?:#x([0-9a-f]+)|#(\d+)|(lt|gt|amp|quot|apos));/gi, (_, hex, decimal, named) =>
    named === undefined
      ? String.fromCodePoint(Math.min(Number.parseInt(hex ?? decimal, hex === undefined ? 10 : 16), 0x10ffff))
      : (ENTITIES[String(named).toLowerCase()] ?? ''),
  );
}

/** Texts of every element and attribute of a name. */
function attributes(xml: string, name: string): string[] {
  const pattern = new RegExp(`<${name}>([^<]*)</${name}>|\\s${name}="([^"]*)"`, 'g');
  return [...xml.matchAll(pattern)].map(([, element, attribute]) => unescaped(element ?? attribute ?? ''));
}

/** How deep a body is looked through for names. */
const DEEPEST = 8;

function collect(value: unknown, members: readonly string[], into: Set<string>, depth: number): void {
  if (depth > DEEPEST || typeof value !== 'object' || value === null) return;
  if (isObject(value)) {
    for (const member of members) {
      const held = value[member];
      if (typeof held === 'string' && held !== '') into.add(held);
    }
  }
  for (const held of Object.values(value)) collect(held, members, into, depth + 1);
}

/** Every value that a body, in JSON or XML, gives to one of the members, at any depth. */
export function valuesIn(body: string | undefined, members: readonly string[]): readonly string[] {
  if (body === undefined) return [];
  const found = new Set<string>();
  const json = parsed(body);
  if (json !== undefined) collect(json, members, found, 0);
  else for (const member of members) for (const text of attributes(body, member)) if (text !== '') found.add(text);
  return [...found];
}

/** Members that may hold the name of a record of the family. */
export function nameMembers(family: string): readonly string[] {
  return [...new Set([memberOf(family, 'name'), 'name'])];
}

/** Member in which a record can be recognized by the run's prefix where its name does not tell. */
export const MARK = 'description';

/** Name that a record shows; undefined where it shows none. */
export function nameIn(family: string, record: Members | undefined): string | undefined {
  const held = nameMembers(family).map((member) => record?.[member]);
  return held.find((name): name is string => typeof name === 'string');
}

/** Name that a create body gives its record; undefined where it shows none. */
export function nameInBody(family: string, body: string | undefined): string | undefined {
  if (body === undefined) return undefined;
  const members = nameMembers(family);
  const resource = resourceOf(parsed(body));
  const names = members.map((member) => (resource === undefined ? attributes(body, member)[0] : resource[member]));
  return names.find((name): name is string => typeof name === 'string' && name !== '');
}

/** Tells what belongs to one family (ids, names, marks) apart from that of another, as a key of maps and sets. */
export const keyIn = (family: string, text: string): string => `${family}/${text}`;

/** Tells the records of all families apart. */
export const recordKey = ({ family, id }: { readonly family: string; readonly id: string }): string =>
  keyIn(family, id);
