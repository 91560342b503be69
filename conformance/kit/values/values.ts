import { randomBytes } from 'node:crypto';
import * as SAMPLES from '../../../lib/contract/samples.ts';
import { type Family, type FamilyTable, type Field, isNumber, type Op } from '../../../lib/contract/types.ts';
import { vendorFacts } from '../../../lib/contract/vendor.ts';
import { isObject, type JsonObject } from '../../../lib/wire/answer.ts';
import {
  enumeratedMembers,
  isPointer,
  isServerFilled,
  nameMember,
  rangeOf,
  referenceOf,
  sentFields,
} from '../fields.ts';
import { fitText, takesText } from './domain.ts';
import { domainOf, type Learned, memberKey } from './learned.ts';

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
    if (form === 'url') return SAMPLES.SAMPLE_URLS[turn];
    return member === 'description' ? SAMPLES.SAMPLE_DESCRIPTIONS[turn] : SAMPLES.SAMPLE_TEXTS[turn];
  }
  if (type === 'boolean') return turn === 1;
  if (isNumber(type)) return turn;
  if (type === 'object') return SAMPLES.SAMPLE_OBJECTS[member]?.[turn] ?? {};
  if (type === 'string[]') return turn === 0 ? [] : ['text'];
  if (type === 'object[]') return SAMPLES.SAMPLE_LISTS[member]?.[turn] ?? [];
  return undefined;
}

/** A value for every field that a create may carry, except names, numbers and references. The two turns differ, so that changes show. */
export function sampleFields(family: Family, turn: 0 | 1): Record<string, unknown> {
  const own = nameMember(family);
  return Object.fromEntries(
    sentFields(family, 'create')
      .filter(([member, field]) => member !== own && rangeOf(field) === undefined && !isPointer(member, field))
      // Addresses are made one by one, as names are.
      .filter(([, { form, refersTo }]) => form !== 'mac' && refersTo === undefined)
      // A record that says of itself that it is read-only may never go away again: such members are never set.
      .map(([member, field]) => [member, sample(member, field, isServerFilled(family, member) ? 0 : turn)])
      .filter(([, value]) => value !== undefined),
  );
}

/** Records that members may point at: the id or the name of each time another, and one to leave out because it is in use. */
export interface ReferenceSource {
  readonly next: (family: string, by?: 'name') => string | undefined;
  readonly leaveOut: (id: string) => void;
}

/** One of the values that are known to be taken: the value itself if it or each of its items is among them, or nothing is known. */
function asKnown(known: readonly unknown[] | undefined, value: unknown): unknown {
  const text = JSON.stringify(value);
  if (known === undefined || known.length === 0 || known.some((each) => JSON.stringify(each) === text)) return value;
  const items = new Set(known.flat().map((each) => JSON.stringify(each)));
  if (Array.isArray(value) && value.length > 1 && value.every((item) => items.has(JSON.stringify(item)))) return value;
  return known[text.length % known.length];
}

const MOST_BODIES = 5000;

/** Where every value that is sent comes from: within what the target was seen to take. `family` is the one of the check unless named. */
export function valuesOf(learned: Learned, table: FamilyTable, own: string, references: ReferenceSource) {
  /** The text in the nearest form that the member takes; the id of a record that is there, for a member that needs one. */
  function adapt(member: string, text: string, family = own): string {
    const domain = domainOf(learned, family, member);
    const target = domain.form === 'reference' ? referenceOf(table, table[family], member) : undefined;
    return target === undefined ? fitText(domain, text) : (references.next(target) ?? text);
  }
  return {
    adapt,
    /** True if nothing speaks against the member taking this text as it is. */
    takes: (member: string, text: string, family = own): boolean => takesText(domainOf(learned, family, member), text),
    /** Told of a body that an operation was taken with. */
    took(op: Op, fields: JsonObject, family = own): void {
      const listed = enumeratedMembers(table[family]);
      const isStated = ([member, value]: readonly [string, unknown]) =>
        typeof value === 'number' || typeof value === 'boolean' || listed.includes(member);
      const stated = Object.fromEntries(Object.entries(fields).filter(isStated));
      const key = memberKey(family, op);
      const bodies = learned.taken.get(key) ?? new Map<string, JsonObject>();
      learned.taken.set(key, bodies);
      if (bodies.size < MOST_BODIES) bodies.set(JSON.stringify(stated), stated);
    },
    /** How many different bodies with all of these values one of the operations took before: a refusal now is for something else. */
    taken: (ops: readonly Op[], fields: JsonObject, family = own): number =>
      ops
        .flatMap((op) => [...(learned.taken.get(memberKey(family, op))?.values() ?? [])])
        .filter((body) => Object.entries(fields).every(([member, value]) => body[member] === value)).length,
    /** Told of a refused body: what it refers to counts as in use if two may not share it. True if another body may then be taken. */
    collided(fields: JsonObject, family = own): boolean {
      const pointers = Object.keys(fields).filter((member) => learned.uniqueReferences.has(memberKey(family, member)));
      for (const member of pointers) references.leaveOut(String(fields[member]));
      return pointers.length > 0;
    },
    /** Every text but the name in a form that its member takes, without refused listed values and what may prevent removal. */
    adaptAll(fields: JsonObject, family = own): Record<string, unknown> {
      const shape = table[family];
      const listed = enumeratedMembers(shape);
      const name = shape === undefined ? undefined : nameMember(shape);
      const isKept = (member: string) =>
        !(listed.includes(member) && learned.fixedValues.has(memberKey(family, member)));
      const adapted = (member: string, value: unknown) => {
        if (value === true && vendorFacts(family).locks?.includes(member)) return false;
        if (typeof value === 'string' && member !== name) return adapt(member, value, family);
        const isComposite = typeof value === 'object' && value !== null;
        return isComposite ? asKnown(learned.samples.get(memberKey(family, member)), value) : value;
      };
      const kept = Object.entries(fields).filter(([member]) => isKept(member));
      return Object.fromEntries(kept.map(([member, value]) => [member, adapted(member, value)]));
    },
    /** A value for every member but names, numbers and references; the two turns differ in every member that may change. */
    samples(turn: 0 | 1, family = own): Record<string, unknown> {
      const shape = table[family];
      if (shape === undefined) return {};
      const entries = Object.entries(sampleFields(shape, turn)).map(([member, value]): [string, unknown] => {
        const known = learned.samples.get(memberKey(family, member));
        if (known !== undefined) return [member, known[turn % known.length]];
        return [member, typeof value === 'string' ? adapt(member, value, family) : value];
      });
      return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
    },
  };
}

export type Values = Readonly<ReturnType<typeof valuesOf>>;
