import { SEED_ROWS } from '../../lib/contract/factory.ts';
import { type Family, type Field, fieldsOf } from '../../lib/contract/types.ts';
import { memberOf, vendorFacts } from '../../lib/contract/vendor.ts';
import { macOf } from '../../lib/wire/endpoint.ts';
import type { Fields } from '../seams.ts';

/** Address space of seeded endpoints: outside that of the sessions, so that no load touches them. */
const SEED_SPACE = 1;

const WORDS = ['alpha', 'beta', 'delta', 'epsilon', 'gamma', 'omega'] as const;

export interface SeedSource {
  readonly newId: () => string;
  readonly policies: readonly string[];
}

function textFor(source: SeedSource, name: string, field: string, row: Pick<Field, 'form'>, index: number): string {
  const word = WORDS[index] ?? `word-${index}`;
  if (row.form === 'mac') return macOf(index * 17, SEED_SPACE);
  if (row.form === 'uuid' || /Id$/.test(field)) return source.newId();
  if (row.form === 'url') return `https://portal.example.com:8443/portal/PortalSetup.action?portal=${word}`;
  if (/policy/i.test(field)) return source.policies[index % source.policies.length] ?? word;
  if (/description/i.test(field)) return `${WORDS[WORDS.length - 1 - index] ?? word} ${name}`;
  return `${word}-${name}`;
}

function valueFor(source: SeedSource, name: string, field: string, row: Field, index: number): unknown {
  const { type, samples, secret } = row;
  if (secret === true) return 'not-a-real-password';
  if (samples !== undefined && (type === 'object' || type === 'object[]' || type === 'string[]'))
    return samples[index % 2 === 0 ? 0 : 1];
  if (type === 'boolean') return index % 2 === 0;
  if (type === 'integer' || type === 'number') return index + 1;
  if (type === 'object') return {};
  if (type === 'object[]' || type === 'string[]') return [];
  if (typeof type === 'object' && 'oneOf' in type) return type.oneOf[index % type.oneOf.length];
  if (typeof type === 'object') return type.range[0] + 20 + index;
  return textFor(source, name, field, row, index);
}

/** Members whose name filters or sorts reads through another member carry the same text in both. */
function aliased(family: Family, row: Record<string, unknown>): Fields {
  for (const field of [...family.filters, ...family.sorts]) {
    const member = memberOf(family.name, field);
    if (member !== field && field in row && row[member] !== undefined) row[field] = row[member];
  }
  return row;
}

/** Records that a family starts with: rows of the contract, or generated ones by the types of its fields. */
export function seedRows(family: Family, source: SeedSource): readonly Fields[] {
  if (family.viewOf !== undefined) return [];
  const rows = SEED_ROWS[family.name];
  if (rows !== undefined) return rows;
  const fields: Record<string, Field> = { ...fieldsOf(family) };
  for (const member of [...family.filters, ...family.sorts].map((field) => memberOf(family.name, field))) {
    const type = vendorFacts(family.name).members?.[member];
    fields[member] ??= { type: type === undefined || type === 'string[]' ? 'string' : type };
  }
  const { id: _id, generationId: _generation, ...members } = fields;
  return WORDS.map((_, index) =>
    aliased(
      family,
      Object.fromEntries(
        Object.entries(members).map(([field, row]) => [field, valueFor(source, family.name, field, row, index)]),
      ),
    ),
  );
}
