import type { Exchange } from '../../lib/client/types.ts';
import { HEADERS_ALLOWED, OPS, type RequestHeader } from '../../lib/contract/operations.ts';
import { opRequirementId } from '../../lib/contract/requirements.ts';
import type { Op } from '../../lib/contract/types.ts';
import { vendorFacts } from '../../lib/contract/vendor.ts';
import { present } from '../../lib/present.ts';
import {
  isCutOff,
  isNotFound,
  isNotServed,
  isOfState,
  isOverloaded,
  isSuccess,
  OF_TIME,
  refusesMedia,
} from '../../lib/wire/answer.ts';
import type { RequestInput } from '../../lib/wire/request.ts';
import { raise, type Session } from '../driver/session.ts';
import { answerText, isExcused } from '../kit/answer.ts';
import type { Subject } from '../kit/fault.ts';
import { UNKNOWN_PARAMETERS } from '../kit/values/payload.ts';
import type { Difference } from '../model/difference.ts';
import { keyOf } from '../model/history.ts';
import { type Carried, PLAIN } from './step.ts';

interface Part {
  readonly subject: Subject;
  readonly requirement: string;
  readonly put: (input: RequestInput) => RequestInput;
}

const header =
  (role: RequestHeader, value: string | null): Part['put'] =>
  (input) => ({ ...input, headers: { ...input.headers, [role]: value } });

const MEDIA: Readonly<Record<string, (format: string) => string | null>> = {
  charset: (format) => `application/${format};charset=utf-8`,
  none: () => null,
  text: () => 'text/plain',
};

function partsOf({ context }: Session, op: Op, input: RequestInput, carried: Carried, on: string): readonly Part[] {
  const may = (role: RequestHeader) => HEADERS_ALLOWED[OPS[op].headers].includes(role);
  const format = input.format ?? 'json';
  const type = input.fields === undefined ? undefined : MEDIA[carried.type]?.(format);
  const withHeader = (role: RequestHeader, value: string | null): Part => ({
    ...{ subject: `header ${role}`, requirement: 'CNV-HDR', put: header(role, value) },
  });
  const isTyped = type !== undefined && !(format === 'xml' && ['none', 'text'].includes(carried.type));
  const media = { subject: `media type ${carried.type}`, requirement: 'CNV-XML' } as const;
  return present<Part>(
    // Without a type a body is taken for the usual form.
    isTyped && { ...withHeader('contentType', type), ...(type === null ? {} : media) },
    carried.accept !== 'json' &&
      input.headers?.accept === undefined &&
      withHeader('accept', carried.accept === 'none' ? null : 'application/xml'),
    carried.mediaType && may('ersMediaType') && withHeader('ersMediaType', vendorFacts(on).mediaType),
    carried.csrf && may('csrfToken') && !context.run.needsCsrf() && withHeader('csrfToken', 'fetch'),
    carried.extra && {
      ...{ subject: 'parameter unknown', requirement: 'CNV-EXTRA' },
      put: (each) => ({ ...each, extra: UNKNOWN_PARAMETERS }),
    },
  );
}

const withParts = (input: RequestInput, parts: readonly Part[]) => parts.reduce((each, { put }) => put(each), input);

/** How a request came out, once a refusal was compared with the same request without anything optional. */
export interface Attempted {
  readonly exchange: Exchange;
  readonly sent: RequestInput;
  /** A create that was refused for what it carries, and taken without: to be told once its record is known. */
  readonly broken?: Difference;
}

const ONCE: readonly Op[] = ['create', 'delete', 'apply', 'clear', 'bulkSubmit'];

interface Control {
  /** Makes the input of the control, for requests that cannot be sent twice. */
  readonly again?: () => RequestInput;
  readonly on?: string;
  /** True if the answer says that the request was carried out; absent: an answer of success does. */
  readonly isTaken?: (exchange: Exchange) => boolean;
  /** True if a request was carried out although it was refused: then nothing is sent again. */
  readonly hadEffect?: () => Promise<boolean>;
}

/** A refusal of a part that the specification leaves open: which media types are answered, and which tokens. */
const isOpen = ({ subject }: Part, exchange: Exchange): boolean =>
  (['header ersMediaType', 'header accept'].includes(subject) && refusesMedia(exchange)) ||
  (subject === 'header csrfToken' && exchange.status === 403);

