import * as z from 'zod';
import type { Op } from '../contract/types.ts';

/** What every object inherits, and what answers hold beside the members of a record. */
const RESERVED: ReadonlySet<string> = new Set([...Object.getOwnPropertyNames(Object.prototype), 'prototype', 'link']);

export const isMemberName = (name: string): boolean => /^[A-Za-z_][\w.$-]{0,127}$/.test(name) && !RESERVED.has(name);

const MemberName = z.string().refine(isMemberName, { error: 'no name of a member' });
export const FamilyName = z.string().refine((name) => /^[A-Za-z][A-Za-z0-9]{1,63}$/.test(name) && !RESERVED.has(name), {
  error: 'no path segment of a family',
});

/** Operations that a definition may publish: those of the specification but apply and clear, and two by name. */
const OPERATIONS = [
  ...['read', 'readByName', 'list', 'create', 'update', 'updateByName', 'delete', 'deleteByName'],
  ...['version', 'bulkSubmit', 'bulkMonitor'],
] as readonly Op[];

const TYPES = ['string', 'integer', 'number', 'boolean', 'object', 'object[]', 'string[]'] as const;

const Field = z.strictObject({
  type: z.enum(TYPES),
  oneOf: z.array(z.string()).min(1).optional().describe('the values that a text may have'),
  required: z.boolean().optional().describe('a create needs it'),
  readOnly: z.boolean().optional().describe('no body holds it'),
  sentOn: z.enum(['create', 'update']).optional().describe('the only body that holds it'),
  writeOnly: z.boolean().optional().describe('sent, and not compared with what is read back'),
  secret: z.boolean().optional().describe('generated, never read back, never shown'),
  form: z.enum(['mac', 'url', 'uuid']).optional(),
  limits: z.tuple([z.number(), z.number()]).optional().describe('least and greatest number, or number of characters'),
  alsoSeen: z.enum(TYPES).optional().describe('another type that the definition shows: it warns and does not fail'),
  nullable: z.boolean().optional().describe('an answer may show null for it'),
  guessed: z.boolean().optional().describe('its type is a guess: another one warns and does not fail'),
  refersTo: FamilyName.optional().describe('family of the record that it names'),
  refersBy: z.literal('name').optional().describe('it holds the name of that record, and not its id'),
  samples: z
    .tuple([z.unknown(), z.unknown()])
    .optional()
    .describe('two values that creates and updates use: a published one, and another'),
  get members() {
    return z.record(MemberName, Field).optional().describe('members of the object, or of each object of the list');
  },
});
export type FieldFile = z.output<typeof Field>;

const Family = z.strictObject({
  title: z.string().min(1),
  definition: z.string().min(1).describe('the published file that it was taken from'),
  operations: z.array(z.enum(OPERATIONS as [Op, ...Op[]])).min(1),
  root: z.string().optional().describe('root key of the body of a create or an update, and of a read'),
  bulkRoot: z.string().optional().describe('root key of a bulk request'),
  mediaType: z.string().optional().describe('value of ERS-Media-Type, without its fixed prefix'),
  versions: z.strictObject({ current: z.string(), supported: z.string() }).optional(),
  listed: z.array(MemberName).optional().describe('members of a list entry besides id and link'),
  filters: z.array(MemberName).default([]),
  sorts: z.array(MemberName).default([]),
  reads: z.record(MemberName, MemberName).optional().describe('filter or sort field → member that holds it'),
  unique: z.array(MemberName).optional().describe('members that differ between the records'),
  fields: z.record(MemberName, Field),
});
export type FamilyFile = z.output<typeof Family>;

export const FamiliesFile = z.strictObject({ families: z.record(FamilyName, Family) });

export function familiesJsonSchema(): Record<string, unknown> {
  const { $schema, ...schema } = z.toJSONSchema(FamiliesFile, { target: 'draft-2020-12', io: 'input' });
  return { $schema, $id: 'urn:ers-harness:families:1', title: 'families of ers-harness', ...schema };
}
