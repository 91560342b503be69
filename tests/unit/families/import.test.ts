import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { FAMILIES } from '../../../lib/contract/families.ts';
import { registerFamilies } from '../../../lib/contract/register.ts';
import { levelOf, requirements } from '../../../lib/contract/requirements.ts';
import { vendorFacts } from '../../../lib/contract/vendor.ts';
import { importDefinitions } from '../../../lib/families/import/import.ts';
import { limitsIn, listedValues, namesBehind, plain } from '../../../lib/families/import/prose.ts';
import { readFamilies } from '../../../lib/families/read.ts';
import { packageRoot } from '../../../lib/package-root.ts';
import { dropFamilies, importedFrom, SWAGGER, written } from '../../helpers/a-definition.ts';

describe('a definition of the vendor', () => {
  const { taken, read } = importedFrom(SWAGGER);
  const [gadget] = taken;
  const family = gadget?.family;

  it('gives the operations of the specification by path and verb, and says why others are left out', () => {
    expect([...(family?.operations ?? [])].sort().join(' ')).toBe(
      'bulkMonitor bulkSubmit create delete deleteByName list read readByName update updateByName version',
    );
    expect(gadget?.published).toBe(13);
    expect(gadget?.left).toEqual([
      'PATCH /ers/config/gadget/{id}: the specification has no PATCH',
      'PUT /ers/config/gadget/{id}/restart: an action of this family alone: no operation of the specification is like it',
    ]);
    expect(gadget?.guesses).toContain('PUT /ers/config/gadget/submit is taken for PUT /bulk/submit');
  });

  it('gives root keys, media type, versions, filters, sorts and the members of list entries', () => {
    expect(family).toMatchObject({
      root: 'ERSGadget',
      bulkRoot: 'GadgetBulkRequest',
      mediaType: 'shop.gadget.1.2',
      versions: { current: '1.2', supported: '1.0,1.2' },
      filters: ['name', 'MODE', 'colour'],
      sorts: ['name', 'description'],
      reads: { MODE: 'mode' },
      listed: ['name'],
    });
  });

  it('gives types, values, limits, required and nested members from schemas and tables', () => {
    expect(family?.fields).toMatchObject({
      name: { type: 'string', required: true, limits: [0, 32] },
      mode: { type: 'string', oneOf: ['FAST', 'SLOW'], required: true, samples: ['FAST', 'SLOW'] },
      interval: { type: 'integer', limits: [600, 86400], samples: [3600, 3601] },
      flag: { type: 'string', alsoSeen: 'boolean' },
      mac: { form: 'mac' },
      createdOn: { readOnly: true },
      settings: { type: 'object', members: { ports: { type: 'object[]', members: { port: { type: 'integer' } } } } },
    });
    expect(family?.fields).not.toHaveProperty('link');
  });

  it('holds no secret: a run makes its own', () => {
    expect(family?.fields['settings']).toMatchObject({
      members: { sharedSecret: { secret: true } },
      samples: [{ sharedSecret: '(generated)', ports: [{ port: 7 }] }, { sharedSecret: '(generated)' }],
    });
    // What is beside a secret has to come back.
    expect(read[0]?.facts.serverFilled).toEqual([]);
  });

  it('is read alike from OpenAPI 3 in JSON, with the path in the server', () => {
    const body = { content: { 'application/json': { schema: { $ref: '#/components/schemas/Gadget' } } } };
    const resource = {
      type: 'object',
      required: ['mode'],
      properties: { name: { type: 'string', maxLength: 9 }, mode: { type: ['string', 'null'], enum: ['A', 'B'] } },
    };
    const [other] = importedFrom({
      openapi: '3.1.0',
      info: { title: 'Gadget' },
      servers: [{ url: 'https://{host}/ers/config' }],
      paths: {
        '/gadget/': {
          post: { requestBody: body },
          get: { parameters: [{ name: 'sortasc', schema: { enum: ['name'] } }] },
        },
        '/gadget/{gadget-id}': { get: { responses: { '200': body } }, delete: {} },
      },
      components: { schemas: { Gadget: { type: 'object', properties: { Gadget: { allOf: [resource] } } } } },
    }).taken;
    expect(other?.family.operations).toEqual(['list', 'create', 'read', 'delete']);
    const fields = { mode: { oneOf: ['A', 'B'], required: true } };
    expect(other?.family).toMatchObject({ root: 'Gadget', sorts: ['name'], fields });
  });
});

