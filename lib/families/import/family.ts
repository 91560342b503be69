import type { Op } from '../../contract/types.ts';
import { defined } from '../../defined.ts';
import { type FamilyFile, isMemberName } from '../file.ts';
import { type Definition, type Json, objectOf, own, textOf } from './document.ts';
import { fieldsOf, OF_ALL } from './fields.ts';
import { answerSchema, bodySchema, type Paths, type Published, parametersOf } from './operations.ts';
import { attributeRows, namesBehind, plain, type Row } from './prose.ts';
import { propertiesOf, statedIn } from './schema.ts';
import type { Reading } from './types.ts';

/** Rows by the path of their names: a nested one is of the nearest row above it that is one level up. */
function rowsByPath(rows: readonly Row[]): ReadonlyMap<string, Row> {
  const open: string[] = [];
  return new Map(
    rows.map((row): [string, Row] => {
      open.length = Math.min(row.depth, open.length);
      open.push(row.name);
      return [open.join('.'), row];
    }),
  );
}

/** The resource in a body or an answer: what its one root key holds, or the whole; and an example of it. */
function unwrapped(
  definition: Definition,
  schema: Json | undefined,
): { root?: string; resource?: Json; shown?: unknown } {
  if (schema === undefined) return {};
  const properties = propertiesOf(definition, schema);
  const [root, ...more] = Object.keys(properties);
  const inner = root === undefined ? {} : definition.resolved(properties[root]);
  const isRoot =
    root !== undefined &&
    more.length === 0 &&
    (inner['type'] === 'object' || Object.keys(propertiesOf(definition, inner)).length > 0);
  const shown = own(schema, 'example');
  if (isRoot) return { root, resource: inner, shown: own(shown, root) };
  return Object.keys(properties).length > 0 ? { resource: schema, shown } : {};
}

/** Members of the entries of a list, from the example of the answer. */
function listedMembers(
  definition: Definition,
  list: Published | undefined,
  fields: FamilyFile['fields'],
): string[] | undefined {
  const { resource, shown } = unwrapped(definition, list && answerSchema(definition, list));
  const { resources } = propertiesOf(definition, resource ?? {});
  const schema = definition.resolved(resources);
  const items = definition.resolved(schema['items']);
  const [entry] = [own(schema, 'example') ?? own(items, 'example') ?? own(shown, 'resources')].flat();
  const listed = Object.keys(objectOf(entry ?? propertiesOf(definition, items)));
  return listed.length === 0 ? undefined : listed.filter((name) => name !== 'id' && Object.hasOwn(fields, name));
}

function versionsOf(definition: Definition, version: Published | undefined): FamilyFile['versions'] {
  const { resource } = unwrapped(definition, version && answerSchema(definition, version));
  const text = (name: string) =>
    plain(String(own(definition.resolved(own(propertiesOf(definition, resource ?? {}), name)), 'example') ?? ''));
  const [current, supported] = [text('currentServerVersion'), text('supportedVersions')];
  return current === '' ? undefined : { current, supported: supported || current };
}

/** The filter and sort fields of a list, from its text, else from that of a parameter, and from what these list. */
function queried(definition: Definition, list: Published | undefined, left: string[]) {
  const parameters = parametersOf(definition, list?.spec);
  const told = (each: Json) =>
    `${textOf(each['name']).replace(/^(?:(filter)|(sort).*)$/i, '$1$2:')} ${textOf(each['description'])}`;
  const texts = [textOf(list?.spec['description']), ...parameters.map(told)];
  const fieldsBy = (word: 'filter' | 'sort', name: RegExp): string[] => {
    const named = texts.map((text) => namesBehind(text, word)).find(({ length }) => length > 0) ?? [];
    const listed = parameters
      .filter((each) => name.test(textOf(each['name'])))
      .flatMap((each) => [objectOf(each['schema']), each].flatMap((one) => [one, definition.resolved(one['items'])]))
      .flatMap((each) => each['enum'] ?? []);
    const fields = [...new Set([...named, ...listed.map(String)])].filter(isMemberName);
    if (fields.length === 0 && new RegExp(`\\b${word}`, 'i').test(texts.join(' ')))
      left.push(`${word}s: the text of the list tells of them, and no name of a field could be read`);
    return fields;
  };
  return { filters: fieldsBy('filter', /^filter$/i), sorts: fieldsBy('sort', /^sort/i) };
}

/** Filter or sort field → member, where the two are spelled differently. */
function readsOf(names: readonly string[], fields: FamilyFile['fields'], guesses: string[]): Record<string, string> {
  const found: Record<string, string> = {};
  const spelled = (text: string) => text.toLowerCase().replace(/s$/, '');
  for (const name of new Set(names.filter((one) => !Object.hasOwn(fields, one)))) {
    const member = Object.keys(fields).find((one) => spelled(one) === spelled(name));
    if (member === undefined) guesses.push(`filter or sort ${name}: no member of that name is published`);
    else {
      found[name] = member;
      guesses.push(`filter or sort ${name} reads the member ${member}`);
    }
  }
  return found;
}

/** Marks members that one body alone, of a create or of an update, states. By the name and the description every record is told. */
function markBodies(fields: FamilyFile['fields'], made: readonly string[], changed: readonly string[]): void {
  if (made.length === 0 || changed.length === 0) return;
  for (const [name, field] of Object.entries(fields))
    if (field.readOnly !== true && !OF_ALL.has(name) && made.includes(name) !== changed.includes(name))
      field.sentOn = made.includes(name) ? 'create' : 'update';
}

