import type { Family, FamilyTable, Field } from '../../../lib/contract/types.ts';
import { vendorFacts } from '../../../lib/contract/vendor.ts';
import type { JsonObject } from '../../../lib/wire/answer.ts';
import { macOf, permutation } from '../../../lib/wire/endpoint.ts';
import { nameMember, rangeOf, referenceOf, sentFields } from '../fields.ts';
import { fitText } from './domain.ts';
import { domainOf, type Learned, openLearned } from './learned.ts';
import { type ReferenceSource, valuesOf } from './values.ts';

/** What the payloads of one family's checks are made from; no two makers of a run make the same name or number. */
export interface PayloadOptions {
  readonly table: FamilyTable;
  readonly prefix: string;
  readonly seed: number;
  /** Number of the maker among those of the run, and how many there are. */
  readonly index: number;
  readonly of: number;
  readonly references: ReferenceSource;
  readonly learned?: Learned;
}

export type PayloadMaker = (family: string, overrides?: JsonObject) => Record<string, unknown>;

/** Small numbers are left to the checks that need certain ones, and to what a deployment ships with. */
const FREE_SHARE = 0.3;

const RUN_SPACE = 2;

/** A well-formed id that names no record, for members that point at one while none is made. */
export const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000';

/**
 * Query parameters that the specification does not name, of the kinds that clients and what stands between add: a value, a time stamp
 * against caches, none, and one twice. Source: "Conventions", extra query parameters may be added to any operation.
 */
export const UNKNOWN_PARAMETERS = [
  ['cfmx', '1'],
  ['_', '1700000000000'],
  ['cfm.empty', ''],
  ['cfmTwice', 'a'],
  ['cfmTwice', 'b c'],
] as const;

/** The listed value that the family's own name starts like, or the first one. */
function ownValue(name: string, values: readonly string[]): string | undefined {
  const shared = (value: string) => {
    let length = 0;
    while (length < value.length && value[length] === name.toUpperCase()[length]) length += 1;
    return length;
  };
  return [...values].sort((a, b) => shared(b) - shared(a))[0];
}

/** True for members that a create needs: those with a form of their own, and those real deployments ask for. */
const isNeeded = (name: string, member: string, field: Field): boolean =>
  field.required === true ||
  typeof field.type === 'object' ||
  (vendorFacts(name).requiredOnCreate?.includes(member) ?? false);

/** Makes create payloads: a unique name, free numbers, a description that no other record has, and no more than a create needs. */
export function payloadMaker(options: PayloadOptions): PayloadMaker {
  const { learned = openLearned(), references, table } = options;
  let made = 0;
  return (name, overrides = {}) => {
    const family: Family | undefined = table[name];
    if (family === undefined) throw new Error(`no family ${name}`);
    const serial = made++;
    const samples = valuesOf(learned, table, name, references).samples(0);
    const form = learned.families.get(name)?.form;
    const unique = `${options.prefix}n${options.index.toString(36)}${serial.toString(36).padStart(3, '0')}`;
    const value = (member: string, field: Field): unknown => {
      if (member === nameMember(family)) return unique;
      const target = referenceOf(table, family, member);
      if (target !== undefined)
        return references.next(target, field.refersBy) ?? (field.refersBy === 'name' ? field.samples?.[0] : UNKNOWN_ID);
      const range = rangeOf(field);
      if (range !== undefined) {
        const low = range.low + Math.floor((range.high - range.low) * FREE_SHARE);
        const size = range.high - low + 1;
        return low + permutation(size, options.seed)(serial * options.of + options.index);
      }
      // An address names a thing: no two records of the run share one.
      if (field.form === 'mac' && field.sentOn === undefined)
        return macOf(serial * options.of + options.index, RUN_SPACE);
      if (form?.isBare === true) return form.members[member];
      if (member === 'description') return fitText(domainOf(learned, name, member), `${samples[member]} ${unique}`);
      if (form !== undefined && member in form.members) return form.members[member];
      if (typeof field.type === 'object' && 'oneOf' in field.type) return ownValue(name, field.type.oneOf);
      // An id that is needed and points at no family has the published value alone.
      return isNeeded(name, member, field) ? (samples[member] ?? field.samples?.[0]) : undefined;
    };
    const fields = sentFields(family, 'create').map(([member, field]) => [member, value(member, field)] as const);
    const whole = { ...Object.fromEntries(fields), ...overrides };
    return Object.fromEntries(Object.entries(whole).filter(([, held]) => held !== undefined));
  };
}
