import { type FieldFile, isMemberName } from '../file.ts';
import { DEEPEST, type Definition, type Json, objectOf, own, textOf } from './document.ts';
import { limitsIn, listedValues, plain, type Row } from './prose.ts';
import { samplesOf } from './samples.ts';

/** Members of one family, those within others counted: a definition may repeat itself without end. */
const MOST_MEMBERS = 2000;

/** Where fields are read from, and what is said about them. */
export interface Reading {
  readonly definition: Definition;
  /** Rows of the tables of attributes, by the path of their names. */
  readonly rows: ReadonlyMap<string, Row>;
  readonly guesses: string[];
  readonly left: string[];
  members: number;
}

const SECRET =
  /pass(?:word|phrase|wd|code)|^psk|psk$|secret|community|(?:encryption|authenticator\w*|private|preshared|shared|api|auth)_?key|token$|credential/i;
/** Examples of ids. */
const ID = /^(?=.*[a-f])[0-9a-f]{8}-[0-9a-f-]{27}$|_id$/i;
const NO_SECRET = /idstore|expir|never|passwordless|type$|format$|policy|username|url$/i;

/** True for a text whose name says that it is a password, a key or the like. */
const isSecret = (name: string, type: string): boolean =>
  type === 'string' && SECRET.test(name) && !NO_SECRET.test(name);

const WORDS: Readonly<Record<string, FieldFile['type']>> = {
  string: 'string',
  enum: 'string',
  boolean: 'boolean',
  integer: 'integer',
  int: 'integer',
  long: 'integer',
  map: 'object',
};

function typeOfValue(value: unknown): FieldFile['type'] | undefined {
  if (Array.isArray(value))
    return value.length > 0 && value.every((item) => typeof item === 'string') ? 'string[]' : 'object[]';
  if (typeof value === 'number') return 'integer';
  if (typeof value === 'object' && value !== null) return 'object';
  return typeof value === 'string' || typeof value === 'boolean' ? (typeof value as 'string' | 'boolean') : undefined;
}

/** The schema with the parts that it is made of. */
function partsOf(definition: Definition, schema: Json, depth = 0): readonly Json[] {
  const parts = depth > DEEPEST ? [] : ['allOf', 'oneOf', 'anyOf'].flatMap((kind) => [schema[kind] ?? []].flat());
  return [...parts.flatMap((part) => partsOf(definition, definition.resolved(part), depth + 1)), schema];
}

/** All properties of a schema, those of its parts among them. */
export function propertiesOf(definition: Definition, schema: Json): Json {
  return Object.assign({}, ...partsOf(definition, schema).map(({ properties }) => objectOf(properties)));
}

/** Members that a schema or one of its parts requires. */
const requiredBy = (definition: Definition, schema: Json): readonly unknown[] =>
  partsOf(definition, schema).flatMap(({ required }) => (Array.isArray(required) ? required : []));

function statedType(reading: Reading, schema: Json): FieldFile['type'] | undefined {
  const type = [schema['type']].flat().find((one) => one !== 'null');
  if (type === 'array') {
    const item = reading.definition.resolved(schema['items']);
    const isObject = item['type'] === 'object' || Object.keys(propertiesOf(reading.definition, item)).length > 0;
    return isObject
      ? 'object[]'
      : item['type'] === 'string'
        ? 'string[]'
        : (typeOfValue(schema['example']) ?? 'object[]');
  }
  if (type === 'object' || Object.keys(propertiesOf(reading.definition, schema)).length > 0) return 'object';
  if (type === 'number') return 'integer';
  return type === 'string' || type === 'boolean' || type === 'integer' ? type : undefined;
}