describe('the text of a definition', () => {
  it.each([
    ['Filter: [name, description] Sorting: [id]', ['name', 'description']],
    ['Filter: the following: <h3>[a, b]</h3>', ['a', 'b']],
    ['Sorting: [a]', []],
    ['Filter: Sorting: [a]', []],
    ['the following filters:<ul><li>a</li><li class="x">b</li></ul>', ['a', 'b']],
    ['Filter: a, b. And more', ['a', 'b']],
    ['Filters: use them, or not', []],
    ['All.<br>Filter:<br>mac<br>vlan<br><br>Sorting:<br>name', ['mac', 'vlan']],
    ['Filter:<br>[name]<br>[hostIP]<br>Sorting:<br>[id]', ['name', 'hostIP']],
    ['Filter on name, description or minimumScore. Operators EQ, NEQ.', ['name', 'description', 'minimumScore']],
    ['<p>Filter:</p><table><tr><td>name</td></tr><tr><td>mode</td></tr></table><p>Sorting: name</p>', ['name', 'mode']],
    ['Filter: [name', ['name']],
    ['filter: Filter Supported Fields:[name, vendor-id]', ['name', 'vendor-id']],
    ['filter: Supported fields: name, mode', ['name', 'mode']],
    ['Filtering on: <ul><li>name</li></ul> Sorting on: <ul><li>mode</li></ul>', ['name']],
    ['You can filter by the name of a device', []],
    ['no word of it', []],
  ])('names filters: %s', (text, names) => expect(namesBehind(text, 'filter')).toEqual(names));

  it.each([
    ['Allowed values: - ALL, - ND, - NDG', ['ALL', 'ND', 'NDG']],
    ['Allowed values:OFF,ON_DRAFT_COMPLIANT', ['OFF', 'ON_DRAFT_COMPLIANT']],
    ['Allowed values: - A1, - CUSTOM Choose A1 when', ['A1', 'CUSTOM']],
    ['All characters are allowed', undefined],
    ['Allowed Values:<br>- A1 <br>- B2', ['A1', 'B2']],
    ['Possible values: <ul><li>A1</li><li>B2</li></ul>', ['A1', 'B2']],
    ['Valid values are A1, B2 and C3.', ['A1', 'B2', 'C3']],
    ["the values should be 'A1' or 'B2'. They are", ['A1', 'B2']],
    ['Value should be one of the following: A1, B2', ['A1', 'B2']],
    ['Allowed values: true or false when enabled', undefined],
  ])('lists values: %s', (text, values) => expect(listedValues(plain(text))).toEqual(values));

  it.each([
    ['Range 1-8760 hours', false, [1, 8760]],
    ['Valid Range 600 to 86400', false, [600, 86400]],
    ['Valid range - 1 to 120 (seconds)', false, [1, 120]],
    ['Range -5 to 5', false, [-5, 5]],
    ['Maximum 32 characters allowed', true, [0, 32]],
    ['2 to 8 characters', true, [2, 8]],
    ['Shared secret maximum length is 128 characters', true, [0, 128]],
    ['The maximum length is 16 ASCII characters or 32', true, [0, 16]],
    ['seconds since epoch', false, undefined],
  ])('gives limits: %s', (text, isText, limits) => expect(limitsIn(text, isText)).toEqual(limits));
});

const PUBLISHED = join(packageRoot(), '..', 'shared', 'openapi');

