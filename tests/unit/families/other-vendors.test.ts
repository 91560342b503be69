import { afterEach, describe, expect, it } from 'vitest';
import { deviationsOf } from '../../../conformance/kit/schemas.ts';
import { sampleFields } from '../../../conformance/kit/values/values.ts';
import { registerFamilies } from '../../../lib/contract/register.ts';
import type { Family } from '../../../lib/contract/types.ts';
import { attributeRows } from '../../../lib/families/import/prose.ts';
import { buildRequest } from '../../../lib/wire/request.ts';
import { dropFamilies, importedFrom } from '../../helpers/a-definition.ts';

const string = { type: 'string' };
const object = (properties: object, more: object = {}) => ({ type: 'object', properties, ...more });
const holding = (schema: object) => ({ content: { 'application/json': { schema: object({ Host: schema }) } } });
const listed = { responses: { 200: { description: 'ok' } } };

/** A family whose bodies and answers are published apart. */
function imported(body: object = {}, answer: object = body, update: object = body) {
  const item = {
    get: { responses: { 200: holding(answer) } },
    put: { requestBody: holding(update), responses: {} },
    delete: listed,
  };
  const post = { requestBody: holding(body), responses: {} };
  const paths = { '/ers/config/host': { get: listed, post }, '/ers/config/host/{id}': item };
  const { taken, read } = importedFrom({ openapi: '3.1.0', paths });
  registerFamilies(read);
  const { family, facts } = read[0] ?? {};
  const told = (record: object) =>
    deviationsOf(family as Family, { id: '1', name: 'a', ...record }, 'record').map(
      ({ member, tolerated }) => `${member} ${tolerated ? 'warns' : 'fails'}`,
    );
  return { fields: taken[0]?.family.fields ?? {}, guesses: taken[0]?.guesses, family: family as Family, facts, told };
}

