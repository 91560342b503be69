import type { Exchange } from '../../lib/client/types.ts';
import { HEADERS_ALLOWED, OPS, type RequestHeader } from '../../lib/contract/operations.ts';
import { opRequirementId } from '../../lib/contract/requirements.ts';
import type { Op } from '../../lib/contract/types.ts';
import { vendorFacts } from '../../lib/contract/vendor.ts';
import { isForbidden, isNotServed, isOverloaded, isSuccess } from '../../lib/wire/answer.ts';
import type { RequestInput } from '../../lib/wire/request.ts';
import type { Carried } from '../draw/step.ts';
import { raise, type World } from './world.ts';

/** A request that carries nothing optional. */
export const PLAIN: Carried = {
  sent: 'json',
  type: 'plain',
  accept: 'json',
  mediaType: false,
  csrf: false,
  extra: false,
};

/** Content-Type of each form that is not the plain one; null leaves it out. */
const TYPES = {
  json: { plain: undefined, charset: 'application/json;charset=utf-8', none: null, text: 'text/plain' },
  xml: { plain: undefined, charset: 'application/xml;charset=utf-8', none: undefined, text: undefined },
} as const;

/** What a request carries beyond the bare minimum, by a word for each part. */
interface Dressed {
  readonly input: RequestInput;
  readonly parts: readonly string[];
}

/** `only`: the one part that is put on, whatever else is to be carried. */
function dressed(
  { context, lessons }: World,
  op: Op,
  input: RequestInput,
  carried: Carried,
  on: string,
  only?: string,
): Dressed {
  const isOn = (part: string) => only === undefined || only === part;
  const may = (header: RequestHeader, part: string) =>
    isOn(part) && HEADERS_ALLOWED[OPS[op].headers].includes(header) && !lessons.undecided.has(part);
  const hasBody = input.fields !== undefined;
  const format = isOn('xml') && carried.sent === 'xml' && hasBody && lessons.accepted.has('xml') ? 'xml' : 'json';
  const contentType = hasBody ? TYPES[format][carried.type] : undefined;
  const headers: [string, RequestHeader, string | null][] = [];
  if (contentType !== undefined && isOn('content type')) headers.push(['content type', 'contentType', contentType]);
  if (carried.accept === 'none' && isOn('no accept')) headers.push(['no accept', 'accept', null]);
  if (carried.mediaType && may('ersMediaType', 'media type'))
    headers.push(['media type', 'ersMediaType', vendorFacts(on).mediaType]);
  if (carried.csrf && may('csrfToken', 'csrf') && !context.run.needsCsrf())
    headers.push(['csrf', 'csrfToken', 'fetch']);
  const isExtra = carried.extra && isOn('extra');
  const extra = isExtra ? { extra: [['harness', 'explore'] as const] } : {};
  return {
    input: {
      ...input,
      ...(format === 'xml' ? { format } : {}),
      ...extra,
      headers: { ...Object.fromEntries(headers.map(([, header, value]) => [header, value])), ...input.headers },
    },
    parts: [...(format === 'xml' ? ['xml'] : []), ...(isExtra ? ['extra'] : []), ...headers.map(([part]) => part)],
  };
}

/** How a request came out, once a refusal was compared with the same request without anything optional. */
export interface Attempted {
  readonly exchange: Exchange;
  readonly isDone: boolean;
  /** The request that the exchange is about. */
  readonly sent: RequestInput;
}

/** Refused for a reason that has nothing to do with the request: permission or load. */
export const isExcused = (exchange: Exchange) => isForbidden(exchange) || isOverloaded(exchange);

const requirementOf = (parts: readonly string[]) =>
  parts.some((part) => part === 'xml' || part === 'content type')
    ? 'CNV-XML'
    : parts.includes('extra')
      ? 'CNV-EXTRA'
      : 'CNV-HDR';

interface Parted {
  readonly parts: readonly string[];
  readonly carried: Carried;
  readonly on: string;
  readonly again: () => RequestInput;
  readonly taken: (exchange: Exchange) => Promise<unknown>;
}

