import type { Exchange } from '../../../lib/client/types.ts';
import { PLAIN_OBJECTS } from '../../../lib/contract/samples.ts';
import { type Field, fieldsOf } from '../../../lib/contract/types.ts';
import { isForbidden, isObject, isOverloaded, isSuccess, type JsonObject, recordOf } from '../../../lib/wire/answer.ts';
import type { CheckContext, Fixture } from '../../kit/check.ts';
import { isServerFilled, nameGiven, nameMember, otherListed, referenceOf, sentFields } from '../../kit/fields.ts';
import { ANY_TEXT } from '../../kit/values/domain.ts';
import { type Learned, memberKey } from '../../kit/values/learned.ts';
import { sampleFields } from '../../kit/values/samples.ts';
import { learnDomain, WHOLE } from './text-domain.ts';

/** A record of the run, and how updates of it are sent. */
interface Subject {
  readonly context: CheckContext;
  readonly learned: Learned;
  /** Body of an update that changes nothing. */
  readonly base: JsonObject;
  readonly send: (changes: JsonObject) => Promise<Exchange>;
}

const isFree = ({ type, form }: Field): boolean => type === 'string' && form === undefined;

/** Texts that a caller may choose: the name first, then those that are no pointers. */
function textMembers({ context }: Subject): readonly string[] {
  const { family, table } = context;
  return sentFields(family, 'create')
    .filter(
      ([member, field]) => isFree(field) && !isServerFilled(family, member) && !referenceOf(table, family, member),
    )
    .map(([member]) => member);
}

const pointers = ({ context }: Subject): readonly string[] =>
  sentFields(context.family, 'create').flatMap(([member]) =>
    referenceOf(context.table, context.family, member) ? [member] : [],
  );

/** A value with the members of a sample laid over it: what else it holds stays. */
function merged(held: unknown, sample: unknown): unknown {
  const isNode = (value: unknown): value is JsonObject =>
    typeof value === 'object' && value !== null && !Array.isArray(value);
  if (!isNode(held) || !isNode(sample)) return sample;
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

/** True if what is shown has the members of a value, at each depth: their values are for checks to judge. */
function hasMembers(shown: unknown, value: unknown): boolean {
  if (!isObject(value)) return true;
  return (
    isObject(shown) &&
    Object.entries(value).every(([member, held]) => hasMembers(shown[member], held) && member in shown)
  );
}

/** The smaller two values of a composite member, laid over what the record holds; undefined if it has none. */
const plainSamples = ({ base }: Subject, member: string): readonly unknown[] | undefined =>
  PLAIN_OBJECTS[member]?.map((each) => merged(base[member], each));

/** Two values of a composite member of which the record now shows every part; the smaller ones if it does not show each of the samples. */
async function keptSamples(
  subject: Subject,
  id: string,
  member: string,
  samples: readonly unknown[],
): Promise<readonly unknown[]> {
  const plain = plainSamples(subject, member);
  if (plain === undefined) return samples;
  return hasMembers(recordOf(await subject.context.send('read', { id }))?.[member], samples[1]) ? samples : plain;
}

/** Everything that an update may change, at once: on most targets the one question that is needed. */
function everything(subject: Subject, named: (text: string) => JsonObject): JsonObject {
  const { context, base } = subject;
  const name = nameMember(context.family);
  const texts = textMembers(subject).filter((member) => member !== name);
  return {
    ...Object.fromEntries([...texts, ...pointers(subject)].map((member) => [member, WHOLE])),
    ...Object.fromEntries([...compositeSamples(subject)].map(([member, [, other]]) => [member, other])),
    ...otherListed(context.family, base),
    ...named(WHOLE),
  };
}

/** Asks member by member what an update takes. */
async function learnEach(
  subject: Subject,
  id: string,
  named: (text: string) => JsonObject,
  before: number,
): Promise<void> {
  const { context, learned, base, send } = subject;
  const { name: family } = context.family;
  const takes = async (changes: JsonObject) => isSuccess(await send(changes));
  for (const member of textMembers(subject)) {
    const isName = member === nameMember(context.family);
    const domain = await learnDomain((text) => takes(isName ? named(text) : { [member]: text }), isName ? before : 0);
    // A member of which only the value that is there is taken: it is sent as it is.
    if (domain === undefined)
      learned.samples.set(
        memberKey(family, member),
        [base[member]].filter((value) => value !== undefined),
      );
    else learned.domains.set(memberKey(family, member), domain);
  }
  for (const member of pointers(subject))
    if (!(await takes({ [member]: WHOLE })))
      learned.domains.set(memberKey(family, member), { ...ANY_TEXT, form: 'reference' });
  for (const [member, samples] of compositeSamples(subject)) {
    const plain = plainSamples(subject, member);
    const held = [base[member]].filter((value) => value !== undefined);
    const isTaken = await takes({ [member]: samples[1] });
    const isPlainTaken = !isTaken && plain !== undefined && (await takes({ [member]: plain[1] }));
    const taken = isTaken ? await keptSamples(subject, id, member, samples) : isPlainTaken ? plain : held;
    learned.samples.set(memberKey(family, member), taken);
  }
  for (const [member, value] of Object.entries(otherListed(context.family, base)))
    if (!(await takes({ [member]: value }))) learned.fixedValues.add(memberKey(family, member));
}

/**
 * Changes a record of the run, and so learns which values the target takes: by one request where it takes all of them. Returns
 * the refusal where no update at all was taken.
 */
export async function tryUpdate(context: CheckContext, learned: Learned, own: Fixture): Promise<Exchange | undefined> {
  const { family } = context;
  const member = nameMember(family) ?? 'name';
  const name = nameGiven(family, own.sent);
  const named = (text: string): JsonObject => (member in fieldsOf(family) ? { [member]: `${name}${text}` } : {});
  const bodies = [own.sent, recordOf(await context.send('read', { id: own.id })) ?? own.sent];
  let last: Exchange | undefined;
  for (const [index, body] of bodies.entries()) {
    const members = new Set(sentFields(family, 'update').map(([each]) => each));
    const base = Object.fromEntries(Object.entries(body).filter(([each]) => members.has(each) && each !== 'id'));
    const send = (changes: JsonObject) =>
      context.send('update', { id: own.id, fields: { ...base, ...changes, id: own.id } });
    const subject: Subject = { context, learned, base, send };
    if (index === 0) {
      last = await send(everything(subject, named));
      if (isSuccess(last)) {
        for (const [each, samples] of compositeSamples(subject)) {
          const kept = await keptSamples(subject, own.id, each, samples);
          if (each in base || kept !== samples) learned.samples.set(memberKey(family.name, each), kept);
        }
        return undefined;
      }
      if (isForbidden(last) || isOverloaded(last)) return last;
    }
    last = await send({});
    if (!isSuccess(last)) continue;
    await learnEach(subject, own.id, named, name.length);
    return undefined;
  }
  return last;
}