describe('definitions of other vendors', () => {
  afterEach(() => dropFamilies(['host']));

  it('require of alternatives what all of them require, and list what any of them lists', () => {
    const base = object({ name: string, kind: { ...string, enum: ['net', 'fqdn'] } }, { required: ['name', 'kind'] });
    const way = (version: string, properties: object, required: readonly string[]) => ({
      allOf: [base, object({ version: { ...string, enum: [version] }, ...properties }, { required })],
    });
    const part = { oneOf: [{ type: 'integer' }, object({ rd: string }, { required: ['rd'] })] };
    expect(imported(object({ name: string, part })).fields['part']).toMatchObject({
      samples: [{ rd: 'text' }, { rd: 'text-2' }],
    });
    dropFamilies(['host']);
    const { fields, facts, told } = imported({
      oneOf: [way('v2', { subnet: string }, ['version', 'subnet']), way('v3', { fqdn: string }, ['version', 'fqdn'])],
    });
    expect(facts?.requiredOnCreate).toEqual(['name', 'kind', 'version']);
    expect(fields).toMatchObject({ version: { oneOf: ['v2', 'v3'] }, subnet: string, fqdn: { readOnly: true } });
    expect(told({ kind: 'net', version: 'v2' })).toEqual([]);
    expect(told({ kind: 'net', version: 'v4' })).toEqual(['version fails']);
  });

  it('give listed numbers and defaults as values, and those that nested members need', () => {
    const number = (...listed: readonly number[]) => ({ type: 'integer', enum: listed });
    const { fields } = imported(
      object({
        name: string,
        threshold: number(0, 5, 10),
        one: number(4),
        port: { type: 'integer', minimum: 1, maximum: 65535, default: 22 },
        switch: { oneOf: [number(3, 7), { ...string, enum: ['off', 'on'] }] },
        ports: {
          type: 'array',
          items: object({ id: { type: 'integer' }, mtu: number(1500, 9000) }, { required: ['id'] }),
        },
        tags: {
          type: 'array',
          items: object({ slug: { ...string, minLength: 6 }, note: string }, { required: ['slug'] }),
        },
      }),
    );
    expect(fields).toMatchObject({
      threshold: { samples: [0, 5] },
      one: { samples: [4, 4] },
      port: { samples: [22, 23] },
      switch: { type: 'integer', samples: [3, 7] },
      ports: { samples: [[{ id: 1, mtu: 1500 }], [{ id: 2, mtu: 9000 }]] },
      tags: { samples: [[{ slug: 'text-t' }], [{ slug: 'text-t-2' }]] },
    });
  });

  it('send what only bodies hold, and do not look for it in answers', () => {
    const body = object({
      name: string,
      reboot: { type: 'boolean', writeOnly: true },
      vlanId: { type: 'integer' },
      pin: { ...string, format: 'password' },
    });
    const { fields, facts, family } = imported(body);
    expect(fields).toMatchObject({ reboot: { writeOnly: true }, pin: { secret: true } });
    expect(facts?.serverFilled).toEqual(['reboot', 'pin']);
    expect(Object.keys(sampleFields(family, 0))).toEqual(['reboot', 'vlanId', 'pin']);
  });

  it('send a member in the body that is published to hold it', () => {
    const [made, shown] = [string, { ...string, readOnly: true }].map((serial) =>
      object({ name: string, serial }, { required: ['name', 'serial'] }),
    );
    const { fields, facts, family } = imported(
      made,
      shown,
      object({ id: string, name: string, serial: false, reboot: string }),
    );
    expect(fields).toMatchObject({ serial: { sentOn: 'create' }, reboot: { sentOn: 'update' } });
    expect(facts).toMatchObject({ requiredOnCreate: ['name', 'serial'], serverFilled: ['serial', 'reboot'] });
    const all = { name: 'a', serial: '1', reboot: 'x', id: '1' };
    const sent = (op: 'create' | 'update') => buildRequest({ host: family }, 'host', op, { id: '1', fields: all }).body;
    expect(sent('create')).toBe('{"Host":{"name":"a","serial":"1","id":"1"}}');
    expect(sent('update')).toBe('{"Host":{"name":"a","reboot":"x","id":"1"}}');
  });

  it('take a member that bodies and answers hold in two types as bodies have it', () => {
    const inAnswers = object({ value: string, label: string });
    const { fields, facts, told } = imported(
      object({ name: string, status: { ...string, enum: ['active', 'gone'] } }),
      object({ name: string, status: inAnswers }),
    );
    expect(fields['status']).toMatchObject({
      type: 'string',
      oneOf: ['active', 'gone'],
      alsoSeen: 'object',
      writeOnly: true,
    });
    expect(facts?.serverFilled).toEqual(['status']);
    expect(told({ status: { value: 'active', label: 'Active' } })).toEqual(['status warns']);
  });

  it('take examples beside the schema, and what a path says of its parameters', () => {
    const two = (text: string) => ({ samples: [text, `${text}-2`] });
    const row = object({ row: object({ no: string }) });
    const part = { samples: [{ row: { no: '0' } }, { row: { no: '1' } }] };
    const schema = object({ Host: object({ name: { ...string, example: null }, mode: string, part: row }) });
    const example = { Host: { name: 'one', mode: 'FAST', tag: 'x', part: { row: { no: 0 } } } };
    const resources = { type: 'array', example: null, items: object({ id: string, name: string }) };
    const list = { schema: object({ SearchResult: object({ resources }) }) };
    const all = {
      parameters: [{ name: 'filter', description: 'Filter Supported Fields:[name, mode]' }],
      get: { responses: { 200: { content: { 'application/json': list } } } },
      post: { requestBody: { content: { 'application/json': { schema, example } } }, responses: {} },
    };
    const paths = { '/host/': all, '/host/{host_id}': { get: listed, delete: listed } };
    expect(importedFrom({ openapi: '3.0.1', paths }).taken[0]?.family).toMatchObject({
      operations: ['list', 'create', 'read', 'delete'],
      ...{ filters: ['name', 'mode'], listed: ['name'] },
      fields: { name: two('one'), mode: two('FAST'), tag: two('x'), part },
    });
  });

  it('are read with tables of Markdown', () => {
    const rows = ['Field | Type | Mandatory | Details', '---|---|---|---', '`mode` | Enum | Yes | One of: `A`, `B`'];
    const [mode] = attributeRows(`Hosts.\n\n| ${rows.join(' |\n| ')} |\n`);
    expect(mode).toMatchObject({ name: 'mode', type: 'enum', required: true, text: 'One of: A, B' });
  });

  it('are read with tabs for more blanks than stand before a path', () => {
    const [list, one] = ['', '/{id}'].map((below) => `  /config/host${below}:\n\tget: { responses: {} }\n`);
    const [host] = importedFrom(`openapi: 3.0.0\npaths:\n${list}${one}`).taken;
    expect(host?.family.operations).toEqual(['list', 'read']);
  });

  it('take null and open lists of values as they say it', () => {
    const { fields, told } = imported(
      object({
        name: string,
        note: { ...string, 'x-nullable': true },
        monitor: { ...string, description: 'Valid values are: min, none or the path of one' },
      }),
    );
    expect(fields['monitor']).toEqual({ type: 'string' });
    expect(told({ note: null, monitor: '/Common/http' })).toEqual([]);
  });
});
