import type { Family, Field } from '../../lib/contract/types.ts';
import { isServerFilled, nameMember, rangeOf, sentFields } from './fields.ts';

/** Objects in the form that published definitions give them; the specification does not show it (gaps G-02 and G-03). */
const OBJECTS: Readonly<Record<string, readonly [unknown, unknown]>> = {
  settings: [
    { supportInfoSettings: { includeSupportInfoPage: true, includeMacAddr: true } },
    { supportInfoSettings: { includeSupportInfoPage: true, includeMacAddr: false } },
  ],
  customizations: [
    { portalTweakSettings: { bannerColor: '#102030' } },
    { portalTweakSettings: { bannerColor: '#405060' } },
  ],
};

const LISTS: Readonly<Record<string, readonly [unknown, unknown]>> = {
  virtualnetworklist: [
    [{ name: 'cfm-vn-a', description: 'first', defaultVirtualNetwork: true, vlans: [] }],
    [{ name: 'cfm-vn-b', description: 'second', defaultVirtualNetwork: true, vlans: [] }],
  ],
};

const TEXTS = ['LyogZmlyc3QgKi8=', 'LyogYW5vdGhlciAqLw=='] as const;
const DESCRIPTIONS = ['made by ers-harness', 'changed by ers-harness'] as const;
const URLS = ['https://portal.example/first', 'https://portal.example/second'] as const;

function sample(member: string, { type, form }: Field, turn: 0 | 1): unknown {
  if (type === 'string') {
    if (form === 'url') return URLS[turn];
    return member === 'description' ? DESCRIPTIONS[turn] : TEXTS[turn];
  }
  if (type === 'boolean') return turn === 1;
  if (type === 'integer') return turn;
  if (type === 'object') return OBJECTS[member]?.[turn] ?? {};
  if (type === 'object[]') return LISTS[member]?.[turn] ?? [];
  return undefined;
}

/**
 * A value for every field that a create may carry, but for those that name, number or point at something, which the
 * payload makes itself. The two turns differ in every member, so that a change can be seen.
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
