import { DEEPEST, type Definition, type Json, objectOf } from './document.ts';

/** Takes away what one of several alternatives binds its own values with. */
const UNBOUND = Object.fromEntries(
  ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'minLength', 'maxLength'].map((word) => [
    word,
    undefined,
  ]),
);

/** A schema and all that it is made of. What one alternative alone says of values binds none of another: only lists of all are one. */
export function partsOf(definition: Definition, schema: Json, depth = 0): readonly Json[] {
  const of = (...kinds: readonly string[]) =>
    kinds
      .flatMap((kind) => (depth > DEEPEST ? [] : [schema[kind] ?? []].flat()))
      .map((part) => partsOf(definition, definition.resolved(part), depth + 1));
  const choices = of('oneOf', 'anyOf');
  const values = choices.map((parts) => Object.assign({}, ...parts)).filter(({ type }) => type !== 'null');
  const listed = values.map((one) => one.enum);
  const agreed = { ...UNBOUND, enum: listed.every(Array.isArray) ? listed.flat() : undefined };
  const alone = Object.hasOwn(schema, 'const') ? { enum: [schema['const']], ...schema } : schema;
  return [...of('allOf').flat(), ...choices.flat(), values.length > 1 ? agreed : {}, alone];
}

/** All properties of a schema, those of its parts among them; where there are none, what its example holds. */
export function propertiesOf(definition: Definition, schema: Json): Json {
  const stated: Json = Object.assign({}, ...partsOf(definition, schema).map(({ properties }) => objectOf(properties)));
  if (Object.keys(stated).length > 0) return stated;
  const shown = Object.entries(objectOf(schema['example']));
  return Object.fromEntries(shown.map(([name, example]) => [name, { example }]));
}

/** Types that a schema and its parts state, null left out. */
export const wordsOf = (definition: Definition, schema: Json): readonly unknown[] =>
  [...new Set(partsOf(definition, schema).flatMap(({ type }) => [type ?? []].flat()))].filter((one) => one !== 'null');

/** True if the definition says that null may stand for a value. */
export const isNullable = (definition: Definition, schema: Json): boolean =>
  partsOf(definition, schema).some(({ type, nullable }) => nullable === true || [type].flat().includes('null'));
