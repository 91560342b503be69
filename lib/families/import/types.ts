import { isDeepStrictEqual } from 'node:util';
import { isNumber } from '../../contract/types.ts';
import { jsonOf } from '../../json-text.ts';
import { type FieldFile, isMemberName } from '../file.ts';
import { type Definition, isObject, type Json, own } from './document.ts';
import type { Row } from './prose.ts';
import { propertiesOf, wordsOf } from './schema.ts';

export interface Reading {
  readonly definition: Definition;
  readonly rows: ReadonlyMap<string, Row>;
  /** Filter and sort fields, in small letters. */
  readonly queried: ReadonlySet<string>;
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

/** The type that a schema states, and why it may still be another one. */
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

/** The type that a schema states without a doubt; none where it says no more than "an object". */
export function plainType(reading: Reading, schema: Json): FieldFile['type'] | undefined {
  const { stated, doubt } = statedType(reading, schema);
  const isBare = stated === 'object' && Object.keys(propertiesOf(reading.definition, schema)).length === 0;
  return doubt === undefined && !isBare ? stated : undefined;
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
  // The word List says nothing of what the list holds, and stands for an object as well.
  const isBareList = told === 'string[]';
  const [listed] = [stated, shown, inRow].filter((one) => one?.endsWith('[]') || one === 'object');
  const word = isBareList ? (listed ?? (isHolder ? 'object' : told)) : told;
  const inTable = isHolder ? 'object' : word;
  const saysLittle =
    (stated === 'object' && Object.keys(propertiesOf(reading.definition, schema)).length === 0) ||
    (stated?.endsWith('[]') === true && shown?.endsWith('[]') === true);
  // The specification has ids that are texts, and so has the embedded deployment.
  const type =
    (path === 'id' ? 'string' : saysLittle ? shown : undefined) ?? stated ?? inTable ?? shown ?? inRow ?? 'string';
  const isUntold = stated === undefined && (inTable === undefined || isHolder || isBareList);
  const untold = isBareList ? 'the table says List and not of what' : 'no type is published';
  const why = doubt ?? (isUntold ? untold : undefined);
  const isGuess = why !== undefined;
  if (isGuess) reading.guesses.push(`${path}: ${type}, for ${why}`);
  const isSame = (one: FieldFile['type']) => one === type || (type === 'number' && one === 'integer');
  const seen = [stated, shown, word].find((one) => one !== undefined && !isSame(one));
  if (seen === undefined) return { type, isGuess };
  reading.guesses.push(`${path}: ${type} in one place and ${seen} in another; both are taken`);
  return { type, seen, isGuess };
}

/** Characters of a value, as JSON: published ones take a tenth. */
const LARGEST = 20_000;

/** Stands for a secret: every run makes its own. */
const GENERATED = '(generated)';

type Made = Omit<FieldFile, 'samples'>;

/** An object with each member in its type: its own first value where the published one has another. */
const fittedMembers = (members: Readonly<Record<string, FieldFile>>, value: Json): Json =>
  Object.fromEntries(
    Object.entries(value).flatMap(([name, held]) => {
      const field = Object.hasOwn(members, name) ? members[name] : undefined;
      const own = field === undefined ? held : (fitted(field, held) ?? field.samples?.[0]);
      return own === undefined || field?.readOnly === true ? [] : [[name, own]];
    }),
  );

/** The value in the type of the field; undefined if it cannot be. */
function fitted({ type, oneOf, limits, members = {} }: Made, value: unknown): unknown {
  if (type === 'string' && (typeof value === 'number' || typeof value === 'boolean'))
    return fitted({ type, oneOf, limits }, String(value));
  if (type === 'string')
    return typeof value === 'string' && value !== '' && (oneOf === undefined || oneOf.includes(value))
      ? value
      : undefined;
  if (type === 'boolean')
    return /^(?:true|false)$/i.test(String(value)) ? String(value).toLowerCase() === 'true' : undefined;
  if (isNumber(type)) {
    const number =
      typeof value === 'number' || /^-?\d{1,15}(?:\.\d{1,15})?$/.test(String(value)) ? Number(value) : Number.NaN;
    return (type === 'number' ? Number.isFinite(number) : Number.isSafeInteger(number)) &&
      number >= (limits?.[0] ?? number) &&
      number <= (limits?.[1] ?? number)
      ? number
      : undefined;
  }
  if (type === 'object') return isObject(value) ? fittedMembers(members, value) : undefined;
  if (!Array.isArray(value)) return undefined;
  if (type === 'string[]') return value.every((item) => typeof item === 'string') ? value : undefined;
  return value.every(isObject) ? value.map((item) => fittedMembers(members, item)) : undefined;
}

function mild({ type, oneOf, limits, members = {} }: Made): unknown {
  if (oneOf !== undefined) return oneOf[0];
  if (type === 'boolean') return false;
  if (isNumber(type)) return limits?.[0] ?? 1;
  if (type === 'string') return undefined;
  const all = Object.fromEntries(
    Object.entries(members).flatMap(([name, { samples, secret, readOnly }]) =>
      readOnly === true || (samples === undefined && secret !== true) ? [] : [[name, samples?.[0] ?? GENERATED]],
    ),
  );
  if (type === 'string[]') return [];
  if (type === 'object') return all;
  return Object.keys(all).length === 0 ? [] : [all];
}

/** Changes the last digit, or adds one: an address stays an address, a name a name, and a truth value one too. */
function otherText(text: string, most: number): string {
  if (/^(?:true|false)$/i.test(text)) return String(text.toLowerCase() !== 'true');
  const [before, domain] = text.split('@');
  if (domain !== undefined && !/\d/.test(text)) return `${before}2@${domain}`.slice(0, most);
  const changed = text.replace(/(\d)(?=\D*$)/, (digit) => String((Number(digit) + 1) % 10));
  return changed !== text ? changed : text.length + 2 > most ? `${text.slice(0, most - 1)}2` : `${text}-2`;
}

/** One more or one less within the limits; where neither fits, an end of them. */
function otherNumber(value: number, [low, high] = [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER]): number {
  const near = [value + 1, value - 1, high, low].filter((one) => one >= low && one <= high);
  return near.find((one) => one !== value) ?? value;
}

function other({ type, oneOf, limits, members = {} }: Made, value: unknown): unknown {
  if (oneOf !== undefined) return oneOf[(oneOf.indexOf(String(value)) + 1) % oneOf.length];
  if (type === 'boolean') return value !== true;
  if (isNumber(type)) return otherNumber(Number(value), limits);
  if (type === 'string') return otherText(String(value), limits?.[1] ?? 10_000);
  if (type === 'string[]')
    return (value as string[]).length === 0 ? ['text'] : (value as string[]).map((item) => otherText(item, 10_000));
  if (type === 'object[]') return (value as unknown[]).map((item) => other({ type: 'object', members }, item));
  return Object.fromEntries(
    Object.entries(value as object).map(([name, held]) => {
      const samples = Object.hasOwn(members, name) ? members[name]?.samples : undefined;
      if (samples !== undefined && isDeepStrictEqual(samples[0], held)) return [name, samples[1]];
      // What no member describes is of a map: its values differ as well.
      return [name, !Object.hasOwn(members, name) && typeof held === 'string' ? otherText(held, 10_000) : held];
    }),
  );
}

/** A value with signs for its secrets, and with names alone that members may have: bodies in XML hold no others. */
function veiled({ secret, members = {} }: Made, value: unknown): unknown {
  if (secret === true) return GENERATED;
  if (Array.isArray(value)) return value.map((item) => veiled({ type: 'object', members }, item));
  if (!isObject(value)) return value;
  const named = Object.entries(value).map(([name, held]) => [name.replace(/[^\w.-]+/g, '_'), held] as const);
  return Object.fromEntries(
    named.flatMap(([name, held]) =>
      isMemberName(name)
        ? [[name, Object.hasOwn(members, name) ? veiled(members[name] as FieldFile, held) : held]]
        : [],
    ),
  );
}

/** A published value with the members that its example leaves out. */
function whole(field: Made, published: unknown): unknown {
  const given = fitted(field, published);
  if (Array.isArray(given) && field.type === 'object[]')
    return given.map((item) => whole({ type: 'object', members: field.members }, item));
  return isObject(given) ? { ...(mild(field) as object), ...given } : given;
}

/** Two values of a member: the published one, else the mildest of its type, and another of the same form. */
export function samplesOf(field: Made, published: unknown): [unknown, unknown] | undefined {
  if (field.secret === true) return undefined;
  const [one] = field.type === 'string' && Array.isArray(published) ? published : [published];
  const first = whole(field, one) ?? mild(field);
  if (first === undefined || JSON.stringify(first).length > LARGEST) return undefined;
  const clean = veiled(field, first);
  return [clean, veiled(field, other(field, clean))];
}