/** Schemas of several places for one member, and the row of the table: the first that says something counts. */
function fieldOf(reading: Reading, path: string, found: readonly Json[], within: readonly Json[]): FieldFile {
  const schema: Json = Object.assign({}, ...found.toReversed());
  const name = path.split('.').at(-1) ?? path;
  const row = reading.rows.get(path);
  const example = own(schema, 'example') ?? (row?.example || undefined);
  const stated = statedType(reading, schema);
  const isHolder = [...reading.rows.keys()].some((one) => one.startsWith(`${path}.`));
  const inTable = isHolder ? 'object' : WORDS[row?.type ?? ''];
  const type = stated ?? inTable ?? typeOfValue(example) ?? 'string';
  if (stated === undefined && (inTable === undefined || isHolder))
    reading.guesses.push(`${path}: ${type}, for no type is published`);
  const seen = [typeOfValue(own(schema, 'example')), WORDS[row?.type ?? '']].find(
    (one) => one !== undefined && one !== type,
  );
  if (seen !== undefined) reading.guesses.push(`${path}: ${type} in the schema and ${seen} elsewhere; both are taken`);
  const text = `${plain(textOf(schema['description']))} ${row?.text ?? ''}`;
  const listed = Array.isArray(schema['enum'])
    ? schema['enum'].filter((one) => typeof one === 'string')
    : listedValues(text);
  const oneOf = type === 'string' && listed !== undefined && listed.length > 0 ? listed : undefined;
  const limits = limitsOf(schema, type, text);
  const shown = typeof example === 'string' ? example : '';
  const isId = [shown, row?.example ?? ''].some((one) => ID.test(one));
  const form =
    /^(?:[0-9A-F]{2}:){5}[0-9A-F]{2}$/i.test(shown) && name !== 'name'
      ? 'mac'
      : /^https?:\/\//.test(shown)
        ? 'url'
        : isId && name !== 'id'
          ? 'uuid'
          : undefined;
  const members = type === 'object' || type === 'object[]' ? membersOf(reading, path, found, within) : undefined;
  const made: Omit<FieldFile, 'samples'> = {
    type,
    ...(oneOf === undefined ? {} : { oneOf: [...oneOf] }),
    ...(schema['readOnly'] === true || /read[- ]?only|generated by the server/i.test(text) ? { readOnly: true } : {}),
    ...(isSecret(name, type) ? { secret: true } : {}),
    ...(form === undefined || type !== 'string' ? {} : { form }),
    ...(limits === undefined ? {} : { limits }),
    ...(seen === undefined ? {} : { alsoSeen: seen }),
    ...(members === undefined || Object.keys(members).length === 0 ? {} : { members }),
  };
  const samples = name === 'id' ? undefined : samplesOf(made, example);
  return {
    ...made,
    ...(row?.required === true && name !== 'id' ? { required: true } : {}),
    ...(samples === undefined ? {} : { samples }),
  };
}

function limitsOf(schema: Json, type: string, text: string): [number, number] | undefined {
  const [low, high] =
    type === 'integer' ? [schema['minimum'], schema['maximum']] : [schema['minLength'] ?? 0, schema['maxLength']];
  if (typeof low === 'number' && typeof high === 'number' && low <= high) return [low, high];
  return type === 'integer' || type === 'string' ? limitsIn(text, type === 'string') : undefined;
}

function membersOf(
  reading: Reading,
  path: string,
  found: readonly Json[],
  within: readonly Json[],
): Record<string, FieldFile> {
  const { resolved } = reading.definition;
  const holders = found.map((schema) => (schema['items'] === undefined ? schema : resolved(schema['items'])));
  if (path.split('.').length > DEEPEST || holders.some((holder) => within.includes(holder))) {
    reading.left.push(`members of ${path}: the schema holds itself, or nests too deep`);
    return {};
  }
  return fieldsOf(reading, `${path}.`, holders, [...within, ...holders]);
}

/** Fields of the schemas of one thing, in the order in which they name them, and those that only a table names. */
export function fieldsOf(
  reading: Reading,
  prefix: string,
  schemas: readonly Json[],
  within: readonly Json[] = [],
): Record<string, FieldFile> {
  const { definition, rows } = reading;
  const properties = schemas.map((schema) => propertiesOf(definition, schema));
  const needed = new Set(schemas.slice(0, 1).flatMap((schema) => requiredBy(definition, schema)));
  const inRows = [...rows.keys()]
    .filter((path) => path.startsWith(prefix) && !path.slice(prefix.length).includes('.'))
    .map((path) => path.slice(prefix.length));
  const fields: Record<string, FieldFile> = {};
  for (const name of new Set([...properties.flatMap(Object.keys), ...inRows])) {
    if (name === 'link') continue;
    if (!isMemberName(name)) {
      reading.left.push(`${prefix}${name.slice(0, 60)}: no name of a member`);
      continue;
    }
    reading.members += 1;
    if (reading.members > MOST_MEMBERS) {
      reading.left.push(`${prefix}${name} and what follows: more than ${MOST_MEMBERS} members`);
      break;
    }
    const found = properties.flatMap((each) => (Object.hasOwn(each, name) ? [definition.resolved(each[name])] : []));
    const field = fieldOf(reading, `${prefix}${name}`, found, within);
    fields[name] = needed.has(name) && name !== 'id' ? { ...field, required: true } : field;
  }
  return fields;
}
