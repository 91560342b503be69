import { describe, expect, it } from 'vitest';
import { importedFrom } from '../../helpers/a-definition.ts';

const body = (schema: unknown) => ({ parameters: [{ in: 'body', schema }], responses: {} });
const crud = (schema: unknown, definitions: unknown = {}) => ({
  ...{ swagger: '2.0', info: { title: 'Gadget' }, definitions },
  paths: { '/ers/config/gadget': { post: body(schema), get: {} } },
});
const wrapped = (inner: unknown) => ({ type: 'object', properties: { Gadget: inner } });
const refTo = (name: string) => ({ $ref: `#/definitions/${name}` });
const levels = (count: number, make: (next: unknown) => unknown) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`L${at}`, make(refTo(`L${at + 1}`))]));

const many = (count: number) => ({
  swagger: '2.0',
  paths: Object.fromEntries(Array.from({ length: count }, (_, at) => [`/ers/config/f${at}`, { get: {} }])),
});

const lines = (count: number, make: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => `\n${make(at)}`).join('');

const anchors = Array.from({ length: 8 }, (_, at) => {
  const [name, of] = [String.fromCharCode(98 + at), String.fromCharCode(97 + at)];
  return `${name}: &${name} [${Array.from({ length: 9 }, () => `*${of}`).join(', ')}]`;
});

describe('a hostile definition', () => {
  it.each<[string, unknown, RegExp]>([
    ['a file', crud({ $ref: '../../etc/passwd#/x' }), /refers to \.\.\/\.\.\/etc\/passwd/],
    ['an address', crud({ $ref: 'http://127.0.0.1:9/x.json' }), /refers to http:\/\/127\.0\.0\.1:9/],
    ['nothing', crud(refTo('absent')), /which is not there/],
    ['no text', crud(refTo('%E0%A4%A')), /which is not there/],
    ['itself', crud(refTo('A'), { A: refTo('B'), B: refTo('A') }), /goes round in a circle/],
    ['what every object inherits', crud({ $ref: '#/constructor' }), /which is not there/],
  ])('that refers to %s is refused', (_, content, message) => expect(() => importedFrom(content)).toThrow(message));

  it.each<[string, unknown, RegExp]>([
    ['5 MB', `swagger: "2.0"\n# ${'a'.repeat(5_000_000)}`, /larger than 4 MiB/],
    ['a YAML bomb', ['swagger: "2.0"', 'a: &a [x, x, x, x, x, x, x, x, x]', ...anchors].join('\n'), /alias count/i],
    ['brackets 200 000 deep', `${'['.repeat(200_000)}${']'.repeat(200_000)}`, /nests more than/],
    ['dashes 10 000 deep', `swagger: "2.0"\na:\n  ${'- '.repeat(10_000)}x`, /nests too deep/],
    ['a line of 1 MB', `swagger: "2.0"\na: ${': '.repeat(500_000)}`, /a line has/],
    ['an example 1000 deep', `{"x":${'{"a":'.repeat(1000)}1${'}'.repeat(1000)}}`, /nests more than 500/],
    ['more families than a product has', many(1001), /more than 1000 families/],
    ['40 000 keys', `swagger: "2.0"\nx:${lines(40_000, (at) => `  k${at}: 1`)}`, /no path is below/],
    ['no text', '', /no OpenAPI 3 and no Swagger 2/],
    ['no path', { swagger: '2.0', paths: { '/api/v1/x': { get: {} } } }, /no path is below/],
    ['a broken quote', 'swagger: "2.0\npaths: {', /line 2: Missing closing/],
  ])('of %s is refused', (_, content, message) => expect(() => importedFrom(content)).toThrow(message));

  it('whose schemas repeat themselves without end is refused, or cut with a remark', () => {
    const parts = levels(30, (next) => ({ allOf: Array.from({ length: 20 }, () => next) }));
    const endless = crud(wrapped(refTo('L0')), { ...parts, L30: {} });
    expect(() => importedFrom(endless)).toThrow(/references have to be followed/);
    const members = (of: unknown) => Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`m${at}`, of]));
    const wide = levels(11, (next) => ({ properties: members(next) }));
    const { taken } = importedFrom(crud(wrapped(refTo('L0')), { ...wide, L11: { type: 'string' } }));
    expect(taken[0]?.left.join()).toContain('more than 2000 members');
  });

  it('whose schema holds itself is cut there, and no body holds what was cut', () => {
    const T = { properties: { name: { type: 'string' }, child: refTo('T') } };
    const { taken } = importedFrom(crud(wrapped(refTo('T')), { T }));
    expect(taken[0]?.family.fields['child']).toEqual({ type: 'object' });
    expect(taken[0]?.left).toContain('members of child: the schema holds itself, or nests too deep');
  });

  it('leaves out names that every object inherits, of families and of members', () => {
    const string = { type: 'string' };
    const inherited = { type: 'object', properties: { a: {} } };
    const properties = { name: string, constructor: string, toString: inherited, PROTO: {} };
    const text = JSON.stringify(crud(wrapped({ type: 'object', properties }))).replace('PROTO', '__proto__');
    const paths = '"paths":{"/ers/config/constructor/{id}":{"get":{}},';
    const { taken, left } = importedFrom(text.replace('"paths":{', paths));
    expect(Object.keys(taken[0]?.family.fields ?? {})).toEqual(['name']);
    expect(taken[0]?.left).toHaveLength(3);
    expect(left[0]).toMatch(/^constructor of .*no path segment of a family$/);
    expect(({} as Record<string, unknown>)['type']).toBeUndefined();
  });

  it('whose example holds names that every object inherits, or without end, gives no such value', () => {
    const wide = Object.fromEntries(Array.from({ length: 1500 }, (_, at) => [`k${at}`, { a: at }]));
    const inherited = '{"__proto__":{"x":1},"constructor":{"y":2},"fine":{"toString":"a","b":"c"}}';
    const properties = { odd: { example: 'HERE' }, wide: { example: wide } };
    const text = JSON.stringify(crud(wrapped({ type: 'object', properties })));
    const { fields } = importedFrom(text.replace('"HERE"', inherited)).taken[0]?.family ?? {};
    expect(fields?.['wide']?.samples).toBeUndefined();
    expect(fields?.['odd']?.samples?.[0]).toEqual({ fine: { b: 'c' } });
    expect(({} as Record<string, unknown>)['x']).toBeUndefined();
  });

  it('with bounds that are no numbers gives none, and a file that can be read', () => {
    const properties = 'a: { type: integer, minimum: -.inf }';
    const text = JSON.stringify(crud(wrapped({ type: 'object', properties: 'HERE' }))).replace(
      '"HERE"',
      `{ ${properties} }`,
    );
    const { read } = importedFrom(`# YAML\n${text}`);
    expect(read[0]?.family.fields).toEqual({ a: { type: 'integer', samples: [1, 2] } });
  });

  it('that names one of the twelve leaves it as it is', () => {
    const paths = { '/ers/config/sgt/{id}': { get: {} } };
    expect(() => importedFrom({ swagger: '2.0', paths })).toThrow(/one of the twelve/);
  });
});