describe.skipIf(!existsSync(PUBLISHED))('the published definitions, where they are at hand', () => {
  const files = existsSync(PUBLISHED) ? readdirSync(PUBLISHED).filter((name) => name.endsWith('.yaml')) : [];

  it('are imported unedited, with a root key, fields and every operation but PATCH and own actions', () => {
    const { taken, left } = importDefinitions(files.map((name) => join(PUBLISHED, name)));
    expect(left).toEqual([]);
    expect(taken).toHaveLength(files.length);
    for (const { family, published, left: out } of taken) {
      const without = out.filter((line) => /^(?:GET|PUT|POST|PATCH|DELETE) /.test(line));
      expect(family.operations.length + without.length, family.title).toBe(published);
      expect(family.root, family.title).toBeDefined();
      expect(Object.keys(family.fields).length, family.title).toBeGreaterThan(2);
    }
  });
});

const head = 'families:\n  gadget:\n    title: Gadget\n    definition: gadget.yaml\n    operations: [ list, read ]\n';
const read = (text: string) => readFamilies(written(text, 'families.yaml'));

const withField = (field: string) => `${head}    fields:\n      ${field}\n`;
const instead = (of: string, other: string) => `${head.replace(of, other)}    fields: {}\n`;

describe('a file of families', () => {
  afterEach(() => dropFamilies(['gadget']));

  it.each([
    ['a type that is none', withField('name: { type: text }'), /line 7: families\.gadget\.fields\.name\.type/],
    ['a member left out', instead('    title: Gadget\n', ''), /line 3: families\.gadget\.title: missing; type string/],
    ['a key that is none', `${head}    fields: {}\n    colour: red\n`, /line 3: families\.gadget: .*colour/],
    ['a name that objects inherit', withField('constructor: { type: string }'), /line 7.*no name of a member/],
    ['a prototype', withField('__proto__: { type: string }'), /line 7: __proto__ is no key/],
    ['a list member without a field', `${head}    listed: [ colour ]\n    fields: {}\n`, /line 6: colour is no member/],
    ['a create without a root', instead('list, read', 'list, read, delete, create'), /line 5: create needs a root/],
    ['a create without a delete', instead('list, read', 'list, read, create'), /line 5: a create without delete/],
    ['no list', instead('list, read', 'read'), /line 5: a family without a list/],
    ['one of the twelve', instead('gadget:', 'sgt:'), /line 3: the family sgt is there already/],
    ['an alias', `${head}    fields: &a {}\n    reads: *a\n`, /line 7: aliases/],
    ['a key twice', withField('name: { type: string, type: string }'), /line 7: type stands there twice/],
    ['no mapping', '- a\n', /this is not a mapping/],
  ])('with %s is refused by its line', (_, text, message) => expect(() => read(text)).toThrow(message));

  it('with 60 000 keys in one mapping is read in seconds', { timeout: 30_000 }, () => {
    const keys = Array.from({ length: 60_000 }, (_, index) => `k${index}: v`).join(', ');
    expect(read(withField(`map: { type: object, samples: [ {}, { ${keys} } ] }`))).toHaveLength(1);
  });

  it('puts its families beside the twelve, with requirements of their own levels', () => {
    const before = Object.keys(FAMILIES);
    registerFamilies(read(`${head}    fields: { name: { type: string } }\n    filters: [ name ]\n`));
    expect(Object.keys(FAMILIES)).toEqual([...before, 'gadget']);
    expect(requirements().find(({ id }) => id === 'OP-gadget-L')?.section).toBe('Published definition gadget.yaml');
    for (const id of ['OP-gadget-L', 'FLD-gadget', 'RES-TYPE']) expect(levelOf(id, 'gadget'), id).toBe('stated');
    for (const id of ['LST-PAGE', 'SVC-1']) expect(levelOf(id, 'gadget'), id).toBe('implied');
    for (const id of ['RES-TYPE', 'LST-PAGE']) expect(levelOf(id, 'sgt'), id).toBe('stated');
    expect(() => registerFamilies(read(`${head}    fields: {}\n`))).toThrow(/there already/);
    dropFamilies(['gadget']);
    expect(Object.keys(FAMILIES)).toEqual(before);
    expect(vendorFacts('gadget').mediaType).toBe('gadget.1.0');
  });
});
