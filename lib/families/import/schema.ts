import { DEEPEST, type Definition, type Json, objectOf } from './document.ts';

/** Words with which one of several alternatives binds its own values. */
const BOUNDS = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'minLength', 'maxLength'];

const merged = (parts: readonly Json[]): Json => Object.assign({}, ...parts);
const membersIn = (parts: readonly Json[]): Json => merged(parts.map(({ properties }) => objectOf(properties)));

/** Names that a schema with these parts requires. */
export const requiredIn = (parts: readonly Json[]): readonly unknown[] =>
  parts.flatMap(({ required }) => (Array.isArray(required) ? required : []));

/** What several alternatives say together, `isOne` if one alone holds: values if all list some, what each requires, and all members in each of their forms. */
function agreed(alternatives: readonly (readonly Json[])[], isOne: boolean): Json {
  const listed = alternatives.map((parts) => merged(parts)['enum']);
  // A number that may stand for an object requires nothing of it.
  const objects = alternatives.filter((parts) => [merged(parts)['type'] ?? 'object'].flat().includes('object'));
  const [first = [], ...others] = objects.map(requiredIn);
  const taken = membersIn(objects[0] ?? []);
  const forms = new Map<string, Set<unknown>>();
  for (const [name, schema] of alternatives.flatMap((parts) => Object.entries(membersIn(parts))))
    forms.set(name, (forms.get(name) ?? new Set()).add(schema));
  return {
    ...Object.fromEntries(BOUNDS.map((word) => [word, undefined])),
    enum: listed.every(Array.isArray) ? listed.flat() : undefined,
    required: first.filter((name) => others.every((names) => names.includes(name))),
    properties: Object.fromEntries(
      [...forms].map(([name, [one, ...more]]) => [
        name,
        // A body that mixes two alternatives is valid under none: it holds what the first of them has.
        isOne && !Object.hasOwn(taken, name)
          ? { allOf: [one], readOnly: true }
          : more.length === 0
            ? one
            : { oneOf: [one, ...more] },
      ]),
    ),
  };
}

/** A schema and all that it is made of. What one alternative alone says binds none of another. */
export function partsOf(definition: Definition, schema: Json, depth = 0): readonly Json[] {
  const of = (...kinds: readonly string[]) =>
    kinds
      .flatMap((kind) => (depth > DEEPEST ? [] : [schema[kind] ?? []].flat()))
      .map((part) => partsOf(definition, definition.resolved(part), depth + 1));
  const choices = of('oneOf', 'anyOf');
  const values = choices.filter((parts) => merged(parts)['type'] !== 'null');
  const alone = Object.hasOwn(schema, 'const') ? { enum: [schema['const']], ...schema } : schema;
  if (values.length < 2) return [...of('allOf').flat(), ...choices.flat(), alone];
  const bare = choices.flat().map((part) => ({ ...part, required: undefined, properties: undefined }));
  return [...of('allOf').flat(), ...bare, agreed(values, Object.hasOwn(schema, 'oneOf')), alone];
}

/** Names of the properties that a schema states, without those that it forbids. */
export const statedIn = (definition: Definition, schema: Json): readonly string[] =>
  Object.entries(membersIn(partsOf(definition, schema))).flatMap(([name, held]) => (held === false ? [] : [name]));

/** All properties of a schema, those of its parts among them; where there are none, what its example holds. */
export function propertiesOf(definition: Definition, schema: Json): Json {
  const stated = membersIn(partsOf(definition, schema));
  if (Object.keys(stated).length > 0) return stated;
  const shown = Object.entries(objectOf(schema['example']));
  return Object.fromEntries(shown.map(([name, example]) => [name, { example }]));
}

/** Types that a schema and its parts state, null left out. */
export const wordsOf = (definition: Definition, schema: Json): readonly unknown[] =>
  [...new Set(partsOf(definition, schema).flatMap(({ type }) => [type ?? []].flat()))].filter((one) => one !== 'null');

/** True if the definition says that null may stand for a value. */
export const isNullable = (definition: Definition, schema: Json): boolean =>
  partsOf(definition, schema).some(
    (part) => part['nullable'] === true || part['x-nullable'] === true || [part['type']].flat().includes('null'),
  );
