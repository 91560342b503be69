import { describe, expect, it } from 'vitest';
import { ANC_OPERATIONS, PROFILES } from '../../../lib/contract/anc.ts';
import { FAMILIES, familyNames } from '../../../lib/contract/families.ts';
import { LIST_ENVELOPE, LIST_PARAMETERS, OPERATOR_NAMES } from '../../../lib/contract/list.ts';
import {
  ANC_DATA_FIELD,
  BULK_FIELDS,
  HEADERS_ALLOWED,
  OPS,
  PATH_PREFIX,
  REQUEST_HEADERS,
} from '../../../lib/contract/operations.ts';
import { GAPS } from '../../../lib/contract/requirements.ts';
import { type Family, type FamilyTable, type Field, fieldsOf, type Op } from '../../../lib/contract/types.ts';
import * as SPEC from './transcription.ts';

const TABLE: FamilyTable = FAMILIES;
const family = (name: string): Family => TABLE[name] ?? expect.fail(`no family ${name}`);
const words = (cell: string): string[] => (cell === '' ? [] : cell.split(', '));
const requestOf = (op: Op): string => `${OPS[op].method} ${OPS[op].path}`;

/** A field in the notation of the transcription. */
function fieldRow(name: string, field: Field): string {
  const { type } = field;
  const required = field.required ? ' yes' : '';
  if (type === 'object[]') return `${name} list of objects`;
  if (typeof type === 'string') return `${name} ${type}${required}`;
  if ('oneOf' in type) return `${name} string: ${type.oneOf.join(' ')}`;
  return `${name} integer: ${type.range.join(' to ')} or ${type.or.join(', ')}`;
}

describe('the contract tables against a transcription of the specification', () => {
  it('names the twelve families with their path segments and version groups in order', () => {
    const rows = familyNames(FAMILIES).map((name) => [family(name).title, name, family(name).versions.join(' and ')]);
    expect(rows).toEqual(SPEC.FAMILY_ROWS);
    for (const [segment, { name }] of Object.entries(FAMILIES)) expect(name).toBe(segment);
  });

  it.each(SPEC.OPERATION_ROWS)('gives %s its operations, filter fields, sort fields and root keys', (...row) => {
    const [name, codes, filters, sorts, resource, bulk, anc] = row;
    const requests = codes.split(' ').flatMap((code) => SPEC.CODE_ROWS[code as keyof typeof SPEC.CODE_ROWS]);
    expect(family(name).ops.map(requestOf).sort()).toEqual([...requests].sort());
    expect(family(name).filters).toEqual(words(filters));
    expect(family(name).sorts).toEqual(words(sorts));
    expect({ resource: '', bulk: '', anc: '', ...family(name).roots }).toEqual({ resource, bulk, anc });
  });

  it('has rows of all twelve, and paths below the prefix', () => {
    expect(SPEC.OPERATION_ROWS.map(([name]) => name)).toEqual(familyNames(FAMILIES));
    expect(PATH_PREFIX).toBe('/ers/config');
  });

  it.each(Object.entries(SPEC.FIELD_ROWS))('gives %s its fields with type and required flag', (name, rows) => {
    const fields = Object.entries(fieldsOf(family(name))).map(([field, spec]) => fieldRow(field, spec));
    expect(fields.join(', ')).toBe(rows);
  });

  it('leaves the fields that are not shown unspecified', () => {
    const unspecified = familyNames(FAMILIES).filter((name) => family(name).fields === 'unspecified');
    expect([...unspecified].sort()).toEqual(SPEC.FIELDS_NOT_SHOWN);
  });

  it('sends an id on update only, except where create accepts it too', () => {
    for (const name of familyNames(FAMILIES)) {
      const id = fieldsOf(family(name))['id'];
      if (id === undefined || !family(name).ops.includes('update')) continue;
      const onCreate = SPEC.ID_ON_CREATE.some((listed) => listed === name);
      expect(id.sentOn, name).toBe(onCreate ? 'create+update' : 'update');
    }
  });

  it('sends every other body field on create and on update', () => {
    const writable = familyNames(FAMILIES).filter((name) => family(name).ops.includes('create'));
    for (const name of writable) {
      const { id: _, ...others } = fieldsOf(family(name));
      for (const [field, spec] of Object.entries(others)) expect(spec.sentOn, `${name}.${field}`).toBeUndefined();
    }
    expect(writable).toHaveLength(7);
  });

  it('has the six list parameters, and the lists without sort fields', () => {
    const typeOf = (each: { type: string }) => ('repeats' in each ? `${each.type}, may be repeated` : each.type);
    const rows = Object.entries(LIST_PARAMETERS).map(([name, parameter]) => [name, typeOf(parameter)]);
    expect(rows).toEqual(SPEC.LIST_PARAMETER_ROWS);
    const unsorted = familyNames(FAMILIES).filter((name) => family(name).sorts.length === 0);
    expect([...unsorted].sort()).toEqual([...SPEC.LISTS_WITHOUT_SORT].sort());
  });

  it('has the ten filter operators and the list envelope', () => {
    expect(OPERATOR_NAMES.join(' ')).toBe(SPEC.OPERATOR_ROW);
    expect(LIST_ENVELOPE).toEqual({ root: 'SearchResult', items: 'resources', next: 'nextPage', href: 'href' });
  });

  it('allows each operation the headers of the conventions', () => {
    for (const op of Object.keys(OPS) as Op[]) {
      const narrow = SPEC.HEADER_ROWS.narrowOperations.some((listed) => listed === op);
      const headers = HEADERS_ALLOWED[OPS[op].headers].map((role) => REQUEST_HEADERS[role]);
      expect(headers, op).toEqual(narrow ? SPEC.HEADER_ROWS.narrow : SPEC.HEADER_ROWS.all);
    }
  });

  it('has the members of bulk, apply and clear bodies', () => {
    expect(Object.entries(BULK_FIELDS).map(([name, type]) => `${name} ${type}`)).toEqual(SPEC.BULK_ROWS);
    expect(ANC_DATA_FIELD).toBe('additionalData');
  });

  it('has the limits table: five ANC operations in three deployments', () => {
    const operations = Object.values(ANC_OPERATIONS).map(({ specName }) => specName);
    expect(operations).toEqual(SPEC.ANC_OPERATION_ROW);
    const profiles = Object.values(PROFILES);
    const rows = profiles.map((each) => [`${each.nodes} nodes`, `${each.sessions / 1000}k`, each.ancPerSecond]);
    expect(rows).toEqual(SPEC.LIMIT_ROWS);
  });

  it('lists the sixteen gaps under their headings', () => {
    const counts: Record<string, number> = {};
    for (const { section } of Object.values(GAPS)) counts[section] = (counts[section] ?? 0) + 1;
    expect(counts).toEqual(SPEC.GAP_ROWS);
    expect(Object.keys(GAPS)).toHaveLength(16);
  });
});
