import { afterEach, describe, expect, it } from 'vitest';
import { deviationsOf } from '../../../conformance/kit/schemas.ts';
import { registerFamilies } from '../../../lib/contract/register.ts';
import type { Family } from '../../../lib/contract/types.ts';
import { dropFamilies, importedFrom } from '../../helpers/a-definition.ts';
import { HANGING, SEVERAL, VISITOR } from '../../helpers/odd-definitions.ts';

const object = (properties: object, more: object = {}) => ({ type: 'object', properties, ...more });
const string = { type: 'string' };
const holding = (schema: object) => ({ content: { 'application/json': { schema } } });
/** A create or a read of a record with these members, of which the name is required. */
const ofDir = (properties: object) => holding(object({ Dir: object(properties, { required: ['name'] }) }));

const listed = { responses: { 200: { description: 'ok' } } };
const item = { parameters: [{ name: 'id', in: 'path' }], get: listed, delete: listed };

/** What is made of a definition whose creates hold these members, or whose reads do. */
function dirOf(properties: object, { isRead = false, list = {}, info = {}, openapi = '3.1.0' } = {}) {
  const body = ofDir(properties);
  const all = { get: { ...listed, ...list }, ...(isRead ? {} : { post: { requestBody: body, responses: {} } }) };
  const one = isRead ? { get: { responses: { 200: body } } } : item;
  const paths = { '/ers/config/dir': all, '/ers/config/dir/{id}': one };
  const { taken, read } = importedFrom({ openapi, info, paths });
  registerFamilies(read);
  const [{ family = undefined, ...dir } = {}] = taken;
  const deviations = (record: object) =>
    deviationsOf(read[0]?.family as Family, { id: '1', name: 'a', ...record }, 'record');
  return { ...dir, family, fields: family?.fields ?? {}, required: read[0]?.facts.requiredOnCreate, deviations };
}

/** A record whose list is published with fewer members than its example has. */
const RULES = { type: 'array', items: object({ name: string }), example: [{ name: 'a', action: 'ADD' }] };
const DIR = { id: string, name: { ...string, example: 'one' }, rules: RULES };

