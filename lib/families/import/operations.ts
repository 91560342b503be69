import type { Op } from '../../contract/types.ts';
import { type Definition, type Json, objectOf, own, textOf } from './document.ts';

const VERBS = ['get', 'post', 'put', 'delete', 'patch'] as const;

/** Verb and path below the family, with every parameter as `{}`. */
const KNOWN: Readonly<Record<string, Op>> = {
  'get ': 'list',
  'post ': 'create',
  'get /{}': 'read',
  'put /{}': 'update',
  'delete /{}': 'delete',
  'get /name/{}': 'readByName',
  'put /name/{}': 'updateByName',
  'delete /name/{}': 'deleteByName',
  'get /versioninfo': 'version',
  'put /bulk/submit': 'bulkSubmit',
  'get /bulk/{}': 'bulkMonitor',
};

/** What definitions print for a path that the product serves elsewhere, and that path. */
const [MISPRINT, MEANT] = ['put /submit', 'put /bulk/submit'];

function reasonOf(verb: string, below: string): string {
  if (verb === 'patch') return 'the specification has no PATCH';
  if (below === '') return `no operation of the specification is ${verb.toUpperCase()} on a whole family`;
  return 'an action of this family alone: no operation of the specification is like it';
}

export interface Published {
  readonly op: Op;
  readonly spec: Json;
}

export interface Paths {
  readonly name: string;
  readonly taken: Published[];
  readonly left: { readonly verb: string; readonly path: string; readonly why: string }[];
  readonly guesses: string[];
}

/** Path of the base URL, as either version gives it. */
function basePath(root: Json): string {
  const [server] = Array.isArray(root['servers']) ? root['servers'] : [];
  const url = textOf(own(server, 'url')).replace(/^[a-z]+:\/\/[^/]*/i, '');
  return (textOf(root['basePath']) || url).replace(/\/+$/, '');
}

/** Paths of a family, below the prefix of the service and without it. */
const PREFIXED = /\/config\/([^/{}]+)(\/.*)?$/;
const BARE = /^\/([^/{}]+)(\/.*)?$/;

/** The operations of a definition by family, in the order in which it names them. */
export function pathsOf(definition: Definition): readonly Paths[] {
  const { root, resolved } = definition;
  const base = basePath(root);
  const all = Object.keys(objectOf(root['paths'])).map((path) => path.trim().replace(/\/+$/, ''));
  const named = new Set(all.flatMap((path) => PREFIXED.exec(`${base}${path}`)?.[1] ?? []));
  const printed = (path: string) => path.replace(/\{[^}]*\}/g, '{}');
  const below = new Set(all.map(printed));
  // Some files leave the prefix out: in some paths of a family, or in all, those of the list and of a record among them.
  const isBare = (path: string) => {
    const name = BARE.exec(path)?.[1] ?? '';
    return named.has(name) || (named.size === 0 && below.has(`/${name}`) && below.has(`/${name}/{}`));
  };
  const found = new Map<string, Paths>();
  for (const [given, value] of Object.entries(objectOf(root['paths']))) {
    const item = resolved(value);
    const path = `${base}${given.trim()}`.replace(/\/+$/, '').replace(/\/{2,}/g, '/');
    const [, name, rest = ''] = PREFIXED.exec(path) ?? (isBare(path) ? BARE.exec(path) : undefined) ?? [];
    if (name === undefined) continue;
    const family = found.get(name) ?? { name, taken: [], left: [], guesses: [] };
    found.set(name, family);
    if (!PREFIXED.test(path)) family.guesses.push(`${path} is taken for one below the prefix of the service`);
    for (const verb of VERBS.filter((each) => Object.hasOwn(item, each))) {
      const asked = `${verb} ${printed(rest)}`;
      const op = KNOWN[asked === MISPRINT ? MEANT : asked];
      const own = objectOf(item[verb]);
      // What a path says of its parameters holds for each of its operations.
      const spec = { ...own, parameters: [own['parameters'], item['parameters']].flatMap((each) => each ?? []) };
      if (op === undefined) family.left.push({ verb, path, why: reasonOf(verb, rest) });
      else if (op === 'list' && answersOne(definition, spec))
        family.left.push({ verb, path, why: 'it answers one record and no list' });
      else family.taken.push({ op, spec });
      if (asked === MISPRINT) family.guesses.push(`PUT ${path} is taken for PUT /bulk/submit`);
    }
  }
  return [...found.values()];
}

/** True for a GET of a whole family that is published to answer something else than a list under one root key. */
function answersOne(definition: Definition, spec: Json): boolean {
  const schema = answerSchema(definition, { spec });
  const [name, ...more] = Object.keys(objectOf(schema?.['properties']));
  return name !== undefined && more.length === 0 && !/^searchresult$/i.test(name);
}

/** Parameters of an operation, with those of its path. */
export const parametersOf = ({ resolved }: Definition, spec: Json | undefined): readonly Json[] =>
  [spec?.['parameters'] ?? []].flat().map(resolved);

/** Schema of the body that an operation sends, in either version. */
export function bodySchema(definition: Definition, { spec }: Pick<Published, 'spec'>): Json | undefined {
  const body = parametersOf(definition, spec).find((parameter) => parameter['in'] === 'body');
  const schema = body?.['schema'] ?? contentSchema(definition, definition.resolved(spec['requestBody']));
  return schema === undefined ? undefined : definition.resolved(schema);
}

/** A schema with an example that is published beside it, or without one. */
const exemplified = (schema: unknown, [shown]: readonly unknown[]): unknown =>
  (shown ?? undefined) === undefined
    ? schema
    : { ...(schema === undefined ? {} : { allOf: [schema] }), example: shown };

/** Schema of a body in OpenAPI 3. */
function contentSchema({ resolved }: Definition, holder: Json): unknown {
  const content = objectOf(holder['content']);
  const [first] = Object.keys(content);
  const media = objectOf(content['application/json'] ?? (first === undefined ? undefined : content[first]));
  const listed = Object.values(objectOf(media['examples'])).map((each) => own(resolved(each), 'value'));
  return exemplified(media['schema'], [media['example'] ?? listed[0]]);
}

/** Schema of the answer to an operation that was done, in either version. */
export function answerSchema(definition: Definition, { spec }: Pick<Published, 'spec'>): Json | undefined {
  const { resolved } = definition;
  const answers = objectOf(spec['responses']);
  const answer = resolved(answers[Object.keys(answers).find((status) => status.startsWith('2')) ?? 'default']);
  const examples = Object.values(objectOf(answer['examples']));
  const schema = exemplified(answer['schema'], examples) ?? contentSchema(definition, answer);
  return schema === undefined ? undefined : resolved(schema);
}
