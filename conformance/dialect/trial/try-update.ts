import type { Exchange } from '../../../lib/client/types.ts';
import { PLAIN_SAMPLES } from '../../../lib/contract/samples.ts';
import { type Field, fieldsOf } from '../../../lib/contract/types.ts';
import { jsonText } from '../../../lib/json-text.ts';
import { isObject, isOverloaded, isSuccess, type JsonObject, recordOf } from '../../../lib/wire/answer.ts';
import type { CheckContext, Fixture } from '../../kit/check.ts';
import { isServerFilled, nameGiven, nameMember, otherListed, referenceOf, sentFields } from '../../kit/fields.ts';
import { isNothing } from '../../kit/list/value.ts';
import { ANY_TEXT } from '../../kit/values/domain.ts';
import { type Learned, memberKey } from '../../kit/values/learned.ts';
import { sampleFields } from '../../kit/values/values.ts';
import { learnDomain, WHOLE } from './text-domain.ts';

interface Subject {
  readonly context: CheckContext;
  readonly learned: Learned;
  readonly id: string;
  readonly name: string;
  /** Body of an update that changes nothing. */
  readonly base: JsonObject;
  readonly read: JsonObject | undefined;
  readonly send: (changes: JsonObject) => Promise<Exchange>;
  /** Makes a record with such values, and removes it: the record as it was read, empty if no read showed it; undefined if it was refused. */
  readonly create: (fields: JsonObject) => Promise<JsonObject | undefined>;
}

const isFree = ({ type, form }: Field): boolean => type === 'string' && form === undefined;

/** Texts that a caller may choose: the name first, then those that are no pointers. */
const textMembers = ({ context: { family, table } }: Subject): readonly string[] =>
  sentFields(family, 'create')
    .filter(([each, field]) => isFree(field) && !isServerFilled(family, each) && !referenceOf(table, family, each))
    .map(([member]) => member);

const pointers = ({ context: { family, table } }: Subject): readonly string[] =>
  sentFields(family, 'create').flatMap(([member]) => (referenceOf(table, family, member) ? [member] : []));

/** A value with the members of a sample laid over it: what else it holds stays. */
function merged(held: unknown, sample: unknown): unknown {
  if (!isObject(held) || !isObject(sample)) return sample;
  return Object.fromEntries(
    [...new Set([...Object.keys(held), ...Object.keys(sample)])].map((member) => [
      member,
      member in sample ? merged(held[member], sample[member]) : held[member],
    ]),
  );
}

/** Two values of each composite member: the samples, laid over what the record holds. */
function compositeSamples({ context, base }: Subject): ReadonlyMap<string, readonly [unknown, unknown]> {
  const { family } = context;
  const [one, other] = [sampleFields(family, 0), sampleFields(family, 1)];
  const members = Object.keys(one).filter((member) => {
    const type = fieldsOf(family)[member]?.type;
    return (type === 'object' || type === 'object[]') && !isServerFilled(family, member);
  });
  return new Map(
    members.map((member) => [member, [merged(base[member], one[member]), merged(base[member], other[member])]]),
  );
}

const lettersOf = (member: string): string => member.replace(/[^A-Za-z0-9]/g, '').toLowerCase();

/** A value without members that the shown one lacks, at each depth: which ones a target knows is not shown. Whole if nothing is shown, and with its secrets. */
function asShown(value: unknown, shown: unknown, field: Pick<Field, 'members'> = {}): unknown {
  if (Array.isArray(value) && Array.isArray(shown) && shown.length > 0)
    return value.map((item, at) => asShown(item, shown[at] ?? shown[0], field));
  if (!isObject(value) || !isObject(shown)) return value;
  // A member that comes back under a name of the same letters is known: it has to bear the name that was sent.
  const letters = new Set(Object.keys(shown).map(lettersOf));
  const { members = {} } = field;
  const known = Object.entries(value).filter(
    ([member]) => letters.has(lettersOf(member)) || members[member]?.secret === true,
  );
  return Object.fromEntries(known.map(([member, held]) => [member, asShown(held, shown[member], members[member])]));
}

/** Paths of the members of a value, at each depth, that another one lacks: `settings.page.title`. */
function lacking(path: string, value: unknown, kept: unknown): readonly string[] {
  if (kept === undefined) return [path];
  if (typeof value !== 'object' || value === null || typeof kept !== 'object' || kept === null) return [];
  return Object.entries(value).flatMap(([member, held]) =>
    lacking(`${path}.${member}`, held, (kept as JsonObject)[member]),
  );
}