/** Operations that send a record, those that need one of the run's own, and those that ask by name. */
const SENDS: readonly Op[] = ['create', 'update', 'updateByName'];
const WRITES: readonly Op[] = [...SENDS, 'delete', 'deleteByName'];
const BY_NAME: readonly Op[] = ['readByName', 'updateByName', 'deleteByName'];

/** The operations that are taken: a run writes to nothing but records that it made, and makes none that it could not read or remove. */
function operationsOf({ taken, name }: Paths, isEmpty: boolean, left: string[]): Op[] {
  const published = [...new Set(taken.map(({ op }) => op))];
  const lacks = (['create', 'read', 'delete'] as const).find((op) => !published.includes(op));
  const why = isEmpty ? 'no member is published' : `a run has no record of its own to write to without ${lacks}`;
  const writes = published.filter((op) => WRITES.includes(op));
  if (writes.length === 0 || (lacks === undefined && !isEmpty)) return published;
  left.push(`${writes.join(', ')} of ${name}: ${why}`);
  return published.filter((op) => !WRITES.includes(op));
}

/** Name of the definition, and whether it is of this family alone: only then its title is of it. */
interface Source {
  readonly label: string;
  readonly isAlone: boolean;
}

export function familyOf(definition: Definition, paths: Paths, { label, isAlone }: Source) {
  const by = (...ops: readonly string[]) => paths.taken.find(({ op }) => ops.includes(op));
  const info = objectOf(definition.root['info']);
  const guesses = [...paths.guesses];
  const left = paths.left.map(({ verb, path, why }) => `${verb.toUpperCase()} ${path}: ${why}`);
  const rows = rowsByPath(attributeRows(textOf(info['description'])));
  const sources = [by('create'), by('update', 'updateByName')].map((op) => op && bodySchema(definition, op));
  const answers = [by('read'), by('readByName')].map((op) => op && answerSchema(definition, op));
  const found = [...sources, ...answers].map((schema) => unwrapped(definition, schema));
  const title = (isAlone && plain(textOf(info['title']))) || paths.name;
  const root =
    found.find((one) => one.root !== undefined)?.root ?? (by(...SENDS) === undefined ? undefined : pascal(title));
  if (root !== undefined && !found.some((one) => one.root !== undefined))
    guesses.push(`root key ${root}: from the ${isAlone ? 'title' : 'path'}`);
  const { filters, sorts } = queried(definition, by('list'), left);
  for (const { name, text } of rows.values())
    if (text.toLowerCase().includes(`filter=${name.toLowerCase()}.`) && !filters.includes(name)) {
      filters.push(name);
      guesses.push(`filter ${name}: from the example in its row of the table`);
    }
  const asked = new Set([...filters, ...sorts].map((field) => field.toLowerCase()));
  const reading: Reading = { definition, rows, queried: asked, guesses, left, members: 0 };
  const resources = found.flatMap(({ resource }): readonly Json[] => (resource === undefined ? [] : [resource]));
  // Bodies hold what their examples hold.
  const shown = found.slice(0, sources.length).map((body) => ({ example: body.shown }));
  const fields = fieldsOf(reading, '', [...resources, ...shown], resources);
  const stated = (...ops: readonly string[]) =>
    paths.taken
      .filter(({ op }) => ops.includes(op))
      .flatMap((one) => statedIn(definition, unwrapped(definition, bodySchema(definition, one)).resource ?? {}));
  markBodies(fields, stated('create'), stated('update', 'updateByName'));
  const operations = operationsOf(
    paths,
    Object.keys(fields).every((member) => member === 'id'),
    left,
  );
  if (by(...BY_NAME) !== undefined && !Object.hasOwn(fields, 'name')) {
    fields['name'] = { type: 'string' };
    guesses.push('name: string, for there are operations by name');
  }
  const reads = readsOf([...filters, ...sorts], fields, guesses);
  const bulk = by('bulkSubmit');
  const bulkRoot =
    bulk &&
    (Object.keys(propertiesOf(definition, bodySchema(definition, bulk) ?? {}))[0] ??
      `${root ?? pascal(paths.name)}BulkRequest`);
  const mediaType = /\b[A-Za-z]\w*\.[A-Za-z]\w*\.\d+\.\d+\b/.exec(
    JSON.stringify(paths.taken.map(({ spec }) => spec['parameters'] ?? '')),
  )?.[0];
  const family: FamilyFile = {
    title,
    definition: label,
    operations,
    ...defined({
      root,
      bulkRoot,
      mediaType,
      versions: versionsOf(definition, by('version')),
      listed: listedMembers(definition, by('list'), fields),
    }),
    ...{ filters, sorts, fields },
    ...(Object.keys(reads).length === 0 ? {} : { reads }),
  };
  return {
    ...{ name: paths.name, family, published: paths.taken.length + paths.left.length, guesses, left },
    from: [
      `operations: the paths of the definition`,
      `fields: the schemas of bodies and answers${rows.size > 0 ? `, and ${rows.size} rows of the table of attributes` : ''}`,
      `filters and sorts: the text and the parameters of the list operation`,
      ...definition.remarks,
    ],
  };
}
export type Taken = ReturnType<typeof familyOf>;

const pascal = (text: string): string =>
  text.replace(/(?:^|[^A-Za-z0-9]+)([A-Za-z0-9])/g, (_, letter: string) => letter.toUpperCase());
