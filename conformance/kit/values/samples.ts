import {
  SAMPLE_DESCRIPTIONS,
  SAMPLE_LISTS,
  SAMPLE_OBJECTS,
  SAMPLE_TEXTS,
  SAMPLE_URLS,
} from '../../../lib/contract/samples.ts';
import type { Family, Field } from '../../../lib/contract/types.ts';
import { isServerFilled, nameMember, rangeOf, sentFields } from '../fields.ts';

function sample(member: string, { type, form }: Field, turn: 0 | 1): unknown {
  if (type === 'string') {
    if (form === 'url') return SAMPLE_URLS[turn];
    return member === 'description' ? SAMPLE_DESCRIPTIONS[turn] : SAMPLE_TEXTS[turn];
  }
  if (type === 'boolean') return turn === 1;
  if (type === 'integer') return turn;
  if (type === 'object') return SAMPLE_OBJECTS[member]?.[turn] ?? {};
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
      // A record that says of itself that it is read-only may never go away again: such members are never set.
      .map(([member, field]) => [member, sample(member, field, isServerFilled(family, member) ? 0 : turn)])
      .filter(([, value]) => value !== undefined),
  );
}