/** The one part of several for which a request is refused also without the others; undefined if it is none by itself. */
async function refusedAlone(
  world: World,
  op: Op,
  { parts, carried, on, again, taken }: Parted,
): Promise<string | undefined> {
  if (parts.length < 2) return undefined;
  // A delete can be sent once: what a list is refused for says as much of a header.
  const tried = op === 'delete' ? 'list' : op;
  for (const part of parts) {
    const input = op === 'delete' ? {} : again();
    const { input: sent, parts: worn } = dressed(world, tried, input, carried, on, part);
    if (worn.length === 0) continue;
    const answer = await world.context.send(tried, sent, on);
    if (!isSuccess(answer) && !isExcused(answer)) return part;
    if (isSuccess(answer) && op !== 'delete') await taken(answer);
  }
  return undefined;
}

/**
 * Sends a request with what it carries. A refusal is a difference where the same request is taken without the optional
 * parts; otherwise it is the target's right, because values may be refused for reasons that the specification does not show.
 * `again` makes the input of the control, for requests that cannot be sent twice; `taken` is told of controls that were taken
 * and are not the last.
 */
export async function attempt(
  world: World,
  op: Op,
  input: RequestInput,
  carried: Carried,
  {
    again = () => input,
    on = world.context.family.name,
    taken = async () => undefined,
  }: { again?: () => RequestInput; on?: string; taken?: (exchange: Exchange) => Promise<unknown> } = {},
): Promise<Attempted> {
  const { context, lessons } = world;
  const { input: sent, parts } = dressed(world, op, input, carried, on);
  const exchange = await context.send(op, sent, on);
  if (isSuccess(exchange)) return { exchange, isDone: true, sent };
  if (isExcused(exchange) && !(isForbidden(exchange) && parts.includes('csrf')))
    return { exchange, isDone: false, sent };
  if (parts.length === 0) return { exchange, isDone: false, sent };
  const refusedPart = await refusedAlone(world, op, { parts, carried, on, again, taken });
  const bare = again();
  const plain = await context.send(op, bare, on);
  if (!isSuccess(plain)) return { exchange: plain, isDone: false, sent: bare };
  // Which media types are known, and which tokens, is not shown.
  if ([406, 415].includes(exchange.status) && parts.includes('media type')) lessons.undecided.add('media type');
  if (isForbidden(exchange) && parts.includes('csrf')) lessons.undecided.add('csrf');
  const open = parts.filter((part) => !lessons.undecided.has(part));
  const blamed = refusedPart === undefined ? open : [refusedPart].filter((part) => open.includes(part));
  if (open.length === parts.length && blamed.length > 0) {
    raise(world, {
      requirement: requirementOf(blamed),
      what: `${op} with ${blamed.join(' and ')}`,
      expected: `${op} with ${blamed.join(' and ')} to be taken, as the usual request is`,
      observed: `status ${exchange.status}, and ${plain.status} for the usual request`,
    });
  }
  return { exchange: plain, isDone: true, sent: bare };
}

/** A request that was refused, and taken when the same was sent again. */
export function refusedOnce(world: World, op: Op, exchange: Exchange): void {
  raise(world, {
    requirement: opRequirementId(world.context.family.name, op),
    what: `${op} refused in some cases`,
    expected: `${op} to be taken, as when it is sent again`,
    observed: `status ${exchange.status}`,
  });
}

/** A plain request that is refused, with nothing in it that could be the reason. */
export function refusedPlain(world: World, op: Op, exchange: Exchange): void {
  if (isExcused(exchange) || (isNotServed(exchange) && !world.lessons.accepted.has(op))) return;
  raise(world, {
    requirement: opRequirementId(world.context.family.name, op),
    what: `${op} refused`,
    expected: world.lessons.accepted.has(op) ? `${op} to be taken, as it was before` : `a plain ${op} to be taken`,
    observed: `status ${exchange.status}`,
  });
}