/** What records show of two values of a composite member, made with the second or updated to it; one if they differ in nothing else. */
async function keptSamples(subject: Subject, member: string, samples: readonly unknown[]) {
  const { context, learned, id, read, base, create } = subject;
  const field = fieldsOf(context.family)[member];
  const updated = merged(read?.[member], recordOf(await context.send('read', { id }))?.[member]);
  // What only updates leave out, the target knows.
  const isWhole = member in base || jsonText(asShown(samples[1], updated, field)) === jsonText(samples[1]);
  const made = isWhole ? undefined : (await create({ [member]: samples[1] }))?.[member];
  const shown = made === undefined ? updated : merged(updated, made);
  const kept = samples.map((each) => asShown(each, shown, field));
  const unkept = samples.flatMap((each, at) => lacking(member, each, kept[at]));
  if (unkept.length > 0) learned.unkept.set(memberKey(context.family.name, member), [...new Set(unkept)]);
  const unlike = new Map(kept.map((each) => [JSON.stringify(each), each]));
  return [...unlike.values()].filter((each) => !isNothing(each));
}

/** The change of the name to what begins with that of the record; none if its family has no such member. */
function renamed({ context: { family }, name }: Subject, text: string): JsonObject {
  const member = nameMember(family) ?? 'name';
  return member in fieldsOf(family) ? { [member]: `${name}${text}` } : {};
}

/** Everything that an update may change, at once: on most targets the one question that is needed. */
function everything(subject: Subject): JsonObject {
  const { family } = subject.context;
  const texts = textMembers(subject).filter((member) => member !== nameMember(family));
  return {
    ...Object.fromEntries([...texts, ...pointers(subject)].map((member) => [member, WHOLE])),
    ...Object.fromEntries([...compositeSamples(subject)].map(([member, [, other]]) => [member, other])),
    ...otherListed(family, subject.base),
    ...renamed(subject, WHOLE),
  };
}

async function learnEach(subject: Subject): Promise<void> {
  const { context, learned, base, name, send, create } = subject;
  const { family } = context;
  const key = (member: string) => memberKey(family.name, member);
  // An error of the server is no rule for values that a create takes: checks send them, and it fails.
  const takes = async (changes: JsonObject) => {
    const answer = await send(changes);
    return isSuccess(answer) || (answer.status === 500 && (await create(changes)) !== undefined);
  };
  const held = (member: string) => [base[member]].filter((value) => value !== undefined);
  for (const member of textMembers(subject)) {
    const isName = member === nameMember(family);
    const isTaken = (text: string) => takes(isName ? renamed(subject, text) : { [member]: text });
    const domain = await learnDomain(isTaken, isName ? name.length : 0);
    // A member of which only the value that is there is taken: it is sent as it is.
    if (domain === undefined) learned.samples.set(key(member), held(member));
    else learned.domains.set(key(member), domain);
  }
  for (const member of pointers(subject))
    if (!(await takes({ [member]: WHOLE }))) learned.domains.set(key(member), { ...ANY_TEXT, form: 'reference' });
  for (const [member, samples] of compositeSamples(subject)) {
    // The smaller two values, if it has such.
    const plain = PLAIN_SAMPLES[member]?.map((each) => merged(base[member], each));
    const isTaken = await takes({ [member]: samples[1] });
    const isPlainTaken = !isTaken && plain !== undefined && (await takes({ [member]: plain[1] }));
    const taken = isTaken ? await keptSamples(subject, member, samples) : isPlainTaken ? plain : held(member);
    learned.samples.set(key(member), taken);
  }
  for (const [member, value] of Object.entries(otherListed(family, base)))
    if (!(await takes({ [member]: value }))) learned.fixedValues.add(key(member));
}

/**
 * Changes a record of the run, and so learns which values the target takes: by one request where it takes all of them. Returns
 * the refusal where no update at all was taken.
 */
export async function tryUpdate(
  context: CheckContext,
  learned: Learned,
  { id, sent }: Fixture,
  create: Subject['create'],
): Promise<Exchange | undefined> {
  const { family, send } = context;
  const members = new Set(sentFields(family, 'update').map(([each]) => each));
  const read = recordOf(await send('read', { id }));
  const subjectOf = (body: JsonObject): Subject => {
    const base = Object.fromEntries(Object.entries(body).filter(([each]) => members.has(each) && each !== 'id'));
    const put = (changes: JsonObject) => send('update', { id, fields: { ...base, ...changes, id } });
    return { context, learned, id, read, name: nameGiven(family, sent), base, send: put, create };
  };
  const subject = subjectOf(sent);
  let last = await subject.send(everything(subject));
  if (isSuccess(last)) {
    for (const [each, samples] of compositeSamples(subject)) {
      const kept = await keptSamples(subject, each, samples);
      if (each in subject.base || JSON.stringify(kept) !== JSON.stringify(samples))
        learned.samples.set(memberKey(family.name, each), kept);
    }
    return undefined;
  }
  if (isOverloaded(last)) return last;
  for (const other of [subject, subjectOf(read ?? sent)]) {
    last = await other.send({});
    if (!isSuccess(last)) continue;
    await learnEach(other);
    return undefined;
  }
  return last;
}