describe('odd forms of definitions', () => {
  afterEach(() => dropFamilies(['dir']));

  it('take lists of values, maps, examples and second spellings for what they are', () => {
    const [visitor] = importedFrom(VISITOR).taken;
    expect(visitor?.family).toMatchObject({ filters: ['name', 'kind', 'mail.box', 'mail'], sorts: ['name'] });
    expect(visitor?.family.fields).toMatchObject({
      kind: { required: true, samples: ['Contractor (default)', 'Contractor (default)-2'] },
      status: { oneOf: ['WAITING', 'ACTIVE'], readOnly: true },
      mail: { samples: ['me@example.com', 'me2@example.com'] },
      flag: { type: 'string', samples: ['true', 'false'] },
      roles: { type: 'string[]', samples: [['A'], ['B']] },
      groups: { type: 'string[]', alsoSeen: 'object[]' },
      fields: { type: 'object', samples: [{ some_field: 'x' }, { some_field: 'x-2' }] },
      details: {
        members: { user: string, enabled: { type: 'boolean', alsoSeen: 'string' }, password: { secret: true } },
        // What only reads show is in no body.
        samples: ['u1', 'u2'].map((user) => ({ user, password: '(generated)' })),
      },
    });
    for (const none of ['STATUS', 'ports']) expect(visitor?.family.fields).not.toHaveProperty(none);
    expect(visitor?.left).toContain('ports: a list of something else than texts and objects');
  });

  it('lose the writes that a run could not do to records of its own, with the reason', () => {
    const { taken, read } = importedFrom(SEVERAL);
    const of = (name: string) => taken.find((each) => each.name === name);
    expect(of('nodes')?.family.operations).toEqual(['readByName', 'read', 'list']);
    expect(of('nodes')?.left.join()).toContain('deleteByName, update of nodes: a run has no record of its own');
    expect(of('nodes')?.family.fields).toHaveProperty('name');
    expect(of('place')?.left).toEqual(['delete, create of place: no member is published']);
    expect(of('flat')?.family).toMatchObject({ root: 'Flat', fields: { order: { type: 'number', limits: [1, 3] } } });
    expect(read).toHaveLength(3);
  });

  it('are read though texts in quotes hang out', () => {
    const [server] = importedFrom(HANGING).taken;
    expect(server?.family.fields).toMatchObject({ timeout: { limits: [1, 120] }, sharedSecret: { secret: true } });
    expect(server?.from.join()).toContain('quotes');
  });

  it('are read though all paths, or some of a family, lack the prefix of the service', () => {
    const post = { requestBody: ofDir(DIR), responses: {} };
    for (const path of ['/dir/', '/ers/config/dir']) {
      const paths = { [path]: { get: listed, post }, '/dir/{id}': item };
      const [dir, ...more] = importedFrom({ openapi: '3.0.0', paths }).taken;
      expect([dir?.name, dir?.family.operations, more]).toEqual(['dir', ['list', 'create', 'read', 'delete'], []]);
    }
  });

  it('accuse no server for a fraction, a list, or another type where the type is a guess', () => {
    const table = `<table><tr><td>Attribute</td><td>Type</td><td>Example Values</td></tr>
      <tr><td>systems</td><td>List</td><td>["a","b"]</td></tr><tr><td>any</td><td>List</td><td></td></tr>
      <tr><td>adminPwd</td><td>String</td><td>abc</td></tr></table>`;
    const properties = {
      id: { type: 'string' },
      name: { type: 'string', example: 'a' },
      ratio: { type: 'number', minimum: 0, maximum: 1, example: 0.5 },
      level: { example: 4 },
    };
    const { fields, deviations } = dirOf(properties, { info: { title: 'Dir', description: table } });
    expect(fields).toMatchObject({
      ratio: { type: 'number', limits: [0, 1], samples: [0.5, 1] },
      systems: { type: 'string[]', guessed: true },
      any: { type: 'string[]', guessed: true },
      adminPwd: { secret: true },
      level: { type: 'integer', guessed: true },
    });
    const told = (record: object) =>
      deviations(record).map(({ member, tolerated }) => `${member} ${tolerated ? 'warns' : 'fails'}`);
    expect(told({ ratio: 0.25, systems: ['a'] })).toEqual([]);
    expect(told({ ratio: '0.25' })).toEqual(['ratio fails']);
    expect(told({ systems: 'a', any: [{}], level: 4.5 })).toEqual(['level warns', 'systems warns', 'any warns']);
  });

  it('send no member that the table alone names, and read rows by their blanks, however these are spelled', () => {
    const rows = [
      ['actions', 'List', ''],
      ['action', 'Enum', 'FAST'],
      ['mode', 'String', 'a'],
      ['window', 'List', ''],
      ['- days', 'List', ''],
      ['\u00a0 - from', 'String', '1'],
    ];
    const cells = rows.map(([name, type, example]) =>
      [name, type, 'Yes', example].map((cell) => `<td>${cell}</td>`).join(''),
    );
    const head = '<td>Attribute</td><td>Type</td><td>Required</td><td>Example</td>';
    const description = `<table>${[head, ...cells].map((row) => `<tr>${row}</tr>`).join('')}</table>`;
    const days = object({ from: string });
    const list = { description: 'Filter: [name, mode]' };
    const properties = { name: string, actions: string, window: object({ days }) };
    const { fields, guesses, required } = dirOf(properties, { list, info: { description } });
    const { action, mode, window } = fields;
    expect(action).toEqual({ type: 'string', readOnly: true, samples: ['FAST', 'FAST-2'] });
    expect(mode).toEqual({ type: 'string', required: true, samples: ['a', 'a-2'] });
    expect(window).toMatchObject({ members: { days: { type: 'object', members: { from: { samples: ['1', '2'] } } } } });
    expect(guesses).toEqual([
      'actions: string in one place and string[] in another; both are taken',
      'action: the table alone names it, so no body holds it',
    ]);
    expect(required).toEqual(['name', 'actions', 'window', 'mode']);
  });

  it('refer to records of families that their members name at the end', () => {
    const properties = { name: string, sourceSgtId: string, sgt: string, defaultSgtName: string, suffixToSgt: string };
    expect(dirOf(properties).fields).toMatchObject({
      sourceSgtId: { type: 'string', refersTo: 'sgt' },
      sgt: { refersTo: 'sgt', refersBy: 'name' },
      defaultSgtName: { refersTo: 'sgt', refersBy: 'name' },
      suffixToSgt: { type: 'string' },
    });
  });

  it('say which types are doubtful, and take null where it is published', () => {
    const properties = {
      id: { type: 'string' },
      name: { type: 'string' },
      any: { type: 'array', items: {} },
      both: { type: ['integer', 'string'] },
      mode: { allOf: [{ type: 'string', enum: ['A', 'B'] }] },
      note: { anyOf: [{ type: 'string' }, { type: 'null' }] },
      size: { type: 'integer', nullable: true },
      kind: { type: 'string', anyOf: [{ const: 'A' }, { enum: ['B', 'C'] }, { type: 'null' }] },
      open: {
        anyOf: [
          { type: 'string', maxLength: 5 },
          { type: 'string', enum: ['A', 'B'] },
        ],
      },
    };
    const list = { parameters: [{ name: 'filter', description: 'Filter on: name, mode' }] };
    const { family, fields, guesses, deviations } = dirOf(properties, { isRead: true, list });
    expect(family?.filters).toEqual(['name', 'mode']);
    expect(fields['open']).toEqual({ type: 'string' });
    expect(fields).toMatchObject({
      any: { guessed: true },
      both: { guessed: true },
      mode: { type: 'string', oneOf: ['A', 'B'] },
      note: { type: 'string', nullable: true },
      size: { type: 'integer', nullable: true },
      kind: { type: 'string', nullable: true, oneOf: ['A', 'B', 'C'] },
    });
    expect(guesses).toEqual([
      'any: object[], for nothing says what the list holds',
      'both: integer, for several types are published',
    ]);
    expect(deviations({ note: null, size: null })).toEqual([]);
    expect(deviations({ any: ['a'], both: 'x' }).every(({ tolerated }) => tolerated)).toBe(true);
    expect(deviations({ name: null })).toHaveLength(1);
  });

  it('are read with examples and bounds of either version, and say what of them is not read', () => {
    const kinds = [{ properties: { a: { type: 'string' } } }, { properties: { b: { type: 'string' } } }];
    const properties = {
      id: { type: 'string' },
      name: { type: 'string', pattern: '^[a-z]+$', examples: ['one', 'two'] },
      address: { type: 'string', format: 'ipv4' },
      retries: { type: 'integer', exclusiveMinimum: 0, exclusiveMaximum: 10 },
      older: { type: 'integer', minimum: 7, exclusiveMinimum: true },
      action: { oneOf: kinds },
    };
    const dir = dirOf(properties, { isRead: true, list: { description: 'Has filters.' } });
    expect(dir.fields).toMatchObject({
      name: { samples: ['one', 'one-2'] },
      address: { samples: ['192.0.2.10', '192.0.2.11'] },
      retries: { limits: [1, 9], samples: [1, 2] },
      older: { limits: [8, 2147483647], samples: [8, 9] },
    });
    expect(dir.left).toEqual([
      'filters: the text of the list tells of them, and no name of a field could be read',
      'name: what pattern says of its values',
    ]);
    expect(dir.guesses).toContain(
      'action: the members of all its alternatives, of which bodies hold those of the first',
    );
  });
});
