import { randomBytes } from 'node:crypto';
import {
  SAMPLE_DESCRIPTIONS,
  SAMPLE_LISTS,
  SAMPLE_OBJECTS,
  SAMPLE_TEXTS,
  SAMPLE_URLS,
} from '../../../lib/contract/samples.ts';
import { type Family, type Field, isNumber } from '../../../lib/contract/types.ts';
import { isObject } from '../../../lib/wire/answer.ts';
import { isServerFilled, nameMember, rangeOf, sentFields } from '../fields.ts';

/** A secret of this process: no table, record or report holds it. */
const SECRETS = [0, 1].map(() => `Aa1.${randomBytes(9).toString('base64url')}`) as [string, string];

/** A published value with the secrets of this process in it. */
function withSecrets(value: unknown, { secret, members = {} }: Field, turn: 0 | 1): unknown {
  if (secret === true) return SECRETS[turn];
  if (Array.isArray(value)) return value.map((item) => withSecrets(item, { type: 'object', members }, turn));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, held]) => {
      const field = Object.hasOwn(members, name) ? members[name] : undefined;
      return [name, field === undefined ? held : withSecrets(held, field, turn)];
    }),
  );
}

function sample(member: string, field: Field, turn: 0 | 1): unknown {
  const { type, form, samples, secret } = field;
  if (secret === true) return SECRETS[turn];
  if (samples !== undefined && member !== 'description') return withSecrets(samples[turn], field, turn);
  if (type === 'string') {
    if (form === 'url') return SAMPLE_URLS[turn];
    return member === 'description' ? SAMPLE_DESCRIPTIONS[turn] : SAMPLE_TEXTS[turn];
  }
  if (type === 'boolean') return turn === 1;
  if (isNumber(type)) return turn;
  if (type === 'object') return SAMPLE_OBJECTS[member]?.[turn] ?? {};
  if (type === 'string[]') return turn === 0 ? [] : ['text'];
  if (type === 'object[]') return SAMPLE_LISTS[member]?.[turn] ?? [];
  return undefined;
}

/**
 * A value for every field that a create may carry, except names, numbers and references, which the payload makes
 * itself. The two turns differ in every member, so that a change can be seen.
 */
export function sampleFields(family: Family, turn: 0 | 1): Record<string, unknown> {
  const own = nameMember(family);
  return Object.fromEntries(
    sentFields(family, 'create')
      .filter(([member, field]) => member !== own && rangeOf(field) === undefined && !/Id$/.test(member))
      // Addresses are made one by one, as names are.
      .filter(([, { form, refersTo }]) => form !== 'mac' && refersTo === undefined)
      // A record that says of itself that it is read-only may never go away again: such members are never set.
      .map(([member, field]) => [member, sample(member, field, isServerFilled(family, member) ? 0 : turn)])
      .filter(([, value]) => value !== undefined),
  );
}
