import { personaFacts } from '../../../lib/contract/personas.ts';
import { fieldsOf, isNumber } from '../../../lib/contract/types.ts';
import { memberOf, vendorFacts } from '../../../lib/contract/vendor.ts';
import { invalidField, missingFields, Problem } from '../../answers/problem.ts';
import { changing, type Deviation } from '../../deviation.ts';
import type { Fields, Kit } from '../../seams.ts';
import { allOf } from '../../store/store.ts';
import { onBody } from '../fact.ts';

const invalid = (why: string) =>
  new Problem(400, 'schema', `Resource Initialization Failed due to JSON invalidity: ${why}`);

/** True for null anywhere in a value. */
function holdsNull(value: unknown): boolean {
  if (value === null) return true;
  return typeof value === 'object' && Object.values(value as object).some(holdsNull);
}

/** Bytes that a strict Base64 text stands for; undefined for any other text. */
function base64Text(text: string): string | undefined {
  if (text === '' || text.length % 4 !== 0 || !/^[A-Za-z0-9+/]+={0,2}$/.test(text)) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(text, 'base64'));
  } catch {
    return undefined;
  }
}

/** True for a text that can be a style sheet: comments, rules with their braces, and at-rules. */
function isStyleSheet(text: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: no style sheet holds them
  if (text.trim() === '' || /[\u0000-\u0008\u000e-\u001f]/.test(text)) return false;
  const bare = text.replace(/\/\*[\s\S]*?\*\//g, '').trim();
  let depth = 0;
  for (const sign of bare) {
    if (sign === '{') depth += 1;
    if (sign === '}') depth -= 1;
    if (depth < 0) return false;
  }
  return depth === 0 && (bare === '' || /[};]$/.test(bare));
}

function takesName(of: 'group' | 'other', form: 'plain' | 'loose', name: string, fields: Fields): void {
  const { names } = personaFacts(name);
  const value = fields[memberOf(name, 'name')];
  const pattern = names?.of === of ? names[form]?.pattern : undefined;
  if (pattern !== undefined && typeof value === 'string' && value !== '' && !pattern.test(value))
    throw invalidField('Name', `'${value}' holds characters that are not allowed, or is too long`);
}

const groupNames = (form: 'plain' | 'loose'): Deviation =>
  onBody((name, _op, fields) => takesName('group', form, name, fields));

function sameButCase({ seams }: Kit, name: string, member: string, value: string, ownId: string | undefined): boolean {
  return allOf(seams.store.list(name)).some(
    (record) => record.id !== ownId && String(record[member] ?? '').toLowerCase() === value.toLowerCase(),
  );
}

export const BODY_RULES = {
  /** Angle brackets in a description; the answer tells nobody what was wrong. */
  descriptions: onBody((_name, _op, { description }) => {
    if (typeof description === 'string' && /[<>]/.test(description))
      throw new Problem(400, 'validation', 'Application resource validation exception');
  }),
  strict: changing('rules', (inner, { table }) => ({
    check: (name, op, fields) => {
      const rows = fieldsOf(table[name]);
      for (const [field, value] of Object.entries(fields)) {
        if (holdsNull(value)) throw invalid(`null value for '${field}'`);
        // Digits stand for no number, unless real answers show the member as a text.
        const isText = vendorFacts(name).toleratedTypes?.[field] === 'string';
        if (isNumber(rows[field]?.type) && !isText && typeof value === 'string')
          throw invalid(`Can not deserialize '${field}'`);
      }
      const wanted = ['id', ...(vendorFacts(name).requiredOnCreate ?? [])];
      const lacking = op === 'update' ? wanted.filter((field) => (fields[field] ?? '') === '') : [];
      // The product names them with a capital, and ends with a comma.
      const named = lacking.map((field) => field.charAt(0).toUpperCase() + field.slice(1)).join(', ');
      if (lacking.length > 0) throw missingFields([`${named},`]);
      try {
        return inner.check(name, op, fields);
      } catch (fault) {
        if (fault instanceof Problem && fault.code === 'schema') throw invalid(fault.message);
        throw fault;
      }
    },
  })),
  theme: {
    ...onBody((name, op, fields) => {
      const member = personaFacts(name).styleSheet;
      if (member === undefined || (op === 'update' && fields[member] === undefined)) return;
      const sheet = typeof fields[member] === 'string' ? base64Text(fields[member]) : undefined;
      if (sheet === undefined || !isStyleSheet(sheet))
        throw invalidField(member, 'it must be a CSS file, represented as a Base64-encoded byte array');
    }),
    seeds: (name, rows) => {
      const member = personaFacts(name).styleSheet;
      if (member === undefined) return rows;
      return rows.map((row) => {
        const held = String(row[member] ?? '');
        const sheet = base64Text(held);
        if (sheet !== undefined && isStyleSheet(sheet)) return row;
        return {
          ...row,
          [member]: Buffer.from(`/* ${String(row['name'])} */\nbody { margin: 0; }\n`).toString('base64'),
        };
      });
    },
  },
  names: groupNames('plain'),
  'names-loose': groupNames('loose'),
  names2: changing('rules', (inner, kit) => ({
    check: (name, op, fields) => {
      takesName('other', 'plain', name, fields);
      return inner.check(name, op, fields);
    },
    distinct: (name, fields, ownId) => {
      inner.distinct(name, fields, ownId);
      const member = memberOf(name, 'name');
      const value = fields[member];
      if (personaFacts(name).names?.plain.ignoresCase !== true || typeof value !== 'string') return;
      if (sameButCase(kit, name, member, value, ownId))
        throw new Problem(400, 'crud', `${member} '${value}' already exists`);
    },
  })),
  dup500: changing('rules', (inner) => ({
    distinct: (name, fields, ownId) => {
      const member = memberOf(name, 'name');
      const named: Fields = fields[member] === undefined ? {} : { [member]: fields[member] };
      try {
        inner.distinct(name, named, ownId);
      } catch {
        throw new Problem(500, 'crud', 'CREATE: DB internal error during CRUD operation: the name is in use');
      }
      inner.distinct(name, fields, ownId);
    },
  })),
} satisfies Readonly<Record<string, Deviation>>;
