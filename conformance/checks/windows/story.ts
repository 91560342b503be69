import type { Exchange } from '../../../lib/client/types.ts';
import { type Family, fieldsOf, hasOp } from '../../../lib/contract/types.ts';
import { defined } from '../../../lib/defined.ts';
import type { CheckContext, Fixture, SharedScope } from '../../kit/check.ts';
import { isServerFilled, nameMember, rangeOf, sentFields } from '../../kit/fields.ts';

/** Members of a record by name; `undefined` is never held. */
export type Fields = Readonly<Record<string, unknown>>;

/** A record of a story, as the writes so far left it. */
export interface StoryRecord {
  readonly family: string;
  readonly id: string;
  readonly isLive: boolean;
  /** What its last write sent, without what a deployment fills in by itself. */
  readonly fields: Fields;
  /** Values that earlier writes gave it, by member, the last one first. */
  readonly former: Readonly<Record<string, readonly unknown[]>>;
}

/** Everything that one family's story is about. */
export interface Story {
  readonly context: CheckContext;
  readonly scope: SharedScope;
  readonly family: Family;
  /** What the names of all records of the story begin with, and no other. */
  readonly base: string;
  readonly records: StoryRecord[];
  /** Id of the record that a create made under the name; undefined where it is nowhere. */
  readonly findId: (created: Exchange, name: string) => Promise<string | undefined>;
  /** Records that no step writes to, with what a read showed of them at the beginning. */
  readonly neighbors: readonly { readonly own: Fixture; readonly shown: Fields }[];
}

/** Member that names the records of a family. */
export const nameOf = (family: Family): string => nameMember(family) ?? 'name';

/** The part of a body that has to come back as it was sent. */
export function binding(family: Family, sent: Fields): Fields {
  const members = fieldsOf(family);
  return Object.fromEntries(
    Object.entries(sent).filter(
      ([member, value]) =>
        member in members && member !== 'id' && value !== undefined && !isServerFilled(family, member),
    ),
  );
}

/** A record after a write that was taken. */
export function written(family: Family, record: StoryRecord, sent: Fields): StoryRecord {
  const fields = binding(family, sent);
  const former = Object.fromEntries(
    [...new Set([...Object.keys(record.fields), ...Object.keys(fields)])].map((member) => {
      const before = record.fields[member];
      const changed = before !== undefined && before !== fields[member] ? [before] : [];
      return [member, [...changed, ...(record.former[member] ?? [])].filter((value) => value !== fields[member])];
    }),
  );
  return { ...record, fields, former };
}

/** Words that begin with another letter each turn, so that every order of letters tells them apart. */
const WORDS = ['kilo', 'alpha', 'zulu', 'delta', 'victor', 'echo', 'tango', 'bravo', 'sierra', 'foxtrot'] as const;

/** Another value for a member than it had before; undefined where none is known. */
export function nextValue(story: Story, member: string, turn: number, before: unknown): unknown {
  const { values } = story.context.run;
  const field = fieldsOf(story.family)[member];
  if (field === undefined || isServerFilled(story.family, member)) return undefined;
  if (member === nameOf(story.family)) return `${before}r`;
  if (rangeOf(field) !== undefined) return story.scope.payload()[member];
  if (field.type === 'boolean') return before !== true;
  if (/Id$/.test(member)) return undefined;
  if (field.type === 'string' && field.form === undefined)
    return values.adapt(member, `${WORDS[turn % WORDS.length]} ${story.base}`);
  const [one, other] = [values.samples(0)[member], values.samples(1)[member]];
  return JSON.stringify(before) === JSON.stringify(one) ? other : one;
}

/** Members whose form inside is shown: what XML and bulk can carry without guessing. */
export function flat(family: Family, fields: Fields): Fields {
  const members = fieldsOf(family);
  return Object.fromEntries(
    Object.entries(fields).filter(([member]) => {
      const type = members[member]?.type;
      return type !== 'object' && type !== 'object[]';
    }),
  );
}

/** Everything a create of the story carries: what a create needs, and a text for each free member. */
export function createFields(story: Story, name: string, turn: number): Record<string, unknown> {
  const { family, scope } = story;
  const member = nameOf(family);
  const texts = sentFields(family, 'create')
    .filter(([each, { type, form }]) => type === 'string' && form === undefined && each !== member && !/Id$/.test(each))
    .map(([each]) => [each, nextValue(story, each, turn, undefined)]);
  return scope.payload({ [member]: name, ...defined(Object.fromEntries(texts) as Record<string, unknown>) });
}

/** Families that show the records of this one as well. */
export function viewsOf({ context, family }: Pick<Story, 'context' | 'family'>): readonly Family[] {
  return Object.values(context.table).filter(
    (other) => other.viewOf?.includes(family.name) === true && hasOp(other, 'read'),
  );
}