/** Sends a request with what it carries. A refusal is a difference if the same is taken without; else the values may be the reason. */
export async function attempt(
  session: Session,
  op: Op,
  input: RequestInput,
  carried: Carried,
  { again = () => input, on = session.context.family.name, isTaken = isSuccess, hadEffect }: Control = {},
): Promise<Attempted> {
  const { context, lessons } = session;
  const send: Send = (each) => context.send(op, each, on);
  const isUndecided = ({ subject }: Part) => lessons.undecided.has(`${op} ${subject}`);
  const parts = partsOf(session, op, input, carried, on).filter((part) => !isUndecided(part));
  const sent = withParts(input, parts);
  const exchange = await send(sent);
  // In which form a list comes that is asked for without Accept is not shown.
  if (op === 'list' && sent.headers?.accept === null && isSuccess(exchange) && exchange.json === undefined) {
    lessons.undecided.add('list header accept');
    return { exchange: await send(input), sent: input };
  }
  if (isTaken(exchange)) for (const { subject } of parts) lessons.taken.add(`${op} ${subject}`);
  if (isTaken(exchange) || parts.length === 0) return { exchange, sent };
  if (isExcused(exchange) && !parts.some((part) => isOpen(part, exchange))) return { exchange, sent };
  // What was deleted is not found by right, whatever a read carries; the answer to a plain one may be kept from before.
  const isGone = session.book.get(keyOf(on, input.id ?? ''))?.isLive === false;
  if (op === 'read' && isGone && isNotFound(exchange)) return { exchange, sent };
  if ((await hadEffect?.()) === true) return { exchange, sent };
  const bare = again();
  const plain = await send(bare);
  if (!isTaken(plain)) return { exchange: plain, sent: bare };
  // A refusal has to come again: what others wrote meanwhile may have been its reason.
  const isOnce = ONCE.includes(op);
  if (!isOnce) {
    const again = await send(sent);
    if (isSuccess(again)) return { exchange: again, sent };
  }
  // The part that is refused by itself, if there are several; what can be sent once is told by those that were taken before, unless
  // it was refused for the moment.
  const suspects = parts.filter(({ subject }) => !lessons.taken.has(`${op} ${subject}`));
  if (isOnce && (OF_TIME.has(exchange.status) || suspects.length > 1)) return { exchange: plain, sent: bare };
  const some = isOnce && suspects.length === 1 ? suspects : parts;
  const blamed = isOnce || some.length === 1 ? some : await refusedAlone(send, input, some);
  const [part] = blamed;
  if (part === undefined || blamed.some((each) => isOpen(each, exchange))) {
    for (const each of blamed) lessons.undecided.add(`${op} ${each.subject}`);
    return { exchange: plain, sent: bare };
  }
  const broken: Difference = {
    requirement: part.requirement,
    about: { kind: 'refused', operation: op, subject: part.subject },
    family: on,
    expected: `the ${op} to be taken with ${blamed.map(({ subject }) => subject).join(' and ')}, as the usual request is`,
    observed: answerText(exchange),
  };
  // The record of a create has to be known first.
  if (op !== 'create') raise(session, broken);
  return { exchange: plain, sent: bare, broken };
}

type Send = (input: RequestInput) => Promise<Exchange>;

/** The parts for which a request is refused also without the others; all of them if it is none by itself. */
async function refusedAlone(send: Send, input: RequestInput, parts: readonly Part[]): Promise<readonly Part[]> {
  for (const part of parts) {
    const answer = await send(withParts(input, [part]));
    if (!isSuccess(answer) && !isOverloaded(answer)) return [part];
  }
  return parts;
}

/** A plain request that is refused, with nothing in it that could be the reason; `isTied` if another record may be. */
export function refusedPlain(
  session: Session,
  op: Op,
  exchange: Exchange,
  { on = session.context.family.name, isTied = false } = {},
): void {
  const isKnown = session.lessons.taken.has(op);
  if (isNotServed(exchange) && !isKnown) return;
  // How many records a target takes, which may be alike, and what holds them is not shown: "Limits", "States and transitions".
  if (isOfState(exchange) && (isTied || (op === 'create' && isKnown))) return;
  const expected = isKnown ? `the ${op} to be taken, as it was before` : `a plain ${op} to be taken`;
  raiseRefusal(session, op, exchange, on, expected);
}

/** A request that was refused, and taken when the same was sent again. */
export function refusedOnce(session: Session, op: Op, exchange: Exchange, on = session.context.family.name): void {
  if (isCutOff(exchange)) return;
  raiseRefusal(session, op, exchange, on, `the ${op} to be taken, as when it is sent again`);
}

/** A refusal of what has to be taken, unless it is excused. */
export function raiseRefusal(
  session: Session,
  op: Op,
  exchange: Exchange,
  on: string,
  expected: string,
  { subject = 'request', ...more }: Pick<Difference, 'onlyIf'> & { readonly subject?: Subject } = {},
): void {
  if (isExcused(exchange)) return;
  const about = { kind: 'refused', operation: op, subject } as const;
  const requirement = opRequirementId(on, op);
  const observed = answerText(exchange);
  raise(session, { requirement, about, family: on, expected, observed, ...more }, { exchanges: [exchange] });
}

/** Sends a request that carries nothing optional, and keeps it as evidence. */
export async function sendPlain(session: Session, op: Op, input: RequestInput, on = session.context.family.name) {
  return (await attempt(session, op, input, PLAIN, { on })).exchange;
}
