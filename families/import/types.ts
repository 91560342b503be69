import { jsonOf } from '../../lib/said.ts';
import type { FieldFile } from '../file.ts';
import { DEEPEST, type Definition, type Json, objectOf, own } from './document.ts';
import type { Row } from './prose.ts';

/** What is read of one family, and what is said of it. */
export interface Reading {
  readonly definition: Definition;
  readonly rows: ReadonlyMap<string, Row>;
  readonly guesses: string[];
  readonly left: string[];
  members: number;
}

const WORDS: Readonly<Record<string, FieldFile['type']>> = {
  string: 'string',
  enum: 'string',
  boolean: 'boolean',
  integer: 'integer',
  int: 'integer',
  long: 'integer',
  number: 'number',
  float: 'number',
  double: 'number',
  decimal: 'number',
  list: 'string[]',
  array: 'string[]',
  map: 'object',
};

/** Type of a value as JSON has it; undefined for an empty list and for null. */
export function typeOfValue(value: unknown): FieldFile['type'] | undefined {
  if (Array.isArray(value)) {
    if (value.length === 0) return undefined;
    return value.every((item) => typeof item === 'string') ? 'string[]' : 'object[]';
  }
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  if (typeof value === 'object' && value !== null) return 'object';
  return typeof value === 'string' || typeof value === 'boolean' ? (typeof value as 'string' | 'boolean') : undefined;
}

/** A schema and all that it is made of. */
export function partsOf(definition: Definition, schema: Json, depth = 0): readonly Json[] {
  const parts = depth > DEEPEST ? [] : ['allOf', 'oneOf', 'anyOf'].flatMap((kind) => [schema[kind] ?? []].flat());
  return [...parts.flatMap((part) => partsOf(definition, definition.resolved(part), depth + 1)), schema];
}

/** All properties of a schema, those of its parts among them; where there are none, what its example holds. */
export function propertiesOf(definition: Definition, schema: Json): Json {
  const stated: Json = Object.assign({}, ...partsOf(definition, schema).map(({ properties }) => objectOf(properties)));
  if (Object.keys(stated).length > 0) return stated;
  const shown = Object.entries(objectOf(schema['example']));
  return Object.fromEntries(shown.map(([name, example]) => [name, { example }]));
}

/** Types that a schema and its parts state, null left out. */
const wordsOf = (definition: Definition, schema: Json): readonly unknown[] =>
  [...new Set(partsOf(definition, schema).flatMap(({ type }) => [type ?? []].flat()))].filter((one) => one !== 'null');

/** True where the definition says that null may stand for a value. */
export const isNullable = (definition: Definition, schema: Json): boolean =>
  partsOf(definition, schema).some(({ type, nullable }) => nullable === true || [type].flat().includes('null'));

/** The type that a schema states, and why it may be another one all the same. */
function statedType({ definition }: Reading, schema: Json): { stated?: FieldFile['type']; doubt?: string } {
  const [type, ...others] = wordsOf(definition, schema);
  const doubt = others.length === 0 ? {} : { doubt: 'several types are published' };
  if (type === 'array') {
    const item = definition.resolved(schema['items']);
    const [held] = wordsOf(definition, item);
    if (held === 'object' || Object.keys(propertiesOf(definition, item)).length > 0)
      return { stated: 'object[]', ...doubt };
    if (held === 'string') return { stated: 'string[]', ...doubt };
    return { stated: typeOfValue(schema['example']) ?? 'object[]', doubt: 'nothing says what the list holds' };
  }
  if (type === 'object' || Object.keys(propertiesOf(definition, schema)).length > 0)
    return { stated: 'object', ...doubt };
  return type === 'string' || type === 'boolean' || type === 'integer' || type === 'number'
    ? { stated: type, ...doubt }
    : {};
}

/** The row of the table for a member: tables spell some names with other capitals than schemas. */
export function rowOf({ rows }: Reading, path: string): Row | undefined {
  const spelled = path.toLowerCase();
  return rows.get(path) ?? [...rows].find(([one]) => one.toLowerCase() === spelled)?.[1];
}

/** The example of a row: a list where its text is one in JSON. */
export function exampleIn(row: Row | undefined): unknown {
  const text = row?.example || undefined;
  return text?.startsWith('[') === true ? (jsonOf(text) ?? text) : text;
}

/** The type of a member, and another one that is published for it. What the schema says counts, unless it says little. */
export function typesOf(reading: Reading, path: string, schema: Json) {
  const shown = typeOfValue(own(schema, 'example'));
  const inRow = typeOfValue(exampleIn(rowOf(reading, path)));
  const { stated, doubt } = statedType(reading, schema);
  const isHolder = [...reading.rows.keys()].some((one) => one.toLowerCase().startsWith(`${path.toLowerCase()}.`));
  const told = WORDS[rowOf(reading, path)?.type ?? ''];
  // The word List says nothing of what the list holds.
  const isBareList = told === 'string[]';
  const word = isBareList ? ([stated, shown, inRow].find((one) => one?.endsWith('[]')) ?? told) : told;
  const inTable = isHolder ? 'object' : word;
  const saysLittle =
    (stated === 'object' && Object.keys(propertiesOf(reading.definition, schema)).length === 0) ||
    (stated?.endsWith('[]') === true && shown?.endsWith('[]') === true);
  const type = (saysLittle ? shown : undefined) ?? stated ?? inTable ?? shown ?? inRow ?? 'string';
  const isUntold = stated === undefined && (inTable === undefined || isHolder || isBareList);
  const untold = isBareList ? 'the table says List and not of what' : 'no type is published';
  const why = doubt ?? (isUntold ? untold : undefined);
  const isGuess = why !== undefined;
  if (isGuess) reading.guesses.push(`${path}: ${type}, for ${why}`);
  const seen = [stated, shown, word].find((one) => one !== undefined && one !== type);
  if (seen === undefined) return { type, isGuess };
  reading.guesses.push(`${path}: ${type} in one place and ${seen} in another; both are taken`);
  return { type, seen, isGuess };
}
