import type { CheckContext } from '../../conformance/kit/check.ts';
import { isServerFilled, nameMember } from '../../conformance/kit/fields.ts';
import type { Exchange } from '../../lib/client/types.ts';
import { hasOp, type Op } from '../../lib/contract/types.ts';
import { vendorFacts } from '../../lib/contract/vendor.ts';
import { isForbidden, isNotServed, isOverloaded, isSuccess } from '../../lib/wire/answer.ts';
import type { RequestInput } from '../../lib/wire/request.ts';
import type { Carried } from '../draw/step.ts';
import { type Difference, DifferenceFound, differenceKey } from './difference.ts';

/** A record as the model has it: what was sent for it last. */
export interface Held {
  readonly id: string;
  fields: Record<string, unknown>;
  /** What the last write to it is held against. */
  by: 'PAY-C' | 'PAY-U';
}

/** What a run learns of its target, for all sequences of a family. */
export interface Lessons {
  /** Operations that were once accepted without anything optional, and in XML. */
  readonly accepted: Set<string>;
  /** Optional parts that the target refused for a reason that the specification leaves open. */
  readonly undecided: Set<string>;
  comparisons: number;
}

/** Everything one sequence works with. */
export interface World {
  readonly context: CheckContext;
  readonly lessons: Lessons;
  readonly isKnown: (key: string) => boolean;
  /** Unique in the run. */
  readonly serial: () => string;
  readonly held: Held[];
  readonly gone: { readonly id: string; readonly name: string }[];
  /** Numbers that the sequence has used, by member. */
  readonly numbers: Set<string>;
  /** Policy that the model has on an endpoint of the pool, by its MAC address in capitals; undefined for none. */
  readonly policies: Map<string, string | undefined>;
}

/** Ends the sequence, unless the difference is known. */
export function raise({ context, isKnown }: World, difference: Omit<Difference, 'family'>): void {
  const found = { ...difference, family: context.family.name };
  if (!isKnown(differenceKey(found))) throw new DifferenceFound(found);
}

/** Looks this often again after a wrong answer became right: without a write in between, it has to stay right. */
const LOOKS_AGAIN = 3;

/**
 * Looks until there is no difference, at most for the visibility window. A difference that goes and comes back without
 * a write in between stays one.
 */
export async function settled(
  { context, lessons }: World,
  look: () => Promise<Omit<Difference, 'family'> | undefined>,
): Promise<Omit<Difference, 'family'> | undefined> {
  lessons.comparisons += 1;
  let last = await look();
  if (last === undefined) return undefined;
  const isRight = await context.eventually(async () => {
    last = await look();
    return last === undefined ? true : undefined;
  });
  if (isRight !== true) return last;
  for (let again = 0; again < LOOKS_AGAIN; again += 1) {
    const back = await look();
    if (back !== undefined) return { ...back, observed: `${back.observed}, in some answers and not in others` };
  }
  return undefined;
}

const MAY_REFUSE = ['mediaType', 'csrf'] as const;

function inputWith({ context, lessons }: World, op: Op, input: RequestInput, carried: Carried): RequestInput {
  const { family } = context;
  const may = (part: (typeof MAY_REFUSE)[number]) => carried[part] && !lessons.undecided.has(part);
  return {
    ...input,
    ...(carried.sent === 'xml' && lessons.accepted.has('xml') && input.fields !== undefined
      ? { format: 'xml' as const }
      : {}),
    ...(carried.extra && op !== 'list' ? { extra: [['harness', 'explore'] as const] } : {}),
    headers: {
      ...input.headers,
      ...(may('mediaType') ? { ersMediaType: vendorFacts(family.name).mediaType } : {}),
      ...(may('csrf') && !context.run.needsCsrf() ? { csrfToken: 'fetch' } : {}),
    },
  };
}

/** How a request came out, once a refusal was compared with the same request without anything optional. */
export interface Attempted {
  readonly exchange: Exchange;
  readonly isDone: boolean;
}

const EXCUSED = (exchange: Exchange) => isForbidden(exchange) || isOverloaded(exchange);

/**
 * Sends a request with what it carries. A refusal is a difference where the same request is taken without the optional
 * parts; otherwise it is the target's right, because values may be refused for reasons that the specification does not show.
 * `again` makes the input of the control, for requests that cannot be sent twice.
 */
export async function attempt(
  world: World,
  op: Op,
  input: RequestInput,
  carried: Carried,
  again = () => input,
): Promise<Attempted> {
  const { context, lessons } = world;
  const sent = inputWith(world, op, input, carried);
  const exchange = await context.send(op, sent);
  const parts = [
    ...(sent.format === 'xml' ? ['xml'] : []),
    ...(sent.extra === undefined ? [] : ['extra']),
    ...(sent.headers?.ersMediaType === undefined ? [] : ['mediaType']),
    ...(sent.headers?.csrfToken === undefined ? [] : ['csrf']),
  ];
  if (isSuccess(exchange)) return { exchange, isDone: true };
  if (EXCUSED(exchange) || parts.length === 0) return { exchange, isDone: false };
  const plain = await context.send(op, again());
  if (!isSuccess(plain)) return { exchange: plain, isDone: false };
  // One part at a time: which of them was refused?
  for (const part of parts) {
    if (part === 'mediaType' && [406, 415].includes(exchange.status)) lessons.undecided.add(part);
    if (part === 'csrf' && isForbidden(exchange)) lessons.undecided.add(part);
  }
  if (!parts.every((part) => lessons.undecided.has(part))) {
    const requirement = parts.includes('xml') ? 'CNV-XML' : parts.includes('extra') ? 'CNV-EXTRA' : 'CNV-HDR';
    raise(world, {
      requirement,
      what: `${op} with ${parts.join(' and ')}`,
      expected: `${op} to be taken as it is without ${parts.join(' and ')}`,
      observed: `status ${exchange.status}, and ${plain.status} without`,
    });
  }
  return { exchange: plain, isDone: true };
}

/** A plain request that was taken before and is refused now, with nothing in it that could be the reason. */
export function refusedNow(world: World, op: Op, exchange: Exchange): void {
  if (EXCUSED(exchange) || isNotServed(exchange) || !world.lessons.accepted.has(op)) return;
  raise(world, {
    requirement: `OP-${world.context.family.name}-${op === 'create' ? 'C' : op === 'update' ? 'U' : op === 'delete' ? 'D' : op === 'list' ? 'L' : 'R'}`,
    what: `${op} refused`,
    expected: `${op} to be taken, as it was before`,
    observed: `status ${exchange.status}`,
  });
}

/** Member that names a record of the family. */
export const nameOf = ({ context }: World): string => nameMember(context.family) ?? 'name';

/** Members that must come back as they were sent. */
export function comparable(
  { context }: World,
  fields: Readonly<Record<string, unknown>>,
): readonly (readonly [string, unknown])[] {
  return Object.entries(fields).filter(
    ([member, value]) =>
      member !== 'id' && value !== undefined && value !== '' && !isServerFilled(context.family, member),
  );
}

/** True where the family offers the operation. */
export const offers = ({ context }: World, op: Op): boolean => hasOp(context.family, op);
