import { isDeepStrictEqual } from 'node:util';
import { isNumber } from '../../lib/contract/types.ts';
import { type FieldFile, isMemberName } from '../file.ts';
import { isObject } from './document.ts';

/** Characters of a value, as JSON: published ones take a tenth. */
const LARGEST = 20_000;

/** Stands for a secret: every run makes its own. */
const GENERATED = '(generated)';

type Made = Omit<FieldFile, 'samples'>;

/** The value in the type of the field; undefined if it cannot be. */
function fitted({ type, oneOf, limits }: Made, value: unknown): unknown {
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
  if (type === 'object') return isObject(value) ? value : undefined;
  if (!Array.isArray(value)) return undefined;
  return value.every((item) => (type === 'object[]' ? isObject(item) : typeof item === 'string')) ? value : undefined;
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

/** A published value with the members that its example leaves out or gives in another type. */
function whole(field: Made, published: unknown): unknown {
  const { members = {} } = field;
  const given = fitted(field, published);
  if (Array.isArray(given) && field.type === 'object[]')
    return given.map((item) => whole({ type: 'object', members }, item));
  if (!isObject(given)) return given;
  const kept = Object.entries(given)
    .map(([name, held]) => [name, Object.hasOwn(members, name) ? fitted(members[name] as FieldFile, held) : held])
    .filter(([name, held]) => held !== undefined && members[name as string]?.readOnly !== true);
  return { ...(mild(field) as object), ...Object.fromEntries(kept) };
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
