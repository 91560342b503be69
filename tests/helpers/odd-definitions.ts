const ref = (name: string) => ({ $ref: `#/definitions/${name}` });
const text = (example?: string) => ({ type: 'string', ...(example !== undefined && { example }) });
const body = (schema: unknown) => ({ parameters: [{ in: 'body', schema }] });
const shown = (schema: unknown) => ({ responses: { 200: { schema } } });
const table = (...rows: readonly (readonly string[])[]) =>
  `<table>${[['Attribute', 'Type', 'Required', 'Description', 'Example Values'], ...rows]
    .map((cells) => `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`)
    .join('')}</table>`;

/** Swagger 2 in JSON: enumerations as points of a list, a map, an object that only an example shows, filters without brackets. */
export const VISITOR = {
  swagger: '2.0',
  basePath: '/ers',
  info: {
    title: 'Visitor',
    description: table(
      ['kind', 'String', 'Yes', '', 'Contractor (default)'],
      ['STATUS', 'Enum', 'No', 'Read only. Possible values: <ul><li>WAITING</li><li>ACTIVE</li></ul>', ''],
      ['mail', 'String', 'No', 'For example, [URL]?filter=mail.EQ.me', ''],
      ['fields', 'Map', 'No', '', ''],
      ['details', 'List', 'No', '', ''],
      ['- enabled', 'Boolean', 'No', 'only for Get operation', 'true'],
      ['- password', 'String', 'No', '', '9990'],
    ),
  },
  paths: {
    '/config/visitor': {
      get: {
        description: 'these filters:<ul><li>name</li><li>kind</li><li>mail.box</li></ul> <h1>Sorting:</h1>[name]',
      },
      post: body(ref('visitor')),
    },
    '/config/visitor/{id}': { get: shown(ref('visitor')), put: body(ref('visitor')), delete: {} },
  },
  definitions: {
    visitor: {
      properties: {
        Visitor: {
          type: 'object',
          properties: {
            ...{ id: text(), name: text('visitor'), kind: text(), status: text('ACTIVE') },
            ...{ mail: text('me@example.com'), 'mail.box': text('m1'), flag: text('true') },
            only: { type: 'string', enum: ['ONE'] },
            ports: { type: 'array', items: { type: 'integer' } },
            roles: { type: 'array', items: { type: 'string', enum: ['A', 'B'] } },
            groups: { type: 'array', items: { properties: { name: {} } }, example: ['one', 'two'] },
            fields: { type: 'object', example: { 'some field': 'x' } },
            details: { type: 'object', example: { user: 'u1', enabled: 'true', password: '9990' } },
          },
        },
      },
    },
  },
};

const sequence = (name: string, more: object = {}) => ({
  content: { 'application/json': { example: { Sequence: { name, strip: true, servers: ['one'], ...more } } } },
});

/** OpenAPI 3 without a schema: everything is in examples, and fields of lists are listed by parameters. */
export const SEQUENCE = {
  openapi: '3.0.1',
  info: { title: 'Sequence' },
  servers: [{ url: 'https://{server}/ers' }],
  paths: {
    '/config/sequence': {
      get: { parameters: [{ name: 'filter', schema: { type: 'array', items: { enum: ['name', 'Strip'] } } }] },
      post: { requestBody: sequence('one', { rules: [{ action: 'ADD', value: 'v1' }] }) },
    },
    '/config/sequence/{sequence-id}': {
      get: { responses: { '200': sequence('one') } },
      put: { requestBody: sequence('one') },
      delete: {},
    },
  },
};

const node = {
  properties: { Node: { type: 'object', properties: { id: { type: 'string' }, status: { enum: ['ON', 'OFF'] } } } },
};

/** Several families in one file: no create, a body without a root key, no member at all, names that no schema shows. */
export const SEVERAL = {
  swagger: '2.0',
  info: { title: 'The rest' },
  paths: {
    '/ers/config/nodes/name/{name}': { get: shown(ref('node')), delete: {} },
    '/ers/config/nodes/{id}': { get: shown(ref('node')), put: body(ref('node')) },
    '/ers/config/nodes': { get: {} },
    '/ers/config/place/{id}': { get: {}, delete: {} },
    '/ers/config/place': { get: {}, post: {} },
    '/ers/config/flat/{id}': { get: shown(ref('flat')), put: body(ref('flat')), delete: {} },
    '/ers/config/flat': { get: {}, post: body(ref('flat')) },
  },
  definitions: {
    node,
    flat: {
      required: ['name'],
      properties: { name: { type: 'string' }, order: { type: 'number', maximum: 3, minimum: 1 } },
    },
  },
};

/** YAML as no strict reader takes it: a text in quotes whose lines hang out. */
export const HANGING = `swagger: '2.0'
info:
  title: Server
  description: "${table(['timeout', 'Integer', 'No', 'Valid Range 1 to 120', '5'])}
hangs: out

${table(['sharedSecret', 'String', 'Yes', '', 'secret'])}"
paths:
  /ers/config/server: { get: {}, post: { parameters: [ { in: body, schema: { $ref: '#/definitions/s' } } ] } }
  /ers/config/server/{id}: { get: {}, delete: {} }
definitions:
  s: { properties: { Server: { type: object, properties: { name: { type: string } } } } }
`;
